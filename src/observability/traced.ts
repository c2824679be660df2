import { Effect, FiberRef } from "effect"

/**
 * A function whose calls are spans while there is a tracer. Without a tracer, `Effect.fn` still prepares a span (stack
 * traces, a reference of the fiber): 40 us of the 180 of reading a lap (bench/rest). So functions that requests wait
 * for use this instead.
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
