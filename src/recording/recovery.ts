/**
 * Ends the sessions that a crash left open: what was acknowledged is all there, so their bounds and the lap
 * that was under way follow from the points. They go through the intake, as every ended session does.
 */
import { Deferred, Effect, Option } from "effect"
import { justAfter } from "../domain/Time.ts"
import { Catalog } from "../store/Catalog.ts"
import { PointStore } from "../store/PointStore.ts"
import { Intake } from "./Intake.ts"

/** The lap that was under way when the recording broke off, where there are points of it; never valid. */
const brokenOff = Effect.fn("recovery.brokenOff")(function* (sessionId: number, first: number, last: number) {
  const laps = yield* (yield* Catalog).laps(sessionId)
  const start = laps.reduce((latest, lap) => Math.max(latest, lap.end_time), first)
  if (last < start) return Option.none()
  return Option.some({
    session_id: sessionId,
    lap_number: laps.reduce((most, lap) => Math.max(most, lap.lap_number), 0) + 1,
    lap_time: null,
    sector1_time: null,
    sector2_time: null,
    sector3_time: null,
    valid: false,
    start_time: start,
    end_time: justAfter(last)
  })
})

/** Removes points whose session's deletion was cut short. */
const removeOrphans = Effect.gen(function* () {
  const points = yield* PointStore
  const known = new Set(yield* (yield* Catalog).sessionIds)
  for (const sessionId of yield* points.sessionIds) {
    if (known.has(sessionId)) continue
    yield* Effect.logInfo(`Removing the points of session ${sessionId}, which was deleted`)
    yield* points.remove(sessionId)
  }
})

/** To be run once, before anything records. Returns when every recovered session is ended and stored. */
export const recover = Effect.gen(function* () {
  const catalog = yield* Catalog
  const points = yield* PointStore
  const intake = yield* Intake
  yield* removeOrphans
  for (const sessionId of yield* catalog.unendedSessions) {
    const bounds = yield* points.bounds(sessionId)
    if (Option.isSome(bounds)) {
      const { first, last } = bounds.value
      yield* catalog.extendSession(sessionId, bounds.value)
      const lap = yield* brokenOff(sessionId, first, last)
      if (Option.isSome(lap)) yield* intake.offer({ _tag: "Lap", lap: lap.value })
    }
    const done = yield* Deferred.make<void>()
    yield* intake.offer({ _tag: "End", sessionId, done })
    yield* Deferred.await(done)
    yield* Effect.logInfo(`Session ${sessionId} was being recorded when the service stopped; it is closed`)
  }
}).pipe(
  // Nobody else is there yet to delete one.
  Effect.catchTag("SessionNotFound", Effect.die),
  Effect.withSpan("recovery.recover")
)
