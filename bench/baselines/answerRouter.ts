/**
 * The cost of Effect's platform alone: its router with one route and no middleware, which makes JSON from an object for
 * each answer. Prints where it listens.
 *
 *   node answerRouter.js PATH BODY [untraced]
 *
 * By default it follows the platform's documentation, with the span that every such server makes for each request;
 * `untraced` leaves the span out, as the service does where no traces are sent.
 */
import { HttpRouter, HttpServer, HttpServerResponse } from "@effect/platform"
import { NodeRuntime } from "@effect/platform-node"
import { Layer } from "effect"
import { serveBare, type Traced } from "../suite/serveBare.ts"

const [path, text, traced] = process.argv.slice(2) as [`/${string}`, string, Traced]
const value: unknown = JSON.parse(text)

const app = HttpRouter.empty.pipe(HttpRouter.get(path, HttpServerResponse.json(value)), HttpServer.serve())

serveBare(app, traced).pipe(Layer.launch, NodeRuntime.runMain)
