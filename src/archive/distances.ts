/**
 * The distance driven in a session: measured from its points when it has ended, or at the first request, and then
 * stored.
 */
import { Effect, Option, Stream } from "effect"
import { Odometer } from "../analysis/place/odometer.ts"
import { POINTS } from "../domain/Dictionary.ts"
import type { Channel } from "../domain/pointChannels.ts"
import { justAfter } from "../domain/Time.ts"
import { RowStore } from "../store/RowStore.ts"
import { Sessions } from "../store/Sessions.ts"

/** The channels that the odometer reads. */
const needed: ReadonlyArray<Channel> = ["timestamp", "speed", "position_x", "position_y"]

/** Reads all points of the session; returns metres. The distance of a session that is being recorded is not stored. */
export const measureDistance = Effect.fn("archive.measureDistance")(function* (sessionId: number) {
  const points = yield* RowStore
  const bounds = yield* points.bounds({ sessionId, group: POINTS })
  if (Option.isNone(bounds)) return 0
  const { first, last } = bounds.value
  const odometer = new Odometer()
  const whole = { sessionId, group: POINTS, from: first, until: justAfter(last) }
  yield* Stream.runForEach(points.read(whole, needed), (batch) => Effect.sync(() => odometer.add(batch)))
  yield* (yield* Sessions).keepDistance(sessionId, { metres: odometer.metres, until: last }).pipe(
    // The answer has the distance all the same; a later request measures it again.
    Effect.catchAll((error) =>
      Effect.logWarning(`Could not keep the distance of session ${sessionId}`, error)
    )
  )
  return odometer.metres
})

/** Measures a session that has ended. Where that is impossible now, the next request measures it. */
export const measureEnded = (sessionId: number) =>
  Effect.catchAllCause(measureDistance(sessionId), (cause) =>
    Effect.logWarning(`Could not measure the distance of session ${sessionId}`, cause)
  )
