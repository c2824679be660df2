/**
 * Every failed request, whichever layer it failed in, is answered by `{"detail": sentence}` and a status. This includes
 * errors that no route declares (a request that fits no schema, no route, a broken body) and defects. There is one
 * exception: a browser that asks for a page that does not exist gets a page.
 */
import * as HttpServerError from "@effect/platform/HttpServerError"
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { Cause, Effect } from "effect"
import { namesHtml } from "./accept.ts"
import type { Middleware } from "./App.ts"
import { abridged } from "../domain/messages.ts"
import { problemOfCause } from "../operations/problems.ts"
import { type HttpAnswer, type AnswerHeaders, answerOf, answerTo } from "./problems.ts"

/** The answer that states what failed. */
export const detail = (status: number, sentence: string, headers: AnswerHeaders = {}) =>
  HttpServerResponse.unsafeJson({ detail: sentence }, { status, headers })

/** The answer to the failure of a route: a listed error, or else a defect, which is logged. */
const answerToCause = (cause: Cause.Cause<unknown>): Effect.Effect<HttpAnswer> => {
  const known = answerTo(Cause.squash(cause))
  return known === undefined ? Effect.map(problemOfCause(cause), answerOf) : Effect.succeed(known)
}

/** Whether programs use the path. A browser requests such a path only on behalf of a program. */
const isForPrograms = (path: string) => /^\/(?:(?:api|trpc)(?:\/|$)|(?:openapi\.json|metrics)$)/.test(path)

/** The parts of the server that `withDetails` needs. */
interface Surroundings {
  /** The methods that have a route at a path. */
  readonly allowed: (path: string) => ReadonlyArray<string>
  /** The page that a browser gets if nothing was found; undefined if there are no pages. */
  readonly notFound: HttpServerResponse.HttpServerResponse | undefined
}

const nothingAt = (
  { headers, method, originalUrl }: HttpServerRequest.HttpServerRequest,
  { allowed, notFound }: Surroundings
): HttpServerResponse.HttpServerResponse => {
  const path = originalUrl.split("?")[0]!
  const methods = allowed(path)
  if (methods.length > 0) {
    return detail(405, `${method} is not allowed at ${abridged(path)}`, { allow: methods.join(", ") })
  }
  const sentence = `There is nothing at ${abridged(path)}`
  if (isForPrograms(path) || notFound === undefined) return detail(404, sentence)
  const answer = namesHtml(headers["accept"]) ? notFound : detail(404, sentence)
  return HttpServerResponse.setHeader(answer, "vary", "Accept")
}

const causeToResponse = (
  cause: Cause.Cause<unknown>,
  surroundings: Surroundings
): Effect.Effect<HttpServerResponse.HttpServerResponse, unknown> => {
  if (Cause.isInterruptedOnly(cause)) return Effect.failCause(cause)
  const error = Cause.squash(cause)
  if (error instanceof HttpServerError.RouteNotFound) {
    return Effect.succeed(nothingAt(error.request, surroundings))
  }
  return Effect.map(answerToCause(cause), (answer) => detail(answer.status, answer.detail, answer.headers))
}

export const withDetails =
  (surroundings: Surroundings): Middleware =>
  (app) =>
    Effect.catchAllCause(app, (cause) => causeToResponse(cause, surroundings))
