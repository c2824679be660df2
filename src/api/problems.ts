/**
 * The status of every error that a request can end with. For errors of operations, operations/problems.ts has the kind
 * and the sentence; errors that only HTTP knows have their sentence here.
 */
import { Data, Schema } from "effect"
import { UploadElsewhere } from "../domain/errors.ts"
import { abridged, shown } from "../domain/messages.ts"
import {
  type ErrorClass,
  kindOf,
  type Problem,
  type ProblemKind,
  problemOf,
  RETRY_STORE_SECONDS
} from "../operations/problems.ts"
import * as Accept from "./accept.ts"
import * as Access from "./Access.ts"
import { UpgradeRequired } from "./live/handshake.ts"

/** The body of every failed request. */
export const ErrorBody = Schema.Struct({
  detail: Schema.String.annotations({ description: "The failure, in one sentence" })
}).annotations({ identifier: "ErrorBody" })

/** A part of the request does not fit its schema; the sentence says which, and why. */
export class RequestMisfit extends Data.TaggedError("RequestMisfit")<{ readonly sentence: string }> {}

/** How many bytes of a file are here. */
export const UPLOAD_OFFSET = "upload-offset"

export type AnswerHeaders = Readonly<Record<string, string>>

export interface HttpAnswer {
  readonly status: number
  readonly detail: string
  readonly headers: AnswerHeaders
}

/** Contract, section 2. */
const statuses: Readonly<Record<ProblemKind, number>> = {
  notFound: 404,
  conflict: 409,
  tooLarge: 413,
  unsupported: 415,
  invalid: 422,
  tooMany: 429,
  damaged: 500,
  defect: 500,
  refused: 502,
  unavailable: 503,
  silent: 504,
  noRoom: 507
}

const retryAfter = (seconds: number): AnswerHeaders => ({ "retry-after": String(seconds) })

/** For answers with an unavailable store. */
export const RETRY_LATER: AnswerHeaders = retryAfter(RETRY_STORE_SECONDS)

export const answerOf = ({ kind, retryAfterSeconds, sentence }: Problem): HttpAnswer => ({
  status: statuses[kind],
  detail: sentence,
  headers: retryAfterSeconds === undefined ? {} : retryAfter(retryAfterSeconds)
})

interface HttpEntry {
  readonly status: number
  readonly answer: (error: unknown) => HttpAnswer | undefined
}

const httpProblem = <E extends Error>(
  error: ErrorClass<E>,
  status: number,
  sentence: (error: E) => string,
  headers: (error: E) => AnswerHeaders = () => ({})
): readonly [unknown, HttpEntry] => [
  error,
  {
    status,
    answer: (value) =>
      value instanceof error ? { status, detail: sentence(value), headers: headers(value) } : undefined
  }
]

const table = new Map<unknown, HttpEntry>([
  httpProblem(RequestMisfit, 422, ({ sentence }) => sentence),
  httpProblem(
    UpgradeRequired,
    426,
    () => "This path is a WebSocket: connect to it with a WebSocket client",
    ({ protocol, version }) => ({
      upgrade: protocol,
      connection: "Upgrade",
      "sec-websocket-version": String(version)
    })
  ),
  httpProblem(
    Access.ForeignHost,
    403,
    ({ host }) => `The host name ${shown(host)} is not allowed (--allow-host)`
  ),
  httpProblem(
    Access.ForeignOrigin,
    403,
    ({ origin }) => `Pages of ${shown(origin)} may not use the service (--allow-origin)`
  ),
  httpProblem(
    Access.TokenNeeded,
    401,
    ({ given }) =>
      given
        ? "The token is wrong"
        : "The service requires its access token: send the header Authorization: Bearer TOKEN, or ?token=TOKEN where a browser cannot send headers",
    ({ given }) => ({ "www-authenticate": given ? 'Bearer error="invalid_token"' : "Bearer" })
  ),
  httpProblem(
    Access.ReadOnly,
    403,
    ({ method }) => `The service is read-only and refuses ${abridged(method)} (--read-only)`
  ),
  httpProblem(
    Accept.NotAcceptable,
    406,
    ({ accept, offered }) =>
      `Accept must allow ${offered.join(", ").replace(/, ([^,]*)$/, " or $1")}, got ${shown(accept)}`,
    () => ({ vary: "Accept" })
  )
])

/** Status, sentence and headers of an error that either table lists; undefined for anything else. */
export const answerTo = (error: unknown): HttpAnswer | undefined => {
  if (!(error instanceof Error)) return undefined
  const known = table.get(error.constructor)
  if (known !== undefined) return known.answer(error)
  const problem = problemOf(error)
  if (problem === undefined) return undefined
  const answer = answerOf(problem)
  return error instanceof UploadElsewhere
    ? { ...answer, headers: { ...answer.headers, [UPLOAD_OFFSET]: String(error.offset) } }
    : answer
}

/** The status of an error. */
export const statusOf = (error: ErrorClass): number => {
  const kind = kindOf(error)
  const status = kind === undefined ? table.get(error)?.status : statuses[kind]
  if (status === undefined) throw new Error(`BUG: ${error.name} has no status`)
  return status
}
