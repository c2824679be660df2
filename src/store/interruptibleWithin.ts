import { Effect, Fiber } from "effect"

/**
 * In a fiber of its own, where its races can end: a race ends when its loser was interrupted, so one in an
 * uninterruptible region (a writer that must not be stopped midway) never would. The caller's own
 * interruption, where it is open to one, goes through.
 */
export const interruptibleWithin = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Effect.forkDaemon(Effect.interruptible(effect)), (fiber) =>
    Effect.onInterrupt(Fiber.join(fiber), () => Fiber.interrupt(fiber))
  )
