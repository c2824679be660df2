import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import { Context, Effect, type Fiber } from "effect"

/**
 * What is done with the request at hand. Each middleware is one step of the request's fiber, and hands on the app as it is
 * where it has nothing to do: what Effect offers for the same (`flatMap` of the tag, `annotateLogs`, the platform's CORS)
 * sets and resets references of the fiber, and those made up half of a request's cost (bench/rest).
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
