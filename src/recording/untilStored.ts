import { Cause, Effect, Metric, Option } from "effect"
import { StoreUnavailable } from "../domain/errors.ts"
import { storeFailures } from "./Tally.ts"

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 5000

/** A store's failure, or a bug of it: whoever gave up for that would leave a service that records nothing and looks well. */
const mayPass = (cause: Cause.Cause<unknown>): boolean =>
  !Cause.isInterrupted(cause) &&
  Option.match(Cause.failureOption(cause), {
    onNone: () => Cause.isDie(cause),
    onSome: (error) => error instanceof StoreUnavailable
  })

/** What is behind a failure, rather than that a store failed. */
const behind = Cause.map((error: unknown) => (error instanceof StoreUnavailable ? error.cause : error))

/** Tries until the store has done it, with growing pauses. Every failure is logged and counted. */
export const untilStored = <A, E, R>(
  what: string,
  effect: Effect.Effect<A, E | StoreUnavailable, R>,
  pause = FIRST_PAUSE_MS
): Effect.Effect<A, Exclude<E, StoreUnavailable>, R> =>
  Effect.catchAllCause(effect, (cause) =>
    mayPass(cause)
      ? Metric.increment(storeFailures).pipe(
          Effect.zipRight(
            Effect.logWarning(`The store failed to ${what}; trying again in ${pause} ms`, behind(cause))
          ),
          Effect.zipRight(Effect.sleep(pause)),
          Effect.zipRight(untilStored(what, effect, Math.min(pause * 2, LONGEST_PAUSE_MS)))
        )
      : Effect.failCause(cause as Cause.Cause<Exclude<E, StoreUnavailable>>)
  )
