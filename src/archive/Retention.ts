/**
 * Keeps the store within the limits of the settings. It removes whole sessions, the one that ended first before all
 * others: those older than a number of days, or as many as it takes until no more than a number of GiB are in use.
 *
 * It never removes a session that any node records, nor a pinned one: the statement that deletes checks both once more
 * (`deleteRemovable`). A session's age counts from its last point, in the simulator's time; without points, from its
 * start. Sessions are removed one after another, and the points of each in pieces, between which other writers get
 * their turn.
 *
 * Several services that share their servers may do so at once: when two want the same session, one gets it. A removal
 * that is interrupted is finished by the next look, or by the next start.
 */
import { Cause, Clock, Effect, Layer, Metric, Option, Schedule } from "effect"
import { formatDateTime, toDateTime } from "../domain/Time.ts"
import { Catalog, type Removable } from "../store/Catalog.ts"
import { PointStore } from "../store/PointStore.ts"
import { finishRemoval, finishRemovals } from "../store/removals.ts"

export interface Limits {
  /** Days that a session is kept; undefined: without limit. */
  readonly days: number | undefined
  /** GiB that may be in use; undefined: without limit. */
  readonly gibibytes: number | undefined
}

/** For the age an hour would do, but a fast feed fills a gigabyte within minutes. */
const LOOK_EVERY = "1 minute"

const DAY_S = 86_400
const MIB = 2 ** 20
const GIB = 2 ** 30

/** Rounded up below a MiB, so that nothing is said to take no space. */
const formatBytes = (bytes: number): string =>
  bytes < MIB ? `${Math.ceil(bytes / 1024)} KiB` : `${(bytes / MIB).toFixed(1)} MiB`

const removedSessions = Metric.counter("telemetry_sessions_removed_total", {
  description: "Sessions removed to make room, by reason",
  incremental: true
})

/** Why a session is removed. */
interface Reason {
  readonly tag: "age" | "size"
  readonly sentence: string
}

/** Why a session must be removed now; undefined where it stays. */
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

/** Whether the session was removed; false where it is recorded or pinned by now. */
const remove = Effect.fn("Retention.remove")(function* (session: Removable, { sentence, tag }: Reason) {
  const { bytes } = yield* PointStore
  const before = yield* bytes
  if (!(yield* (yield* Catalog).deleteRemovable(session))) return false
  yield* finishRemoval(session.id)
  Metric.tagged(removedSessions, "reason", tag).unsafeUpdate(1, [])
  // The number is unknown on a server, which deletes no rows, and where a feed has filled more than was freed.
  const freed = before - (yield* bytes)
  const size = freed > 0 ? `, ${formatBytes(freed)}` : ""
  const ended = formatDateTime(toDateTime(session.ended))
  yield* Effect.logInfo(`Removed session ${session.id}, ended ${ended}${size}: ${sentence}`)
  return true
})

/** Removes the sessions that the limits demand. Returns how many, and whether no removable session is left. */
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
 * Gives back the space of removed points that are older than the limit. No point may arrive there any more: a session that
 * is being recorded gets only points later than its last one, but if it has none yet, they may be of any time.
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

/** Looks at once, and then repeatedly until the scope closes. */
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
    // Nothing is deleted while points cannot be removed.
    yield* (yield* PointStore).check
    if (isOwed) yield* finishRemovals
    isOwed = false
    const { isAllGone, removed } = yield* look(limits)
    yield* tellFull(isAllGone)
    // Looks once for space that others' removals, or a removal finished at start, have freed.
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
