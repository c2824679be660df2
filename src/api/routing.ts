/**
 * Finds the route of a request, whichever interface offers it. If the request's `Accept` allows none of the route's
 * types, it refuses the request before anything is done. Errors are JSON for every client.
 *
 * The platform's HttpRouter looks a path up in the same way. It would also give each request a context of its own.
 */
import { FindMyWay } from "@effect/platform/HttpLayerRouter"
import * as HttpServerError from "@effect/platform/HttpServerError"
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import { Context, Effect, type Fiber, Option, Tracer } from "effect"
import { NotAcceptable, preferred } from "./accept.ts"
import type { App } from "./App.ts"
import { withRequest } from "./withRequest.ts"

/** A route's view of a request: the parameters of the path and the query as text, and the request itself. */
export interface Asked {
  readonly path: Readonly<Record<string, string | undefined>>
  readonly query: Readonly<Record<string, string | ReadonlyArray<string>>>
  readonly request: HttpServerRequest.HttpServerRequest
}

/** The methods, in the order in which `Allow` names them. */
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const

export interface ServerRoute {
  readonly method: (typeof METHODS)[number]
  readonly path: `/${string}`
  /**
   * The types of the route's answers. The first is for clients that state no preference. Undefined if there is none (a
   * WebSocket), or if the route itself checks.
   */
  readonly offers?: readonly [string, ...ReadonlyArray<string>] | undefined
  readonly handler: (asked: Asked) => App
}

/**
 * Paths are taken literally: case and slashes count. A driver's name in a path may have 200 characters, each encoded in
 * up to 12.
 */
const config = {
  caseSensitive: true,
  ignoreTrailingSlash: false,
  ignoreDuplicateSlashes: false,
  maxParamLength: 2400
}

/** No path of the service ends in a slash. The router would take the empty text after one as a parameter. */
const endsInSlash = (path: string) => path.length > 1 && path.endsWith("/")

/** Encodes semicolons, because the router would take one as the end of the path. */
const literally = (url: string) => {
  const [path = "", ...query] = url.split("?")
  return path.includes(";") ? [path.replaceAll(";", "%3B"), ...query].join("?") : url
}

/** Names the route of a request in its trace. */
const nameRoute = (path: string, fiber: Fiber.RuntimeFiber<unknown, unknown>) => {
  const span = Option.getOrUndefined(Context.getOption(fiber.currentContext, Tracer.ParentSpan))
  if (span?._tag === "Span") span.attribute("http.route", path)
}

export const routing = (routes: ReadonlyArray<ServerRoute>) => {
  const paths = FindMyWay.make<ServerRoute>(config)
  for (const route of routes) paths.on(route.method, route.path, route)

  /** Answers the current request by its route; fails with RouteNotFound if there is none. */
  const app: App = withRequest((request, fiber) => {
    const { headers, method } = request
    const url = literally(request.url)
    const found = endsInSlash(url.split("?")[0]!)
      ? undefined
      : (paths.find(method, url) ?? (method === "HEAD" ? paths.find("GET", url) : undefined))
    if (found === undefined) return Effect.fail(new HttpServerError.RouteNotFound({ request }))
    const { handler, offers, path } = found.handler
    nameRoute(path, fiber)
    const { accept } = headers
    if (accept !== undefined && offers !== undefined && preferred(accept, offers) === undefined)
      return Effect.fail(new NotAcceptable({ accept, offered: offers }))
    // The platform runs the middleware around a route uninterruptibly.
    return Effect.interruptible(handler({ path: found.params, query: found.searchParams, request }))
  })

  /** The methods that have a route at a path. HEAD is among them if GET is. */
  const allowed = (path: string): ReadonlyArray<string> =>
    (endsInSlash(path) ? [] : METHODS)
      .filter((method) => paths.find(method, path) !== undefined)
      .flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]))

  return { app, allowed }
}
