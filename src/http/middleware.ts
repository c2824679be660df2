/** What is done to every request of the service, whichever route it goes to. */
import {
  FileSystem,
  Headers,
  HttpApi,
  type HttpApp,
  HttpIncomingMessage,
  HttpMethod,
  HttpServerRequest,
  HttpServerResponse
} from "@effect/platform"
import { FindMyWay } from "@effect/platform/HttpLayerRouter"
import { Clock, Effect, Option } from "effect"
import { randomUUID } from "node:crypto"
import { Api } from "./Api.ts"
import { detail } from "./detail.ts"
import { MAX_BODY_BYTES } from "./limits.ts"
import { RETRY_AFTER } from "./problems.ts"
import { routerConfig } from "./routerConfig.ts"

/** A body larger than allowed is refused by its announced length, or when it turns out to be. */
export const limitBody = (app: HttpApp.Default): HttpApp.Default =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
    Number(request.headers["content-length"] ?? 0) > MAX_BODY_BYTES
      ? Effect.succeed(tooLarge())
      : HttpIncomingMessage.withMaxBodySize(app, Option.some(FileSystem.Size(MAX_BODY_BYTES)))
  )

const tooLarge = () =>
  detail(413, `The request body is larger than ${MAX_BODY_BYTES} bytes`, { connection: "close" })

/**
 * Every body is taken for JSON, whatever it calls itself: `curl -d` says it sends a form, and a form that
 * really is one is told that it is no JSON.
 */
export const readBodiesAsJson = (app: HttpApp.Default): HttpApp.Default =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
    if (!HttpMethod.hasBody(request.method)) return app
    const headers = Headers.set(request.headers, "content-type", "application/json")
    return Effect.provideService(app, HttpServerRequest.HttpServerRequest, request.modify({ headers }))
  })

/** An id of the request in its log lines and in `X-Request-Id`; how long a client should wait after a 503. */
export const identify = (app: HttpApp.Default): HttpApp.Default =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const id = randomUUID()
    const started = yield* Clock.currentTimeMillis
    const response = yield* Effect.annotateLogs(app, "request", id)
    const millis = (yield* Clock.currentTimeMillis) - started
    yield* Effect.logDebug(`${request.method} ${request.url} ${response.status} ${millis} ms`)
    const identified = HttpServerResponse.setHeader(response, "x-request-id", id)
    return response.status === 503
      ? HttpServerResponse.setHeader(identified, "retry-after", String(RETRY_AFTER))
      : identified
  })

/** The methods that have a route at a path; HEAD wherever GET is. */
export const allowedMethods: (path: string) => ReadonlyArray<string> = (() => {
  const router = FindMyWay.make<true>(routerConfig)
  const methods = new Set<HttpMethod.HttpMethod>()
  HttpApi.reflect(Api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint }) => {
      methods.add(endpoint.method)
      router.on(endpoint.method, endpoint.path, true)
    }
  })
  return (path) =>
    [...methods]
      .filter((method) => router.find(method, path) !== undefined)
      .flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]))
})()
