import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import { Context, Effect, type Fiber } from "effect"

/**
 * Runs a function on the current request. Each middleware is one step of the request's fiber, and returns the app
 * unchanged if it has nothing to do. Effect's own means for this (`flatMap` of the tag, `annotateLogs`, the
 * platform's CORS) set and reset references of the fiber, which made up half of a request's cost (bench/rest).
 */
export const withRequest = <A, E, R>(
  use: (
    request: HttpServerRequest.HttpServerRequest,
    fiber: Fiber.RuntimeFiber<A, E>
  ) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R | HttpServerRequest.HttpServerRequest> =>
  Effect.withFiberRuntime<A, E, R>((fiber) =>
    use(Context.unsafeGet(fiber.currentContext, HttpServerRequest.HttpServerRequest), fiber)
  )
