/**
 * The HTTP server, above REST and tRPC: these two, the API's description, the pages, metrics, and the middleware for every
 * request.
 */
import { createServer, type Server } from "node:http"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as HttpRouter from "@effect/platform/HttpRouter"
import * as HttpServer from "@effect/platform/HttpServer"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Context, Effect, Layer } from "effect"
import * as Api from "./rest/Api.ts"
import { BasePath } from "./guard/BasePath.ts"
import { readBodies } from "./bodies.ts"
import { compress } from "./rest/compress.ts"
import { answerPreflights } from "./guard/cors.ts"
import * as Description from "./rest/description.ts"
import { withDetails } from "./detail.ts"
import { guard } from "./guard/guard.ts"
import { guardUpgrades } from "./guard/guardUpgrades.ts"
import { holdEarly } from "./guard/holdEarly.ts"
import * as Metrics from "./rest/metrics.ts"
import { allowedBy, identify, requireHost, takePathsLiterally } from "./middleware.ts"
import { normalizePaths } from "./guard/normalizePaths.ts"
import * as Pages from "./pages/pages.ts"
import { holdLarge, room } from "./OpenAnswers.ts"
import { refuseUnacceptable } from "./rest/refuseUnacceptable.ts"
import { rejectInJson, serverOptions } from "./guard/rejections.ts"
import { routerConfig } from "./rest/routerConfig.ts"
import { spreadRequests } from "./guard/spreadRequests.ts"
import { streamedResponse } from "./rest/streaming.ts"
import { takeTokens } from "./guard/takeTokens.ts"
import { urlOf } from "./urlOf.ts"
import { bodyOf } from "./trpc/errors.ts"
import * as Trpc from "./trpc/route.ts"

/** How long answers that are under way may take after the service was told to stop. */
const DRAIN_MS = 2000

/** Turns errors into answers. If the router found no route, asks it for which methods it has one. */
const details = HttpApiBuilder.middleware(
  Effect.gen(function* () {
    const router = yield* HttpApiBuilder.Router.router
    return withDetails({ allowed: allowedBy(router), notFound: yield* Pages.notFound })
  })
).pipe(Layer.provide(HttpApiBuilder.Router.Live))

/** Bounds the wait of Node's `close`, which waits for downloads without limit. */
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
      const plain = spreadRequests(
        rejectInJson(normalizePaths(takeTokens(createServer(serverOptions)), base))
      )
      const server = drainWithin(DRAIN_MS, guardUpgrades(holdEarly(plain)))
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

/** Serves as long as the layer lives. The first middleware in the list sees a request first, and its answer last. */
export const layer = HttpApiBuilder.serve().pipe(
  Layer.provide(HttpApiBuilder.middleware(identify)),
  Layer.provide(HttpApiBuilder.middleware(guard(bodyOf))),
  Layer.provide(HttpApiBuilder.middleware(compress)),
  Layer.provide(HttpApiBuilder.middleware(answerPreflights)),
  Layer.provide(details),
  Layer.provide(HttpApiBuilder.middleware(holdLarge)),
  Layer.provide(HttpApiBuilder.middleware(requireHost)),
  Layer.provide(HttpApiBuilder.middleware(takePathsLiterally)),
  Layer.provide(HttpApiBuilder.middleware(readBodies)),
  Layer.provide(HttpApiBuilder.middleware(refuseUnacceptable)),
  Layer.provide(Description.layer),
  Layer.provide(Metrics.layer),
  Layer.provide(Trpc.layer({ streamed: streamedResponse, room })),
  Layer.provide(Pages.layer),
  Layer.provide(Api.layer),
  Layer.provide(HttpRouter.setRouterConfig(routerConfig))
)

/** `http://HOST:PORT`, as bound. */
export const address = Effect.map(HttpServer.HttpServer, ({ address }) =>
  address._tag === "TcpAddress" ? urlOf(address.hostname, address.port) : address.path
)
