import { Effect, Fiber } from "effect"

/**
 * Runs the effect in a fiber of its own, so that its races can end. A race ends when its loser is interrupted, which
 * would never happen in an uninterruptible region (a writer that must not be stopped midway). If the caller is
 * interruptible, its interruption reaches the effect.
 */
export const interruptibleWithin = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Effect.forkDaemon(Effect.interruptible(effect)), (fiber) =>
    Effect.onInterrupt(Fiber.join(fiber), () => Fiber.interrupt(fiber))
  )
