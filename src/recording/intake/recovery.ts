/**
 * Ends the sessions of this node that a crash left open. Everything acknowledged is stored, so their bounds and the lap that
 * was under way follow from the points. They go through the intake, like every ended session. Also finishes deletions that
 * were cut short.
 *
 * Hard case: points on a server that is away when the service starts. New sessions are recorded all the same. The old ones
 * are ended when the server is back; until then this node counts as recording them.
 */
import { Cause, Deferred, Effect, Option } from "effect"
import { POINTS } from "../../domain/Dictionary.ts"
import { justAfter } from "../../domain/Time.ts"
import { ASK_STORE_EVERY, askingStore } from "../../platform/retryPolicies.ts"
import { Laps } from "../../store/Laps.ts"
import { RowStore } from "../../store/RowStore.ts"
import { Sessions } from "../../store/Sessions.ts"
import { finishRemovals } from "../../store/removals.ts"
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

const endBroken = Effect.fn("recovery.endBroken")(
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
 * Called once, before anything records. Returns when every recovered session is ended and stored. If the store is away, it
 * returns at once, and goes on in the scope as soon as the store is back.
 */
export const recover = Effect.gen(function* () {
  // The sessions that are open now. Sessions that begin later were not left by a crash.
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
