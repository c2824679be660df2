/**
 * Keeps the store within the limits of the settings. It removes whole sessions, in the order in which they ended: those
 * older than a number of days, or as many as needed until no more than a number of GiB are in use.
 *
 * It never removes a session that any node records, nor a pinned one: the statement that deletes checks both once more
 * (`deleteRemovable`). ages.ts decides which sessions are too old. Sessions are removed one after another, and the
 * points of each in pieces; between two pieces other writers get their turn.
 *
 * Several services that share their servers may do so together: when two want the same session, one gets it. A removal
 * that is interrupted is finished by the next look, or by the next start.
 */
import { Cause, Clock, Effect, Layer, Metric, Option, Schedule } from "effect"
import { POINTS } from "../domain/Dictionary.ts"
import type { StoreUnavailable } from "../domain/errors.ts"
import { formatDateTime } from "../domain/Time.ts"
import { Deletions, type Removable } from "../store/Deletions.ts"
import { RowStore } from "../store/RowStore.ts"
import { SessionFiles } from "../store/SessionFiles.ts"
import { Sessions } from "../store/Sessions.ts"
import { finishRemoval, finishRemovals } from "../store/removals.ts"
import { makeAges, type TooOld } from "./ages.ts"

export interface Limits {
  /** Days that a session is kept; undefined: without limit. */
  readonly days: number | undefined
  /** GiB that may be in use; undefined: without limit. */
  readonly gibibytes: number | undefined
  /** Removes all else that belongs to a session that was removed. */
  readonly removed: (sessionId: number) => Effect.Effect<void>
}

/** For the age an hour would be enough, but a fast feed fills a gigabyte within minutes. */
const LOOK_EVERY = "1 minute"

const DAY_S = 86_400
const MIB = 2 ** 20
const GIB = 2 ** 30

/** Rounded up below a MiB, so that no text states a size of 0. */
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

const age = (days: number, now: number, ended: number): Reason => ({
  tag: "age",
  sentence: `it is ${((now - ended) / DAY_S).toFixed(1)} days old (--keep ${days})`
})

const size = (gibibytes: number, used: number): Reason => ({
  tag: "size",
  sentence: `${used.toFixed(3)} GiB were in use (--keep-size ${gibibytes})`
})

const usedBytes = Effect.gen(function* () {
  return (yield* (yield* RowStore).bytes) + (yield* (yield* SessionFiles).bytes)
})

/** GiB. */
const used = Effect.map(usedBytes, (bytes) => bytes / GIB)

/** Whether the session was removed; false where it is recorded or pinned by now. */
const remove = Effect.fn("Retention.remove")(function* (
  { removed }: Limits,
  session: Removable,
  { sentence, tag }: Reason
) {
  const before = yield* usedBytes
  if (!(yield* (yield* Deletions).deleteRemovable(session))) return false
  yield* finishRemoval(session.id)
  yield* removed(session.id)
  Metric.tagged(removedSessions, "reason", tag).unsafeUpdate(1, [])
  // The number is unknown on a server, which deletes no rows, and where a feed has filled more than was freed.
  const freed = before - (yield* usedBytes)
  const gained = freed > 0 ? `, ${formatBytes(freed)}` : ""
  const ended = formatDateTime(session.ended)
  yield* Effect.logInfo(`Removed session ${session.id}, ended ${ended}${gained}: ${sentence}`)
  return true
})

/** Removes the sessions that are too old. Returns how many. */
const removeOld = Effect.fn("Retention.removeOld")(function* (limits: Limits, { before, until }: TooOld) {
  const { oldestRemovable } = yield* Deletions
  const now = (yield* Clock.currentTimeMillis) / 1000
  for (let removed = 0; ;) {
    const oldest = Option.getOrUndefined(yield* oldestRemovable(until))
    if (oldest === undefined || oldest.ended >= before) return removed
    if (yield* remove(limits, oldest, age(limits.days!, now, oldest.ended))) removed++
  }
})

/** Removes as many sessions as needed. Returns how many, and whether no removable session is left. */
const removeMost = Effect.fn("Retention.removeMost")(function* (limits: Limits) {
  const gibibytes = limits.gibibytes!
  const { oldestRemovable } = yield* Deletions
  for (let removed = 0; ;) {
    const taken = yield* used
    if (taken <= gibibytes) return { removed, isAllGone: false }
    const oldest = yield* oldestRemovable(Infinity)
    if (Option.isNone(oldest)) return { removed, isAllGone: true }
    if (yield* remove(limits, oldest.value, size(gibibytes, taken))) removed++
  }
})

/**
 * Gives back the space of removed points that are older than `limit` (epoch s). No point may arrive there any more. A
 * session that is being recorded gets only points later than its last one, but the first point may be of any time.
 */
const reclaim = Effect.fn("Retention.reclaim")(function* (limit: number) {
  const { bounds, reclaim } = yield* RowStore
  let before = limit
  for (const id of yield* (yield* Sessions).unendedSessions) {
    before = Math.min(
      before,
      Option.match(yield* bounds({ sessionId: id, group: POINTS }), {
        onNone: () => -Infinity,
        onSome: ({ last }) => last
      })
    )
  }
  if (before > 0) yield* reclaim(before)
})

/** Looks immediately, and then repeatedly until the scope closes. `mayLook`: of the nodes of a cluster one looks. */
export const layer = <R = never>(
  limits: Limits,
  mayLook: Effect.Effect<boolean, StoreUnavailable, R> = Effect.succeed(true)
) => {
  const { days, gibibytes } = limits
  const ages = days === undefined ? undefined : makeAges(days)
  let isOwed = false
  let isUnclaimed = true
  let isFullLogged = false
  let isAwayLogged = false

  const look = Effect.gen(function* () {
    const newest = Option.getOrUndefined(yield* (yield* Deletions).newestSession)
    if (ages === undefined || newest === undefined) return undefined
    const [now, steady] = yield* Effect.all([Clock.currentTimeMillis, Clock.currentTimeNanos])
    return ages.look({ now: now / 1000, steady: Number(steady) / 1e9 }, newest)
  })

  const tellFull = Effect.fnUntraced(function* (isAllGone: boolean) {
    if (isAllGone && !isFullLogged) {
      yield* Effect.logWarning(
        `${(yield* used).toFixed(3)} GiB are in use (--keep-size ${gibibytes}), and only sessions that are being recorded or pinned are left`
      )
    }
    isFullLogged = isAllGone
  })

  const lookAgain = Effect.gen(function* () {
    if (!(yield* mayLook)) return
    // Nothing is deleted while points cannot be removed.
    yield* (yield* RowStore).check
    if (isOwed) yield* finishRemovals
    isOwed = false
    const tooOld = yield* look
    if (tooOld !== undefined && (yield* removeOld(limits, tooOld)) > 0) isUnclaimed = true
    if (gibibytes !== undefined) {
      const { isAllGone, removed } = yield* removeMost(limits)
      yield* tellFull(isAllGone)
      if (removed > 0) isUnclaimed = true
    }
    // Looks once for space that others' removals, or a removal finished at start, have freed.
    if (isUnclaimed && tooOld !== undefined) {
      yield* reclaim(tooOld.before)
      isUnclaimed = false
    }
    isAwayLogged = false
  }).pipe(
    Effect.catchAll(({ cause, store }) => {
      const isFirst = !isAwayLogged
      isOwed = true
      isAwayLogged = true
      return isFirst
        ? Effect.logWarning(
            `The ${store} store is away: old sessions are removed when it is back`,
            Cause.fail(cause)
          )
        : Effect.void
    }),
    Effect.catchAllDefect((defect) => Effect.logError("Could not look for old sessions", Cause.die(defect)))
  )

  return days === undefined && gibibytes === undefined
    ? Layer.empty
    : Layer.scopedDiscard(Effect.forkScoped(Effect.repeat(lookAgain, Schedule.spaced(LOOK_EVERY))))
}
