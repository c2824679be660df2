import { Cause, Effect, Metric } from "effect"
import { StoreUnavailable } from "../domain/errors.ts"
import { storeFailures } from "./Tally.ts"

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 5000

/** Tries until the store has done it, with growing pauses. Every failure is logged and counted. */
export const untilStored = <A, E, R>(
  what: string,
  effect: Effect.Effect<A, E | StoreUnavailable, R>,
  pause = FIRST_PAUSE_MS
): Effect.Effect<A, Exclude<E, StoreUnavailable>, R> =>
  Effect.catchIf(
    effect,
    (error): error is StoreUnavailable => error instanceof StoreUnavailable,
    (error) =>
      Metric.increment(storeFailures).pipe(
        Effect.zipRight(
          Effect.logWarning(
            `The store failed to ${what}; trying again in ${pause} ms`,
            Cause.fail(error.cause)
          )
        ),
        Effect.zipRight(Effect.sleep(pause)),
        Effect.zipRight(untilStored(what, effect, Math.min(pause * 2, LONGEST_PAUSE_MS)))
      )
  )
