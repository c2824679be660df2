/** Gives every request an id, in its log lines and in `X-Request-Id`, and every answer the headers that all have. */
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Clock, Effect, FiberRef, HashMap, LogLevel } from "effect"
import { randomUUID } from "node:crypto"
import { Access } from "./Access.ts"
import type { App, Middleware } from "./App.ts"
import { forOrigin, type Headers } from "./guard/cors.ts"
import { headOf } from "./guard/guardUpgrades.ts"
import { securityHeaders } from "./guard/securityHeaders.ts"
import { OpenAnswersHere } from "./OpenAnswers.ts"
import { send } from "./send.ts"
import { withRequest } from "./withRequest.ts"

const timed = (request: HttpServerRequest.HttpServerRequest, app: App): App =>
  Effect.gen(function* () {
    const started = yield* Clock.currentTimeMillis
    const response = yield* app
    const millis = (yield* Clock.currentTimeMillis) - started
    yield* Effect.logDebug(`${request.method} ${request.url} ${response.status} ${millis} ms`)
    return response
  })

/**
 * The connection of an upgrade closes after the answer (guardUpgrades.ts). This header tells the client not to send its
 * next request over that connection.
 */
const closing = (request: HttpServerRequest.HttpServerRequest, { connection }: Headers) =>
  headOf(NodeHttpServerRequest.toIncomingMessage(request)) === undefined
    ? {}
    : { connection: connection === undefined ? "close" : `${connection}, close` }

/** The wanted headers that an answer does not have. */
const missing = (wanted: Headers, has: Headers): Headers => {
  for (const name in wanted) {
    if (has[name] === undefined) continue
    return Object.fromEntries(Object.entries(wanted).filter(([one]) => has[one] === undefined))
  }
  return wanted
}

/** A route may replace the security headers by its own. */
export const identify = Effect.map(
  Effect.all([Access, OpenAnswersHere]),
  ([rules, answers]): Middleware =>
    (app) =>
      withRequest((request, fiber) => {
        const id = randomUUID()
        const logsEach = LogLevel.lessThanEqual(
          fiber.getFiberRef(FiberRef.currentMinimumLogLevel),
          LogLevel.Debug
        )
        // A request has a fiber of its own, so nothing needs to be restored afterwards.
        return FiberRef.update(
          FiberRef.currentLogAnnotations,
          HashMap.set<string, unknown>("request", id)
        ).pipe(
          Effect.zipRight(logsEach ? timed(request, app) : app),
          Effect.map((response) =>
            send(
              request,
              response,
              {
                ...response.headers,
                ...missing(securityHeaders, response.headers),
                ...forOrigin(rules, request.headers["origin"], response.headers),
                ...closing(request, response.headers),
                "x-request-id": id
              },
              answers
            )
          )
        )
      })
)
