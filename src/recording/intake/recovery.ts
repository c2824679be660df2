/**
 * Ends the sessions of this node that a crash left open. All acknowledged rows are stored, so a session's bounds and
 * the lap that was under way follow from its points. The ends go through the intake, like every session's. Also
 * finishes deletions that were cut short, and sets files aside whose session is not known.
 *
 * Hard case: the points are on a server that is unreachable when the service starts. New sessions are recorded
 * regardless. The old ones are ended when the server is back; until then this node counts as recording them.
 */
import { Cause, Deferred, Effect, Option } from "effect"
import { POINTS } from "../../domain/Dictionary.ts"
import { justAfter } from "../../domain/Time.ts"
import { ASK_STORE_EVERY, askingStore } from "../../platform/retryPolicies.ts"
import { Laps } from "../../store/Laps.ts"
import { RowStore } from "../../store/RowStore.ts"
import { Sessions } from "../../store/Sessions.ts"
import { finishRemovals, tidyFiles } from "../../store/removals.ts"
import { Intake } from "./Intake.ts"

/** The lap that was under way when the recording broke off, if it has points; never valid. */
const brokenOff = Effect.fn("recovery.brokenOff")(function* (sessionId: number, first: number, last: number) {
  const laps = yield* (yield* Laps).laps(sessionId)
  const start = laps.reduce((latest, lap) => Math.max(latest, lap.endTime), first)
  if (last < start) return Option.none()
  return Option.some({
    sessionId,
    lapNumber: laps.reduce((most, lap) => Math.max(most, lap.lapNumber), 0) + 1,
    lapTime: null,
    sector1Time: null,
    sector2Time: null,
    sector3Time: null,
    valid: false,
    startTime: start,
    endTime: justAfter(last)
  })
})

/** Ends a session whose recording broke off; succeeds when all of it is stored. */
export const endBroken = Effect.fn("recovery.endBroken")(
  function* (sessionId: number) {
    const sessions = yield* Sessions
    const intake = yield* Intake
    const bounds = yield* (yield* RowStore).bounds({ sessionId, group: POINTS })
    if (Option.isSome(bounds)) {
      const { first, last } = bounds.value
      yield* sessions.extendSessions(new Map([[sessionId, bounds.value]]))
      const lap = yield* brokenOff(sessionId, first, last)
      if (Option.isSome(lap)) yield* intake.offer({ _tag: "Lap", lap: lap.value })
    }
    const done = yield* Deferred.make<void>()
    yield* intake.offer({ _tag: "End", sessionId, done })
    yield* Deferred.await(done)
    yield* Effect.logInfo(`Session ${sessionId} was being recorded when the service stopped; it is closed`)
  },
  // Cannot happen: a session that is being recorded cannot be deleted.
  Effect.catchTag("SessionNotFound", Effect.die)
)

/**
 * To be run once, before anything records. Returns when every recovered session is ended and stored. If the store is
 * unreachable, it returns immediately, and goes on in the scope as soon as the store is back.
 */
export const recover = Effect.gen(function* () {
  // Before a session can get the number, and so the files, of one that a restored backup lacks.
  yield* tidyFiles
  // Only the sessions that are open now: sessions that begin later were not left by a crash.
  const broken = [...(yield* (yield* Sessions).ownUnendedSessions)]
  const rest = Effect.gen(function* () {
    yield* finishRemovals
    for (;;) {
      const [sessionId] = broken
      if (sessionId === undefined) return
      yield* endBroken(sessionId)
      broken.shift()
    }
  })
  yield* Effect.catchTag(rest, "StoreUnavailable", ({ cause, store }) =>
    Effect.logWarning(
      `The ${store} store is away: starting without it. Sessions that a crash left open are ended once it is there: ${broken.length}`,
      Cause.fail(cause)
    ).pipe(
      Effect.zipRight(Effect.retry(rest, askingStore).pipe(Effect.delay(ASK_STORE_EVERY), Effect.forkScoped))
    )
  )
}).pipe(Effect.withSpan("recovery.recover"))
