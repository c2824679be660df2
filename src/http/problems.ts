/**
 * Every error that a request can end with: its status and its sentence. The only place that knows both.
 *
 * An entry is a schema that an endpoint declares with `addError`, so that its type and the OpenAPI description
 * show it; the answer itself is made by detail.ts, for all alike. The server never decodes one.
 */
import { HttpApiSchema } from "@effect/platform"
import { ParseResult, Schema } from "effect"
import * as Errors from "../domain/errors.ts"

export const ErrorBody = Schema.Struct({
  detail: Schema.String.annotations({ description: "What failed, in one sentence" })
}).annotations({ identifier: "ErrorBody" })

interface Answer {
  readonly status: number
  readonly detail: string
}

const answers = new Map<unknown, (error: never) => Answer>()

/** Status and sentence of a domain error; undefined for anything else. */
export const answerTo = (error: unknown): Answer | undefined =>
  error instanceof Error ? answers.get(error.constructor)?.(error as never) : undefined

const problem = <E>(
  error: abstract new (...args: Array<never>) => E,
  status: number,
  sentence: (error: E) => string
): Schema.Schema<E, typeof ErrorBody.Encoded> => {
  answers.set(error, (value: E) => ({ status, detail: sentence(value) }))
  return Schema.transformOrFail(
    ErrorBody,
    Schema.declare((value): value is E => value instanceof error),
    {
      strict: true,
      encode: (_to, _options, _ast, value) => ParseResult.succeed({ detail: sentence(value) }),
      decode: (body, _options, ast) =>
        ParseResult.fail(new ParseResult.Forbidden(ast, body, "errors are only encoded"))
    }
  ).annotations(HttpApiSchema.annotations({ status, description: error.name }))
}

const at = ({ host, port }: Errors.Address) => `${host}:${port}`

export const SessionNotFound = problem(
  Errors.SessionNotFound,
  404,
  ({ sessionId }) => `Session ${sessionId} was not found`
)

export const LapNotFound = problem(Errors.LapNotFound, 404, ({ lapId }) => `Lap ${lapId} was not found`)

export const SessionBeingRecorded = problem(
  Errors.SessionBeingRecorded,
  409,
  ({ sessionId }) => `Session ${sessionId} is being recorded; disconnect its simulator first`
)

export const AlreadyConnected = problem(
  Errors.AlreadyConnected,
  409,
  ({ address }) => `${at(address)} is already connected with other settings; disconnect it first`
)

export const ConnectInterrupted = problem(
  Errors.ConnectInterrupted,
  409,
  ({ address }) => `The connection to ${at(address)} was ended before it was established`
)

export const SimulatorRefused = problem(
  Errors.SimulatorRefused,
  502,
  ({ address, reason }) => `The simulator at ${at(address)} refused the connection: ${reason}`
)

export const NotASimulator = problem(
  Errors.NotASimulator,
  502,
  ({ address, simulator, reason }) =>
    `What answers at ${at(address)} does not speak the ${simulator} protocol: ${reason}`
)

export const SimulatorSilent = problem(
  Errors.SimulatorSilent,
  504,
  ({ address, seconds }) => `The simulator at ${at(address)} did not answer within ${seconds} s`
)

export const UnknownSimulator = problem(
  Errors.UnknownSimulator,
  422,
  ({ simulator, known }) => `simulator must be one of ${known.join(", ")}, got ${JSON.stringify(simulator)}`
)

export const InvalidValue = problem(
  Errors.InvalidValue,
  422,
  ({ name, value, expected }) => `${name} must be ${expected}, got ${JSON.stringify(value)}`
)

export const UpgradeRequired = problem(
  Errors.UpgradeRequired,
  426,
  () => "This path is a WebSocket: connect to it with a WebSocket client"
)

export const StoreUnavailable = problem(
  Errors.StoreUnavailable,
  503,
  ({ store }) => `The ${store} store cannot be reached; try again soon`
)

/** Seconds that a client is asked to wait before it tries a 503 again. */
export const RETRY_AFTER = 5
