/**
 * Cross-origin requests: every origin may ask for everything (interface, section 5), and no credentials are sent.
 * The platform's middleware makes the same headers anew for each answer, by way of a hook of the fiber.
 */
import type * as HttpApp from "@effect/platform/HttpApp"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { Effect } from "effect"
import { withRequest } from "./withRequest.ts"

/** For each answer. Any origin alike, so that there is no Vary. */
export const forEveryOrigin = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "Location,Content-Disposition,X-Request-Id,Retry-After"
}

const PREFLIGHT = {
  "access-control-allow-methods": "GET, HEAD, POST, PUT, DELETE, OPTIONS",
  "access-control-max-age": "86400"
}

/** Answers what a browser asks before it sends a request to another origin. */
export const answerPreflights = (app: HttpApp.Default): HttpApp.Default =>
  withRequest(({ headers, method }) => {
    if (method !== "OPTIONS") return app
    const wanted = headers["access-control-request-headers"]
    const allowed =
      wanted === undefined
        ? {}
        : { vary: "Access-Control-Request-Headers", "access-control-allow-headers": wanted }
    return Effect.succeed(HttpServerResponse.empty({ status: 204, headers: { ...PREFLIGHT, ...allowed } }))
  })
