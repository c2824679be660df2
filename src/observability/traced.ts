import { Effect, FiberRef } from "effect"

/**
 * A function whose calls are spans, while there is a tracer. `Effect.fn` makes what a span needs (stack traces, a reference of
 * the fiber) without one as well: 40 us of the 180 of reading a lap (bench/rest), so what requests wait for is wrapped in this.
 */
export const traced =
  <Args extends ReadonlyArray<unknown>, A, E, R>(
    name: string,
    call: (...args: Args) => Effect.Effect<A, E, R>
  ) =>
  (...args: Args): Effect.Effect<A, E, R> =>
    Effect.withFiberRuntime((fiber) =>
      fiber.getFiberRef(FiberRef.currentTracerEnabled) ? Effect.withSpan(call(...args), name) : call(...args)
    )
