import { Effect, Fiber } from "effect"

/** Lets every fiber that can go on go on; no time passes. */
export const settle = Effect.yieldNow().pipe(Effect.repeatN(100))

/** Has it ended, without waiting for it? */
export const isDone = <A, E>(fiber: Fiber.RuntimeFiber<A, E>) =>
  settle.pipe(
    Effect.zipRight(Fiber.poll(fiber)),
    Effect.map((exit) => exit._tag === "Some")
  )
