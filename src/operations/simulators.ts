/** Connections to simulators: made, and ended. */
import { Effect, Schema } from "effect"
import { Host, Port } from "../domain/Configuration.ts"
import { ConnectRequest } from "../domain/Connection.ts"
import {
  AlreadyConnected,
  ConnectInterrupted,
  NotASimulator,
  SessionBeingRecorded,
  SessionNotFound,
  SimulatorRefused,
  SimulatorSilent,
  TargetNotAllowed,
  TooManyConnects,
  UnknownSimulator
} from "../domain/errors.ts"
import { KnownSimulator } from "../simulators/Driver.ts"
import { Simulators } from "../simulators/Simulators.ts"
import { answered, Nothing } from "./operation.ts"
import { addressOf } from "./sentences.ts"

const ConnectResult = Schema.Struct({
  connected: Schema.Literal(true),
  host: Schema.String,
  port: Schema.Int,
  app_name: Schema.String,
  simulator: Schema.String,
  session_id: Schema.NullOr(Schema.Int).annotations({
    description: "Null until the simulator says that a session runs"
  }),
  message: Schema.String
}).annotations({ identifier: "ConnectResult" })

/** Which connection to end. */
export const DisconnectRequest = Schema.Struct({ host: Host, port: Port }).annotations({
  identifier: "DisconnectRequest"
})

const DisconnectResult = Schema.Struct({
  connected: Schema.Literal(false),
  message: Schema.String
}).annotations({ identifier: "DisconnectResult" })

const plural = (count: number, thing: string) => `${count} ${thing}${count === 1 ? "" : "s"}`

/** What can be connected to. */
export const known = answered({
  input: Nothing,
  answer: Schema.Array(KnownSimulator),
  errors: [],
  run: () => Effect.flatMap(Simulators, (simulators) => simulators.known)
})

/** Answers when the handshake has succeeded or failed. */
export const connect = answered({
  input: ConnectRequest,
  answer: ConnectResult,
  errors: [
    SimulatorRefused,
    NotASimulator,
    SimulatorSilent,
    AlreadyConnected,
    ConnectInterrupted,
    UnknownSimulator,
    TargetNotAllowed,
    TooManyConnects,
    SessionNotFound,
    SessionBeingRecorded
  ],
  run: (request) =>
    Effect.gen(function* () {
      const connected = yield* (yield* Simulators).connect(request)
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
