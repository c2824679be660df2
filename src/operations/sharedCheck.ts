import { Clock, Effect, Fiber } from "effect"

/** How long a success is reused. */
const HOLDS_MS = 100

/**
 * Shares `check` between any number of callers. Callers that arrive while it runs get its result; callers that arrive
 * within a tenth of a second after a success get that success. A failure goes to the callers that wait for it, and is
 * not kept. So if a client asks `/health` a thousand times a second, the service asks the stores ten times.
 *
 * A caller that is interrupted does not interrupt the check, so `check` must end by itself.
 */
export const shared = <E, R>(check: Effect.Effect<void, E, R>): Effect.Effect<void, E, R> => {
  let succeeded = -Infinity
  let running: Fiber.RuntimeFiber<void, E> | undefined
  const begin = (now: number) =>
    Effect.map(Effect.forkDaemon(check), (fiber) => {
      running = fiber
      fiber.addObserver(({ _tag }) => {
        running = undefined
        if (_tag === "Success") succeeded = now
      })
      return fiber
    })
  return Effect.flatMap(Clock.currentTimeMillis, (now) => {
    // The clock may be set back.
    if (Math.abs(now - succeeded) < HOLDS_MS) return Effect.void
    return Effect.flatMap(
      running === undefined ? Effect.uninterruptible(begin(now)) : Effect.succeed(running),
      Fiber.join
    )
  })
}
