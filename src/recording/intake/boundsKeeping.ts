/**
 * Keeps the bounds of sessions, and so their durations, up to date in the catalog while they are recorded. A crash loses
 * nothing: recovery derives the bounds from the points.
 */
import { Effect } from "effect"
import { POINTS } from "../../domain/Dictionary.ts"
import type { SessionBounds } from "../../domain/Session.ts"
import { Sessions } from "../../store/Sessions.ts"
import type { RowEntry } from "./sessionStoring.ts"
import { orWithout, untilStored } from "./untilStored.ts"

/**
 * How soon a new session gets its first bounds. Each update is a commit, and blocks the event loop until it is on disk.
 */
const SOON_MS = 1000
/** How often the bounds are updated afterwards. */
const EVERY_MS = 5000

export const make = Effect.gen(function* () {
  const sessions = yield* Sessions
  /** Bounds that the catalog does not have yet. `bounded`: sessions for which the catalog has bounds. */
  const pending = new Map<number, SessionBounds>()
  const bounded = new Set<number>()
  /** Open while there are pending bounds. `someNew`: open while some are of a session without bounds in the catalog. */
  const somePending = yield* Effect.makeLatch(false)
  const someNew = yield* Effect.makeLatch(false)

  /** Notes the bounds of rows that were written. Only points count. */
  const note = (sessionId: number, rows: ReadonlyArray<RowEntry>): void => {
    for (const { batch, group } of rows) {
      if (group !== POINTS) continue
      const times = batch.timestamps
      const first = pending.get(sessionId)?.first ?? times[0]!
      pending.set(sessionId, { first, last: times[times.length - 1]! })
      somePending.unsafeOpen()
      if (!bounded.has(sessionId)) someNew.unsafeOpen()
    }
  }

  /** When it returns, the catalog has the bounds of all points of the session that were noted when it was called. */
  const store = (sessionId: number) =>
    Effect.suspend(() => {
      const span = pending.get(sessionId)
      if (span === undefined) return Effect.void
      pending.delete(sessionId)
      bounded.add(sessionId)
      return untilStored("extend the session", sessions.extendSessions(new Map([[sessionId, span]]))).pipe(
        orWithout(sessionId, "its duration is too short"),
        Effect.asVoid
      )
    })

  const extend = (some: ReadonlyMap<number, SessionBounds>) =>
    Effect.map(sessions.extendSessions(some), () => {
      for (const [sessionId, span] of some) {
        bounded.add(sessionId)
        if (pending.get(sessionId) === span) pending.delete(sessionId)
      }
    })

  const extendOrWarn = (some: ReadonlyMap<number, SessionBounds>) =>
    Effect.catchAllCause(extend(some), (cause) => {
      somePending.unsafeOpen()
      return Effect.logWarning("The duration of a session cannot be updated now", cause)
    })

  /** Updates the bounds of all sessions in one statement. If that fails, it updates each session alone. */
  const storeAll = Effect.suspend(() => {
    somePending.unsafeClose()
    someNew.unsafeClose()
    const all = new Map(pending)
    if (all.size < 2) return all.size === 0 ? Effect.void : extendOrWarn(all)
    return Effect.catchAllCause(extend(all), () =>
      Effect.forEach(all, (one) => extendOrWarn(new Map([one])), { discard: true })
    )
  })

  const due = Effect.raceFirst(Effect.sleep(EVERY_MS), Effect.zipRight(someNew.await, Effect.sleep(SOON_MS)))

  return {
    note,
    store,
    /** To be called when the session has ended, or no longer exists. */
    forget: (sessionId: number) => {
      pending.delete(sessionId)
      bounded.delete(sessionId)
    },
    /** Runs until it is interrupted; it also updates sessions whose feed is silent. */
    keep: somePending.await.pipe(
      Effect.zipRight(due),
      Effect.zipRight(Effect.uninterruptible(storeAll)),
      Effect.forever
    )
  }
})
