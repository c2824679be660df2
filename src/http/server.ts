/** The HTTP server: the API's groups, its description and docs, metrics, and what is done to every request. */
import { createServer, type Server } from "node:http"
import { HttpApiBuilder, HttpApiSwagger, HttpRouter, HttpServer, HttpServerResponse } from "@effect/platform"
import { NodeHttpServer } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { guardUpgrades } from "../live/guardUpgrades.ts"
import * as Prometheus from "../observability/prometheus.ts"
import { Api } from "./Api.ts"
import * as Configuration from "./configuration/handlers.ts"
import { withDetails } from "./detail.ts"
import * as Export from "./export/handlers.ts"
import * as Laps from "./laps/handlers.ts"
import { allowedMethods, identify, limitBody, readBodiesAsJson } from "./middleware.ts"
import { routerConfig } from "./routerConfig.ts"
import * as Sessions from "./sessions/handlers.ts"
import * as System from "./system/handlers.ts"
import * as Telemetry from "./telemetry/handlers.ts"

/** How long answers that are under way may take after the service was told to stop. */
const DRAIN_MS = 2000

const ApiLive = HttpApiBuilder.api(Api).pipe(
  Layer.provide([
    System.layer,
    Sessions.layer,
    Laps.layer,
    Telemetry.layer,
    Export.layer,
    Configuration.layer
  ])
)

const metrics = HttpApiBuilder.Router.use((router) =>
  router.get(
    "/metrics",
    Effect.map(Prometheus.render, (text) =>
      HttpServerResponse.text(text, { contentType: "text/plain; version=0.0.4; charset=utf-8" })
    )
  )
)

/** Node's `close` waits for downloads in flight without bound. */
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

export const listening = (host: string, port: number) =>
  NodeHttpServer.layer(() => drainWithin(DRAIN_MS, guardUpgrades(createServer())), { host, port })

/** Serves for the layer's life. The last middleware listed sees a request first. */
export const layer = HttpApiBuilder.serve().pipe(
  Layer.provide(HttpApiBuilder.middleware(readBodiesAsJson)),
  Layer.provide(HttpApiBuilder.middleware(limitBody)),
  Layer.provide(HttpApiBuilder.middleware(withDetails(allowedMethods))),
  Layer.provide(
    HttpApiBuilder.middlewareCors({
      allowedOrigins: ["*"],
      allowedMethods: ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"],
      exposedHeaders: ["Location", "Content-Disposition", "X-Request-Id", "Retry-After"],
      maxAge: 86_400
    })
  ),
  Layer.provide(HttpApiBuilder.middleware(identify)),
  Layer.provide(HttpApiSwagger.layer({ path: "/docs" })),
  Layer.provide(HttpApiBuilder.middlewareOpenApi({ path: "/openapi.json" })),
  Layer.provide(metrics),
  Layer.provide(ApiLive),
  Layer.provide(HttpRouter.setRouterConfig(routerConfig))
)

/** `http://HOST:PORT`, as it is bound. */
export const address = Effect.map(HttpServer.HttpServer, ({ address }) =>
  address._tag === "TcpAddress"
    ? `http://${address.hostname.includes(":") ? `[${address.hostname}]` : address.hostname}:${address.port}`
    : address.path
)
