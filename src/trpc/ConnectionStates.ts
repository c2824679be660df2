/** How the links to simulators stand, told whenever it changes: looked at once for all who listen, while any does. */
import { Context, Effect, Layer, Schedule, Schema, Stream } from "effect"
import type { StoreUnavailable } from "../domain/errors.ts"
import { connectionsOf, SystemStatus } from "../operations/system.ts"
import { Simulators } from "../simulators/Simulators.ts"

/** What `/status` says of them. */
const ConnectionState = SystemStatus.pick("connected", "last_telemetry", "connections")
export type ConnectionState = typeof ConnectionState.Encoded

const encode = Schema.encodeSync(ConnectionState)

/** While points arrive their counts change all the time; nobody reads faster. */
const LOOK_EVERY = "250 millis"

const same = (a: ConnectionState, b: ConnectionState) => JSON.stringify(a) === JSON.stringify(b)

export class ConnectionStates extends Context.Tag("trpc/ConnectionStates")<
  ConnectionStates,
  { readonly changes: Stream.Stream<ConnectionState, StoreUnavailable> }
>() {
  static readonly layer = Layer.scoped(
    this,
    Effect.gen(function* () {
      const { status } = yield* Simulators
      const changes = yield* Stream.repeatEffectWithSchedule(
        Effect.map(status, (now) => encode(connectionsOf(now))),
        Schedule.spaced(LOOK_EVERY)
      ).pipe(
        Stream.changesWith(same),
        // New subscribers get the current state; a slow one gets only the newest.
        Stream.share({ capacity: 1, strategy: "sliding", replay: 1 })
      )
      return { changes }
    })
  )
}
