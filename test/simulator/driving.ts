/** Drives for tests of what the bundled simulator sends. */
import { type Duration, Effect, TestClock } from "effect"
import { driveFeed, type DriveFeedOptions } from "../../simulator/feed/driveFeed.ts"
import type { FeedClient } from "../../simulator/feed/Feed.ts"
import { circuitNamed } from "../../simulator/model/Circuit.ts"
import { vehicleNamed } from "../../simulator/model/vehicles.ts"

export const driveOptions: DriveFeedOptions = {
  circuit: circuitNamed("Cinder Bowl")!,
  vehicle: vehicleNamed("Wren Cup")!,
  driver: "A Driver",
  laps: 0,
  seed: 1,
  rate: undefined,
  packed: false,
  pointsOnly: false
}

/** A client that reads for a second, then nothing for a while, then all that it missed; `missing` is called before that. */
export const lagging = Effect.fnUntraced(function* (
  client: FeedClient,
  duration: Duration.DurationInput,
  missing: () => void = () => {}
) {
  const gate = yield* Effect.makeSemaphore(1)
  let full = false
  const slow = {
    ...client,
    offer: (message: string | Uint8Array) => client.offer(message) && !full,
    drained: gate.withPermits(1)(Effect.void)
  }
  yield* gate.take(1)
  yield* Effect.fork(driveFeed(driveOptions).serve(slow))
  yield* TestClock.adjust("1 seconds")
  full = true
  yield* TestClock.adjust(duration)
  missing()
  full = false
  yield* gate.release(1)
  yield* TestClock.adjust("1 seconds")
})
