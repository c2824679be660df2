/** Makes and ends connections to simulators. */
import { Effect, Schema } from "effect"
import { Host, Port } from "../domain/Configuration.ts"
import { connectFields, type ConnectRequest, ListedConnection } from "../domain/Connection.ts"
import {
  AlreadyConnected,
  ConnectedElsewhere,
  ConnectInterrupted,
  ConnectionNotFound,
  NotASimulator,
  NothingToForward,
  SessionBeingRecorded,
  SessionNotFound,
  SimulatorRefused,
  SimulatorSilent,
  TargetNotAllowed,
  TooManyConnects,
  UnknownSimulator
} from "../domain/errors.ts"
import { KnownSimulator } from "../simulators/Driver.ts"
import { options } from "../simulators/drivers/index.ts"
import { Simulators } from "../simulators/connection/Simulators.ts"
import { fromWire, inSnakeCase } from "../platform/wire.ts"
import { answered, Nothing } from "./operation.ts"
import { addressOf } from "./sentences.ts"

const ConnectResult = Schema.Struct({
  connected: Schema.Literal(true),
  host: Schema.String,
  port: Schema.Int,
  appName: Schema.String,
  simulator: Schema.String,
  sessionId: Schema.NullOr(Schema.Int).annotations({
    description: "Null until the simulator reports a running session"
  }),
  message: Schema.String
}).annotations({ identifier: "ConnectResult" })

/** Names the connection to end. */
export const DisconnectRequest = Schema.Struct({ host: Host, port: Port }).annotations({
  identifier: "DisconnectRequest"
})

const DisconnectResult = Schema.Struct({
  connected: Schema.Literal(false),
  message: Schema.String
}).annotations({ identifier: "DisconnectResult" })

/** The request for a connection: the fields that every connect has, and the options that drivers take. */
const ConnectionRequest = Schema.Struct({ ...connectFields, ...options }).annotations({
  identifier: "ConnectionRequest"
})

/** Moves the options for drivers into a record of their own. */
const requestOf = (given: typeof ConnectionRequest.Type): ConnectRequest => {
  const entries = Object.entries(given)
  const own = entries.filter(([name]) => name in connectFields)
  const forDriver = entries.filter(([name]) => name in options)
  return { ...(Object.fromEntries(own) as unknown as ConnectRequest), options: Object.fromEntries(forDriver) }
}

const plural = (count: number, thing: string) => `${count} ${thing}${count === 1 ? "" : "s"}`

/** The simulators that the service can connect to. */
export const known = answered({
  input: Nothing,
  answer: Schema.Array(KnownSimulator),
  errors: [],
  run: () =>
    Effect.gen(function* () {
      const known = yield* (yield* Simulators).known
      // Options have their names in requests.
      return known.map(({ options, ...simulator }) => ({
        ...simulator,
        options: Object.fromEntries(
          Object.entries(options).map(([name, schema]) => [inSnakeCase(name), schema])
        )
      }))
    })
})

/** Answers when the handshake has succeeded or failed. */
export const connect = answered({
  input: fromWire(ConnectionRequest),
  answer: ConnectResult,
  errors: [
    SimulatorRefused,
    NotASimulator,
    SimulatorSilent,
    AlreadyConnected,
    ConnectedElsewhere,
    ConnectInterrupted,
    UnknownSimulator,
    TargetNotAllowed,
    NothingToForward,
    TooManyConnects,
    SessionNotFound,
    SessionBeingRecorded
  ],
  run: (given) =>
    Effect.gen(function* () {
      const connected = yield* (yield* Simulators).connect(requestOf(given))
      return {
        connected: true as const,
        ...connected,
        message: `Connected to the ${connected.simulator} simulator at ${addressOf(connected)}`
      }
    })
})

/** Ends one connection, or all. */
export const disconnect = answered({
  input: Schema.Union(DisconnectRequest, Schema.Undefined),
  answer: DisconnectResult,
  errors: [],
  run: (target) =>
    Effect.gen(function* () {
      const ended = yield* (yield* Simulators).disconnect(target)
      const message = ended === 0 ? "Nothing was connected" : `Ended ${plural(ended, "connection")}`
      return { connected: false as const, message }
    })
})

const entries = Schema.Array(ListedConnection).annotations({ description: "All kept connections" })

/** The connections that the service keeps, also those that are off. */
export const kept = answered({
  input: Nothing,
  answer: entries,
  errors: [],
  run: () => Effect.flatMap(Simulators, (simulators) => simulators.kept)
})

/** The body that turns a kept connection on or off. */
export const EnableRequest = Schema.Struct({
  host: Host,
  port: Port,
  enabled: Schema.Boolean
}).annotations({ identifier: "EnableRequest" })

/** Turns a kept connection on or off. Answers with all of them. */
export const enable = answered({
  input: EnableRequest,
  answer: entries,
  errors: [ConnectionNotFound],
  run: (wanted) =>
    Effect.gen(function* () {
      const simulators = yield* Simulators
      if (!(yield* simulators.enable(wanted))) {
        return yield* new ConnectionNotFound({ address: { host: wanted.host, port: wanted.port } })
      }
      return yield* simulators.kept
    })
})
