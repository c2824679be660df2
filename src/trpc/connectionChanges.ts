/** The connections to simulators as a subscription: at once, and whenever they change. */
import { Chunk, Effect, Option, Stream } from "effect"
import { connectionsOf, SystemStatus } from "../operations/system.ts"
import { toJson } from "../wire.ts"
import { Simulators } from "../simulators/Simulators.ts"

/** What `/status` says of them. */
const encode = toJson(SystemStatus.pick("connected", "lastTelemetry", "connections"))

/** Succeeds with what reads the next changes, each with its number from 0. A client that is slow gets the newest. */
export const connectionChanges = Effect.gen(function* () {
  const { statusChanges } = yield* Simulators
  const pull = yield* statusChanges.pipe(
    Stream.buffer({ capacity: 1, strategy: "sliding" }),
    Stream.map((status) => encode(connectionsOf(status))),
    Stream.zipWithIndex,
    Stream.toPull
  )
  // It does not end, so that it fails with an error or not at all.
  return Effect.mapBoth(pull, { onFailure: Option.getOrThrow, onSuccess: Chunk.toReadonlyArray })
})
