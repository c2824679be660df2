/**
 * Keeps the store within the limits of the settings: removes whole sessions, the one that ended first before all others,
 * that are older than so many days, or until no more than so many GiB are in use.
 *
 * Never one that is being recorded, by whichever node, nor one that is pinned: the catalog looks once more in the statement that
 * deletes (`deleteRemovable`). A session's age counts from its last point, in the time that the simulator gave it; one without
 * points, from its start. Sessions go one after another, and the points of each in pieces, between which others write.
 *
 * Several may do so at once, as services that share their servers do: of two that want the same session one has it. A removal that
 * is cut short is finished by the next look, or by the next start.
 */
import { Cause, Clock, Effect, Layer, Metric, Option, Schedule } from "effect"
import { formatDateTime, toDateTime } from "../domain/Time.ts"
import { Catalog, type Removable } from "../store/Catalog.ts"
import { PointStore } from "../store/PointStore.ts"
import { finishRemoval, finishRemovals } from "../store/removals.ts"

export interface Limits {
  /** Days that a session is kept; undefined: for good. */
  readonly days: number | undefined
  /** GiB that may be in use; undefined: as many as there are. */
  readonly gibibytes: number | undefined
}

/** An hour more or less does not matter, but a fast feed fills a gigabyte in some minutes. */
const LOOK_EVERY = "1 minute"

const DAY_S = 86_400
const MIB = 2 ** 20
const GIB = 2 ** 30

const removedSessions = Metric.counter("telemetry_sessions_removed_total", {
  description: "Sessions removed to make room, by reason",
  incremental: true
})

/** Why a session goes. */
interface Reason {
  readonly tag: "age" | "size"
  readonly sentence: string
}

/** Why a session goes now; undefined where it stays. */
const reasonOf = Effect.fnUntraced(function* ({ days, gibibytes }: Limits, { ended }: Removable) {
  const now = (yield* Clock.currentTimeMillis) / 1000
  if (days !== undefined && ended < now - days * DAY_S) {
    const age = ((now - toDateTime(ended)) / DAY_S).toFixed(1)
    return { tag: "age", sentence: `it is ${age} days old (--keep ${days})` } satisfies Reason
  }
  if (gibibytes === undefined) return undefined
  const used = (yield* (yield* PointStore).bytes) / GIB
  if (used <= gibibytes) return undefined
  const sentence = `${used.toFixed(3)} GiB were in use (--keep-size ${gibibytes})`
  return { tag: "size", sentence } satisfies Reason
})

/** Whether it was removed: not where it is recorded or pinned by now. */
const remove = Effect.fn("Retention.remove")(function* (session: Removable, { sentence, tag }: Reason) {
  const { bytes } = yield* PointStore
  const before = yield* bytes
  if (!(yield* (yield* Catalog).deleteRemovable(session))) return false
  yield* finishRemoval(session.id)
  Metric.tagged(removedSessions, "reason", tag).unsafeUpdate(1, [])
  // Of a server, that deletes no rows, and beside a feed that fills more, there is nothing to be told.
  const freed = before - (yield* bytes)
  const size = freed > 0 ? `, ${(freed / MIB).toFixed(1)} MiB` : ""
  const ended = formatDateTime(toDateTime(session.ended))
  yield* Effect.logInfo(`Removed session ${session.id}, ended ${ended}${size}: ${sentence}`)
  return true
})

/** Removes what is to go: how many, and whether no session is left that may. */
const look = Effect.fn("Retention.look")(function* (limits: Limits) {
  const catalog = yield* Catalog
  for (let removed = 0; ;) {
    const oldest = yield* catalog.oldestRemovable
    if (Option.isNone(oldest)) return { removed, isAllGone: true }
    const reason = yield* reasonOf(limits, oldest.value)
    if (reason === undefined) return { removed, isAllGone: false }
    if (yield* remove(oldest.value, reason)) removed++
  }
})

/**
 * Older than what is kept there is nothing, but pinned sessions and those that are being recorded. Of these points come that are
 * later than their last: one that has none yet may get points of any time.
 */
const reclaim = Effect.fn("Retention.reclaim")(function* (days: number) {
  const { bounds, reclaim } = yield* PointStore
  let before = (yield* Clock.currentTimeMillis) / 1000 - days * DAY_S
  for (const id of yield* (yield* Catalog).unendedSessions) {
    before = Math.min(
      before,
      Option.match(yield* bounds(id), { onNone: () => -Infinity, onSome: ({ last }) => last })
    )
  }
  if (before > 0) yield* reclaim(before)
})

/** Looks at once, and again and again for as long as the scope. */
export const layer = (limits: Limits) => {
  let isOwed = false
  let isUnclaimed = true
  let isToldFull = false
  let isToldAway = false

  const tellFull = Effect.fnUntraced(function* (isAllGone: boolean) {
    const used = isAllGone && limits.gibibytes !== undefined ? (yield* (yield* PointStore).bytes) / GIB : 0
    const isFull = used > (limits.gibibytes ?? Infinity)
    if (isFull && !isToldFull) {
      yield* Effect.logWarning(
        `${used.toFixed(3)} GiB are in use (--keep-size ${limits.gibibytes}), and only sessions that are being recorded or pinned are left`
      )
    }
    isToldFull = isFull
  })

  const lookAgain = Effect.gen(function* () {
    // Nothing is deleted whose points cannot be removed now.
    yield* (yield* PointStore).check
    if (isOwed) yield* finishRemovals
    isOwed = false
    const { isAllGone, removed } = yield* look(limits)
    yield* tellFull(isAllGone)
    // What others removed, and what a start finished, is looked for once.
    isUnclaimed ||= removed > 0
    if (isUnclaimed && limits.days !== undefined) yield* reclaim(limits.days)
    isUnclaimed = false
    isToldAway = false
  }).pipe(
    Effect.catchAll(({ cause, store }) => {
      const isFirst = !isToldAway
      isOwed = true
      isToldAway = true
      return isFirst
        ? Effect.logWarning(
            `The ${store} store is away: old sessions are removed when it is back`,
            Cause.fail(cause)
          )
        : Effect.void
    }),
    Effect.catchAllDefect((defect) => Effect.logError("Could not look for old sessions", Cause.die(defect)))
  )

  return limits.days === undefined && limits.gibibytes === undefined
    ? Layer.empty
    : Layer.scopedDiscard(Effect.forkScoped(Effect.repeat(lookAgain, Schedule.spaced(LOOK_EVERY))))
}
