/** How far a session was driven: measured from its points when it has ended, or when somebody asks, and kept. */
import { Effect, Option, Stream } from "effect"
import { Odometer } from "../analysis/odometer.ts"
import type { Channel } from "../domain/PointBatch.ts"
import { justAfter } from "../domain/Time.ts"
import { Catalog } from "../store/Catalog.ts"
import { PointStore } from "../store/PointStore.ts"

/** What the odometer looks at. */
const needed: ReadonlyArray<Channel> = ["timestamp", "speed", "position_x", "position_y"]

/** Reads all points of the session; metres. What is measured of one that is being recorded is not kept. */
export const measureDistance = Effect.fn("archive.measureDistance")(function* (sessionId: number) {
  const points = yield* PointStore
  const bounds = yield* points.bounds(sessionId)
  if (Option.isNone(bounds)) return 0
  const { first, last } = bounds.value
  const odometer = new Odometer()
  const whole = { sessionId, from: first, until: justAfter(last) }
  yield* Stream.runForEach(points.read(whole, needed), (batch) => Effect.sync(() => odometer.add(batch)))
  yield* (yield* Catalog).keepDistance(sessionId, { metres: odometer.metres, until: last }).pipe(
    // It is known all the same, and measured again another time.
    Effect.catchAll((error) =>
      Effect.logWarning(`Could not keep the distance of session ${sessionId}`, error)
    )
  )
  return odometer.metres
})

/** For a session that has ended; one that cannot be measured now is when somebody asks. */
export const measureEnded = (sessionId: number) =>
  Effect.catchAllCause(measureDistance(sessionId), (cause) =>
    Effect.logWarning(`Could not measure the distance of session ${sessionId}`, cause)
  )
