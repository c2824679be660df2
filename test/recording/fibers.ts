import { Effect, Fiber } from "effect"

const turn = Effect.async<void>((resume) => {
  const immediate = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(immediate))
})

/** Lets every fiber run that can, also those that wait for a turn of the event loop; no time passes. */
export const settle = Effect.yieldNow().pipe(
  Effect.repeatN(100),
  Effect.zipRight(turn),
  Effect.repeatN(3),
  Effect.asVoid
)

/** Whether it has ended, without waiting for it. */
export const isDone = <A, E>(fiber: Fiber.RuntimeFiber<A, E>) =>
  settle.pipe(
    Effect.zipRight(Fiber.poll(fiber)),
    Effect.map((exit) => exit._tag === "Some")
  )
