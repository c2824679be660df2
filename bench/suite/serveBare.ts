/** How baselines serve a bare router of Effect's platform: on a port that is free, whose address is printed. */
import { createServer } from "node:http"
import { HttpMiddleware, HttpServer } from "@effect/platform"
import { NodeHttpServer } from "@effect/platform-node"
import { Console, Effect, Layer } from "effect"

export type Traced = "untraced" | undefined

const announce = HttpServer.addressWith((address) =>
  address._tag === "TcpAddress" ? Console.log(`http://127.0.0.1:${address.port}`) : Effect.void
)

const untraced = <A, E, R>(app: Layer.Layer<A, E, R>): Layer.Layer<A, E, R> =>
  app.pipe(
    HttpMiddleware.withTracerDisabledWhen(() => true),
    Layer.provide(Layer.setTracerEnabled(false))
  )

/** `app`: a router that is served. */
export const serveBare = <E, R>(app: Layer.Layer<never, E, HttpServer.HttpServer | R>, traced: Traced) =>
  Layer.effectDiscard(announce).pipe(
    Layer.provideMerge(traced === "untraced" ? untraced(app) : app),
    Layer.provide(NodeHttpServer.layer(() => createServer(), { host: "127.0.0.1", port: 0 }))
  )
