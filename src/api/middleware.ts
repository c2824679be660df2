/**
 * All steps that a request passes before its route, in order. The answer passes the middleware in the opposite order.
 */
import type { Server } from "node:http"
import { Effect } from "effect"
import type { Middleware } from "./App.ts"
import { limitBodies } from "./bodies.ts"
import { withDetails } from "./detail.ts"
import { answerPreflights } from "./guard/cors.ts"
import { guard } from "./guard/guard.ts"
import { guardUpgrades } from "./guard/guardUpgrades.ts"
import { holdEarly } from "./guard/holdEarly.ts"
import { normalizePaths } from "./guard/normalizePaths.ts"
import { limitArrival, rejectInJson } from "./guard/rejections.ts"
import { requireHost } from "./guard/requireHost.ts"
import { spreadRequests } from "./guard/spreadRequests.ts"
import { takeTokens } from "./guard/takeTokens.ts"
import { identify } from "./identify.ts"
import { holdLarge } from "./OpenAnswers.ts"
import * as Pages from "./pages/pages.ts"
import { compress } from "./compress.ts"
import { bodyOf } from "./trpc/errors.ts"

/** They run before Node's server emits a request, and may change or delay it. */
const beforeEmitting = (base: string): ReadonlyArray<(server: Server) => Server> => [
  // Spreads requests that arrive together over turns of the event loop.
  spreadRequests,
  // Writes each address in one way, without the base path of a proxy.
  (server) => normalizePaths(server, base),
  // Takes tokens out of addresses, which logs and traces record.
  takeTokens
]

/** They listen to the server, before the platform does. */
const listening: ReadonlyArray<(server: Server) => Server> = [
  // Answers invalid HTTP in our form.
  rejectInJson,
  // Limits the time in which bodies arrive.
  limitArrival(),
  // Keeps requests that arrive before there are routes.
  holdEarly,
  // Watches connections that ask for an upgrade, which Node no longer does.
  guardUpgrades
]

/** The middleware around the routes. `allowed`: the methods that have a route at a path. */
export const middleware = (allowed: (path: string) => ReadonlyArray<string>) =>
  Effect.all([
    // Gives the request an id, and the answer the headers that every answer has; sends the answer.
    identify,
    // Refuses requests that the access rules do not allow.
    guard(bodyOf),
    // Compresses text.
    Effect.succeed(compress),
    // Answers a browser's preflights.
    Effect.succeed(answerPreflights),
    // Turns every error into an answer.
    Effect.map(Pages.notFound, (notFound) => withDetails({ allowed, notFound })),
    // Makes large answers wait for room.
    Effect.succeed(holdLarge),
    // Refuses a request that names no host.
    Effect.succeed(requireHost),
    // Limits bodies, and reads the rest of a body that a route has not read.
    Effect.succeed(limitBodies)
  ]) satisfies Effect.Effect<ReadonlyArray<Middleware>, unknown, unknown>

/** The server with all steps before the platform gets a request. The first step to wrap `emit` is the last to run. */
export const prepared = (server: Server, base: string): Server =>
  [...listening, ...beforeEmitting(base).toReversed()].reduce((wrapped, wrap) => wrap(wrapped), server)
