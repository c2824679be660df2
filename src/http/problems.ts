/**
 * Every error that a request can end with: its status and its sentence. The only place that knows both.
 *
 * An entry is a schema that an endpoint declares with `addError`, so that its type and the OpenAPI description
 * show it; the answer itself is made by detail.ts, for all alike. The server never decodes one.
 */
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import { ParseResult, Schema } from "effect"
import * as Errors from "../domain/errors.ts"
import * as Accept from "./accept.ts"
import * as Access from "./Access.ts"
import * as Bodies from "./bodies.ts"
import { abridged, shown } from "../domain/expecting.ts"
import { formatDateTime } from "../domain/Time.ts"
import { addressOf, strangersOf } from "./sentences.ts"

export const ErrorBody = Schema.Struct({
  detail: Schema.String.annotations({ description: "What failed, in one sentence" })
}).annotations({ identifier: "ErrorBody" })

export type AnswerHeaders = Readonly<Record<string, string>>

export interface Answer {
  readonly status: number
  readonly detail: string
  readonly headers: AnswerHeaders
}

const answers = new Map<unknown, (error: never) => Answer>()

/** Status, sentence and headers of an error listed below; undefined for anything else. */
export const answerTo = (error: unknown): Answer | undefined =>
  error instanceof Error ? answers.get(error.constructor)?.(error as never) : undefined

/** `SessionNotFound` as `Session not found`. */
const inWords = (name: string) =>
  name.charAt(0) + name.slice(1).replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

const problem = <E>(
  error: abstract new (...args: Array<never>) => E,
  status: number,
  sentence: (error: E) => string,
  headers: (error: E) => AnswerHeaders = () => ({})
): Schema.Schema<E, typeof ErrorBody.Encoded> => {
  answers.set(error, (value: E) => ({ status, detail: sentence(value), headers: headers(value) }))
  return Schema.transformOrFail(
    ErrorBody,
    Schema.declare((value): value is E => value instanceof error),
    {
      strict: true,
      encode: (_to, _options, _ast, value) => ParseResult.succeed({ detail: sentence(value) }),
      decode: (body, _options, ast) =>
        ParseResult.fail(new ParseResult.Forbidden(ast, body, "errors are only encoded"))
    }
  ).annotations(HttpApiSchema.annotations({ status, description: inWords(error.name) }))
}

export const SessionNotFound = problem(
  Errors.SessionNotFound,
  404,
  ({ sessionId }) => `Session ${abridged(String(sessionId))} was not found`
)

export const DriverNotFound = problem(
  Errors.DriverNotFound,
  404,
  ({ driver }) => `Driver ${shown(driver)} was not found`
)

export const CircuitNotFound = problem(
  Errors.CircuitNotFound,
  404,
  ({ circuit }) => `Circuit ${shown(circuit)} was not found`
)

export const LapNotFound = problem(
  Errors.LapNotFound,
  404,
  ({ lapId }) => `Lap ${abridged(String(lapId))} was not found`
)

export const SessionBeingRecorded = problem(
  Errors.SessionBeingRecorded,
  409,
  ({ sessionId }) => `Session ${sessionId} is being recorded; disconnect its simulator first`
)

export const AlreadyConnected = problem(
  Errors.AlreadyConnected,
  409,
  ({ address }) => `${addressOf(address)} is already connected with other settings; disconnect it first`
)

export const ConnectInterrupted = problem(
  Errors.ConnectInterrupted,
  409,
  ({ address }) => `The connection to ${addressOf(address)} was ended before it was established`
)

export const SimulatorRefused = problem(
  Errors.SimulatorRefused,
  502,
  ({ address, reason }) => `The simulator at ${addressOf(address)} refused the connection: ${reason}`
)

export const NotASimulator = problem(
  Errors.NotASimulator,
  502,
  ({ address, simulator, reason }) =>
    `What answers at ${addressOf(address)} does not speak the ${simulator} protocol: ${reason}`
)

export const SimulatorSilent = problem(
  Errors.SimulatorSilent,
  504,
  ({ address, chosenByPort, heard, seconds }) =>
    `The simulator at ${addressOf(address)} did not answer within ${seconds} s` +
    (heard === undefined ? "" : strangersOf(heard)) +
    (chosenByPort === undefined
      ? ""
      : `. The request names no simulator, so port ${address.port} means ${chosenByPort}; ` +
        'to connect to another, name it in "simulator"')
)

export const UnknownSimulator = problem(
  Errors.UnknownSimulator,
  422,
  ({ simulator, known }) => `simulator must be one of ${known.join(", ")}, got ${shown(simulator)}`
)

const kinds: Readonly<Record<Errors.ForbiddenKind, string>> = {
  "link-local": "a simulator's, not a link-local address",
  metadata: "a simulator's, not the address of a cloud's metadata",
  multicast: "a simulator's, not a multicast address",
  broadcast: "a simulator's, not a broadcast address",
  unspecified: "a simulator's, not an unspecified address",
  unlisted: "one of those that the service may connect to (--simulator-hosts)"
}

export const TargetNotAllowed = problem(
  Errors.TargetNotAllowed,
  422,
  ({ address, kind }) => `host must be ${kinds[kind]}, got ${shown(address.host)}`
)

export const TooManyConnects = problem(
  Errors.TooManyConnects,
  429,
  ({ limit, seconds }) =>
    `${limit} connections were asked for within a minute, which are the most; try again in ${seconds} s`,
  ({ seconds }) => ({ "retry-after": String(seconds) })
)

export const InvalidValue = problem(
  Errors.InvalidValue,
  422,
  ({ name, value, expected }) => `${name} must be ${expected}, got ${shown(value)}`
)

export const UpgradeRequired = problem(
  Errors.UpgradeRequired,
  426,
  () => "This path is a WebSocket: connect to it with a WebSocket client",
  ({ protocol, version }) => ({
    upgrade: protocol,
    connection: "Upgrade",
    "sec-websocket-version": String(version)
  })
)

/** How long a client is asked to wait before it tries again what a store could not do, seconds. */
export const RETRY_LATER: AnswerHeaders = { "retry-after": "5" }

export const StoreUnavailable = problem(
  Errors.StoreUnavailable,
  503,
  ({ store }) => `The ${store} store cannot be reached; try again soon`,
  () => RETRY_LATER
)

export const PointsDamaged = problem(
  Errors.PointsDamaged,
  500,
  ({ first, last, sessionId }) =>
    `Points of session ${sessionId} from ${formatDateTime(first)} to ${formatDateTime(last)} are damaged in the store; its others can be read`
)

export const TooManySubscriptions = problem(
  Errors.TooManySubscriptions,
  503,
  ({ limit }) =>
    `${limit} subscriptions are open, which are the most; use the live WebSocket or try again later`,
  () => RETRY_LATER
)

export const StillComputing = problem(
  Errors.StillComputing,
  503,
  ({ question, seconds }) =>
    `The ${question} take longer than ${seconds} s and are still being computed; ask again in some seconds, or analyse fewer laps with compare`,
  () => RETRY_LATER
)

export const ForeignHost = problem(
  Access.ForeignHost,
  403,
  ({ host }) => `The service is not known as ${shown(host)} (--allow-host)`
)

export const ForeignOrigin = problem(
  Access.ForeignOrigin,
  403,
  ({ origin }) => `Pages of ${shown(origin)} may not ask the service (--allow-origin)`
)

export const TokenNeeded = problem(
  Access.TokenNeeded,
  401,
  ({ given }) =>
    given
      ? "The token is not that of the service"
      : "The service needs its token: in the header Authorization: Bearer TOKEN, or as ?token=TOKEN where a browser can send no header",
  ({ given }) => ({ "www-authenticate": given ? 'Bearer error="invalid_token"' : "Bearer" })
)

export const ReadOnly = problem(
  Access.ReadOnly,
  403,
  ({ method }) => `The service only reads, and refuses ${abridged(method)} (--read-only)`
)

export const NotAcceptable = problem(
  Accept.NotAcceptable,
  406,
  ({ accept, offered }) => `Accept must allow ${offered.join(" or ")}, got ${shown(accept)}`,
  () => ({ vary: "Accept" })
)

export const BodyTooLarge = problem(
  Bodies.BodyTooLarge,
  413,
  ({ limit }) => `The request body is larger than ${limit} bytes`
)

export const BodyNotJson = problem(Bodies.BodyNotJson, 422, () => "The request body is not valid JSON")

export const BodyTooDeep = problem(
  Bodies.BodyTooDeep,
  422,
  ({ limit }) => `The request body is nested deeper than ${limit} levels`
)
