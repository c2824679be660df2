/**
 * Whatever ends a request, from whatever layer, leaves as `{"detail": sentence}` with its status: errors that
 * no endpoint declares (a request that fits no schema, no route, a broken body) and defects.
 */
import { HttpApiError, type HttpApp, HttpServerError, HttpServerResponse } from "@effect/platform"
import { Cause, Effect } from "effect"
import { MAX_BODY_BYTES } from "./limits.ts"
import { answerTo } from "./problems.ts"

/** The answer that says what failed. */
export const detail = (status: number, sentence: string, headers: Readonly<Record<string, string>> = {}) =>
  HttpServerResponse.unsafeJson({ detail: sentence }, { status, headers })

type Issue = HttpApiError.HttpApiDecodeError["issues"][number]

/** `limit must be …, got 0`: our schemas' messages are the sentence's end; Effect's own are brought to that form. */
const sentenceOf = ({ path, message }: Issue): string => {
  const name = path.length === 0 ? "The request" : path.map(String).join(".")
  const text = message.replace(/\s+/g, " ").trim()
  const expected = /^Expected (.+), actual (.+)$/.exec(text)
  if (text === "is missing") return `${name} is missing`
  if (expected !== null) return `${name} must be ${expected[1]}, got ${expected[2]}`
  return `${name} ${text}`
}

const tooLarge = detail(413, `The request body is larger than ${MAX_BODY_BYTES} bytes`, {
  connection: "close"
})

const isTooLarge = (error: HttpServerError.RequestError) =>
  /maximum size|too large|limit/i.test(String(error.cause))

const causeToResponse = (
  cause: Cause.Cause<unknown>,
  allowed: (path: string) => ReadonlyArray<string>
): Effect.Effect<HttpServerResponse.HttpServerResponse, unknown> => {
  if (Cause.isInterruptedOnly(cause)) return Effect.failCause(cause)
  const error = Cause.squash(cause)
  const answer = answerTo(error)
  if (answer !== undefined) return Effect.succeed(detail(answer.status, answer.detail))
  if (error instanceof HttpApiError.HttpApiDecodeError) {
    return Effect.succeed(detail(422, error.issues.map(sentenceOf).join("; ")))
  }
  if (error instanceof HttpServerError.RouteNotFound) {
    const { method, url } = error.request
    const path = url.split("?")[0]!
    const methods = allowed(path)
    return Effect.succeed(
      methods.length === 0
        ? detail(404, `There is nothing at ${path}`)
        : detail(405, `${method} is not allowed at ${path}`, { allow: methods.join(", ") })
    )
  }
  if (error instanceof HttpServerError.RequestError) {
    return Effect.succeed(isTooLarge(error) ? tooLarge : detail(422, "The request body is not valid JSON"))
  }
  return Effect.as(Effect.logError("A request failed", cause), detail(500, "Internal error"))
}

/** `allowed`: the methods that have a route at a path. */
export const withDetails =
  (allowed: (path: string) => ReadonlyArray<string>) =>
  (app: HttpApp.Default): HttpApp.Default =>
    // The router's own error type names only some of what comes through here; the answer is the same for all.
    Effect.catchAllCause(app, (cause) => causeToResponse(cause, allowed)) as HttpApp.Default
