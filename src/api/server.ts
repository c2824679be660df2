/**
 * The HTTP server, above REST and tRPC: these two, the API's description, the pages, metrics, and the middleware for every
 * request.
 */
import { createServer, type Server } from "node:http"
import * as HttpServer from "@effect/platform/HttpServer"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Context, Effect, Layer } from "effect"
import { BasePath } from "./guard/BasePath.ts"
import { serverOptions } from "./guard/rejections.ts"
import { middleware, prepared } from "./middleware.ts"
import * as Pages from "./pages/pages.ts"
import { metrics } from "./rest/metrics.ts"
import { description } from "./rest/openApi.ts"
import { allRoutes } from "./rest/routes/index.ts"
import { routing } from "./routing.ts"
import * as Trpc from "./trpc/route.ts"
import { urlOf } from "./urlOf.ts"

/** How long unfinished answers may still take after the service was asked to stop. */
const DRAIN_MS = 2000

/** Limits the wait of Node's `close`, which otherwise waits for downloads without limit. */
const drainWithin = (millis: number, server: Server): Server => {
  const close = server.close.bind(server)
  server.close = (done) => {
    const timer = setTimeout(() => server.closeAllConnections(), millis)
    return close((error) => {
      clearTimeout(timer)
      done?.(error)
    })
  }
  return server
}

/** The server that `listening` bound to the port. */
export class BoundServer extends Context.Tag("server/BoundServer")<BoundServer, Server>() {}

/** Binds the port; requests wait for `layer`. `base`: the path below which a proxy has the service. */
export const listening = (host: string, port: number, base = "/") =>
  Layer.unwrapEffect(
    Effect.sync(() => {
      const server = drainWithin(DRAIN_MS, prepared(createServer(serverOptions), base))
      return Layer.mergeAll(
        NodeHttpServer.layer(() => server, { host, port }),
        Layer.succeed(BoundServer, server),
        Layer.succeed(BasePath, base)
      )
    })
  )

/** Ends the answers under way and releases the port when its scope ends, if that is before the end of `listening`. */
export const closing = Layer.scopedDiscard(
  Effect.flatMap(BoundServer, (server) =>
    Effect.addFinalizer(() => Effect.async<void>((resume) => void server.close(() => resume(Effect.void))))
  )
)

const served = Effect.gen(function* () {
  const { allowed, app } = routing([
    ...allRoutes.flatMap(({ routes }) => Object.values(routes)),
    ...(yield* Pages.routes),
    ...(yield* Trpc.routes),
    metrics,
    yield* description
  ])
  return (yield* middleware(allowed)).reduceRight((wrapped, wrap) => wrap(wrapped), app)
})

/** Serves as long as the layer lives. */
export const layer = Layer.unwrapScoped(Effect.map(served, (app) => HttpServer.serve(app)))

/** `http://HOST:PORT`, as bound. */
export const address = Effect.map(HttpServer.HttpServer, ({ address }) =>
  address._tag === "TcpAddress" ? urlOf(address.hostname, address.port) : address.path
)
