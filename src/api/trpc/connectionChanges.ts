/** The connections to simulators as a subscription: their state immediately, and again whenever it changes. */
import { Chunk, Effect, Option, Stream } from "effect"
import { connectionsOf, SystemStatus } from "../../operations/system.ts"
import { toJson } from "../../platform/wire.ts"
import { Simulators } from "../../simulators/connection/Simulators.ts"

/** The part of `/status` that describes them. */
const encode = toJson(SystemStatus.pick("connected", "lastTelemetry", "connections"))

/**
 * Succeeds with an Effect that reads the next changes, each with its number from 0. A slow client gets only the newest.
 */
export const connectionChanges = Effect.gen(function* () {
  const { statusChanges } = yield* Simulators
  const pull = yield* statusChanges.pipe(
    Stream.buffer({ capacity: 1, strategy: "sliding" }),
    Stream.map((status) => encode(connectionsOf(status))),
    Stream.zipWithIndex,
    Stream.toPull
  )
  // The stream does not end, so the failure always has an error.
  return Effect.mapBoth(pull, { onFailure: Option.getOrThrow, onSuccess: Chunk.toReadonlyArray })
})
