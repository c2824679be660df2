/**
 * The cost of Effect's platform alone: its router with one route and no middleware, which makes JSON from an object for
 * each answer. Prints where it listens.
 *
 *   node answerRouter.js PATH BODY [untraced]
 *
 * By default it follows the platform's documentation, with the span that every such server makes for each request;
 * `untraced` leaves the span out, as the service does where no traces are sent.
 */
import { createServer } from "node:http"
import { HttpMiddleware, HttpRouter, HttpServer, HttpServerResponse } from "@effect/platform"
import { NodeHttpServer, NodeRuntime } from "@effect/platform-node"
import { Console, Effect, Layer } from "effect"

const [path, text, traced] = process.argv.slice(2) as [`/${string}`, string, "untraced" | undefined]
const value: unknown = JSON.parse(text)

const app = HttpRouter.empty.pipe(HttpRouter.get(path, HttpServerResponse.json(value)), HttpServer.serve())
const announce = HttpServer.addressWith((address) =>
  address._tag === "TcpAddress" ? Console.log(`http://127.0.0.1:${address.port}`) : Effect.void
)
const served =
  traced === "untraced"
    ? app.pipe(
        HttpMiddleware.withTracerDisabledWhen(() => true),
        Layer.provide(Layer.setTracerEnabled(false))
      )
    : app

Layer.effectDiscard(announce).pipe(
  Layer.provideMerge(served),
  Layer.provide(NodeHttpServer.layer(() => createServer(), { host: "127.0.0.1", port: 0 })),
  Layer.launch,
  NodeRuntime.runMain
)
