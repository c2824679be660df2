/**
 * Whatever ends a request, from whatever layer, leaves as `{"detail": sentence}` with its status: errors that
 * no endpoint declares (a request that fits no schema, no route, a broken body) and defects.
 */
import * as HttpApiError from "@effect/platform/HttpApiError"
import type * as HttpApp from "@effect/platform/HttpApp"
import * as HttpServerError from "@effect/platform/HttpServerError"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { Cause, Effect } from "effect"
import { type Answer, type AnswerHeaders, answerTo } from "./problems.ts"
import { abridged } from "../domain/expecting.ts"
import { sentenceOf } from "./sentences.ts"

/** The answer that says what failed. */
export const detail = (status: number, sentence: string, headers: AnswerHeaders = {}) =>
  HttpServerResponse.unsafeJson({ detail: sentence }, { status, headers })

/** The answer to what nobody foresaw. */
export const internalError: Answer = { status: 500, detail: "Internal error", headers: {} }

/** The answer to what ended an Effect of the inside: a listed error, or else a defect, which is logged. */
export const answerToCause = (cause: Cause.Cause<unknown>): Effect.Effect<Answer> => {
  const answer = answerTo(Cause.squash(cause))
  return answer === undefined
    ? Effect.as(Effect.logError("A request failed", cause), internalError)
    : Effect.succeed(answer)
}

const causeToResponse = (
  cause: Cause.Cause<unknown>,
  allowed: (path: string) => ReadonlyArray<string>
): Effect.Effect<HttpServerResponse.HttpServerResponse, unknown> => {
  if (Cause.isInterruptedOnly(cause)) return Effect.failCause(cause)
  const error = Cause.squash(cause)
  if (error instanceof HttpApiError.HttpApiDecodeError) {
    return Effect.succeed(detail(422, sentenceOf(error.issues)))
  }
  if (error instanceof HttpServerError.RouteNotFound) {
    const { method, originalUrl } = error.request
    const path = originalUrl.split("?")[0]!
    const methods = allowed(path)
    return Effect.succeed(
      methods.length === 0
        ? detail(404, `There is nothing at ${abridged(path)}`)
        : detail(405, `${method} is not allowed at ${abridged(path)}`, { allow: methods.join(", ") })
    )
  }
  return Effect.map(answerToCause(cause), (answer) => detail(answer.status, answer.detail, answer.headers))
}

/** `allowed`: the methods that have a route at a path. */
export const withDetails =
  (allowed: (path: string) => ReadonlyArray<string>) =>
  (app: HttpApp.Default): HttpApp.Default =>
    // The router's own error type names only some of what comes through here; the answer is the same for all.
    Effect.catchAllCause(app, (cause) => causeToResponse(cause, allowed)) as HttpApp.Default
