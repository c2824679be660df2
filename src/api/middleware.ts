/** Middleware that every request of the service passes, whichever route it goes to. */
import type * as HttpApp from "@effect/platform/HttpApp"
import type * as HttpMethod from "@effect/platform/HttpMethod"
import type * as HttpRouter from "@effect/platform/HttpRouter"
import * as HttpServerError from "@effect/platform/HttpServerError"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import { FindMyWay } from "@effect/platform/HttpLayerRouter"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Clock, Effect, FiberRef, HashMap, LogLevel } from "effect"
import { randomUUID } from "node:crypto"
import { Access } from "./Access.ts"
import { forOrigin, type Headers } from "./guard/cors.ts"
import { detail } from "./detail.ts"
import { headOf } from "./guard/guardUpgrades.ts"
import { OpenAnswersHere } from "./OpenAnswers.ts"
import { routerConfig } from "./rest/routerConfig.ts"
import { securityHeaders } from "./guard/securityHeaders.ts"
import { send } from "./rest/send.ts"
import { withRequest } from "./withRequest.ts"

/** RFC 9112, 3.2: a request of HTTP/1.1 names its host. Node would refuse it too, but not in our form. */
export const requireHost = (app: HttpApp.Default): HttpApp.Default =>
  withRequest((request) =>
    request.headers["host"] === undefined &&
    NodeHttpServerRequest.toIncomingMessage(request).httpVersion === "1.1"
      ? Effect.succeed(detail(400, "The Host header is missing"))
      : app
  )

/** No path of the service ends in a slash. The router would take the empty text after one as a parameter. */
const endsInSlash = (path: string) => path.length > 1 && path.endsWith("/")

/** Keeps the router from reading a path otherwise than literally: to the router a semicolon, too, would end it. */
export const takePathsLiterally = (app: HttpApp.Default): HttpApp.Default =>
  withRequest((request) => {
    const [path = "", ...query] = request.url.split("?")
    if (endsInSlash(path)) return Effect.die(new HttpServerError.RouteNotFound({ request }))
    if (!path.includes(";")) return app
    const url = [path.replaceAll(";", "%3B"), ...query].join("?")
    return Effect.provideService(app, HttpServerRequest.HttpServerRequest, request.modify({ url }))
  })

const timed = (request: HttpServerRequest.HttpServerRequest, app: HttpApp.Default): HttpApp.Default =>
  Effect.gen(function* () {
    const started = yield* Clock.currentTimeMillis
    const response = yield* app
    const millis = (yield* Clock.currentTimeMillis) - started
    yield* Effect.logDebug(`${request.method} ${request.url} ${response.status} ${millis} ms`)
    return response
  })

/**
 * The connection of an upgrade closes after the answer (guardUpgrades.ts): this tells the client not to send its next
 * request over it.
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

/**
 * Gives every request an id, in its log lines and in `X-Request-Id`. Adds the CORS headers and the security headers to
 * every answer, unless a route has set its own.
 */
export const identify = Effect.map(
  Effect.all([Access, OpenAnswersHere]),
  ([rules, answers]) =>
    (app: HttpApp.Default): HttpApp.Default =>
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

/** In the order in which `Allow` names them. */
const METHODS: ReadonlyArray<HttpMethod.HttpMethod> = ["GET", "POST", "PUT", "DELETE"]

/** The methods that have a route of `router` at a path; HEAD wherever GET is. */
export const allowedBy = (router: HttpRouter.HttpRouter<unknown, unknown>) => {
  const paths = FindMyWay.make<true>(routerConfig)
  for (const { method, path } of router.routes) if (method !== "*") paths.on(method, path, true)
  return (path: string): ReadonlyArray<string> =>
    (endsInSlash(path) ? [] : METHODS)
      .filter((method) => paths.find(method, path) !== undefined)
      .flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]))
}
