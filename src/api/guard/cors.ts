/**
 * Cross-origin requests. Every origin may request everything (interface, section 5) unless `--allow-origin` lists the
 * allowed ones. No credentials are sent. The platform's middleware would make the same headers anew for each answer,
 * through a hook of the fiber.
 */
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { Effect } from "effect"
import { type AccessRules, mayRead } from "../Access.ts"
import type { Middleware } from "../App.ts"
import { withRequest } from "../withRequest.ts"

export type Headers = Readonly<Record<string, string>>

/** Headers of every answer. They are the same for any origin, so that no Vary is needed. */
const forEveryOrigin: Headers = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "Location,Content-Disposition,X-Request-Id,Retry-After,Upload-Offset"
}

/** The headers to add to an answer with these headers, for a page of this origin. */
export const forOrigin = (rules: AccessRules, origin: string | undefined, { vary }: Headers): Headers => {
  if (rules.origins === "*") return forEveryOrigin
  return {
    ...(mayRead(rules, origin) ? { ...forEveryOrigin, "access-control-allow-origin": origin! } : {}),
    // A page of another origin may not embed it either.
    "cross-origin-resource-policy": "same-origin",
    vary: vary === undefined ? "Origin" : `${vary}, Origin`
  }
}

const PREFLIGHT = {
  "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS",
  "access-control-max-age": "86400"
}

/** Answers the preflight that a browser sends before a request to another origin. */
export const answerPreflights: Middleware = (app) =>
  withRequest(({ headers, method }) => {
    if (method !== "OPTIONS") return app
    const wanted = headers["access-control-request-headers"]
    const allowed =
      wanted === undefined
        ? {}
        : { vary: "Access-Control-Request-Headers", "access-control-allow-headers": wanted }
    return Effect.succeed(HttpServerResponse.empty({ status: 204, headers: { ...PREFLIGHT, ...allowed } }))
  })
