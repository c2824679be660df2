import { Cause, Clock, Duration, Effect, Exit, Metric, Option, Schedule } from "effect"
import { StoreUnavailable } from "../domain/errors.ts"
import { writing } from "../retryPolicies.ts"
import { reasonOf } from "../systemErrors.ts"
import { StoreAttempts } from "./StoreProgress.ts"
import { storeFailures } from "./metrics.ts"

/** A store's failure, or a bug in it. The writer never gives up: the service would look well and record nothing. */
const mayPass = (cause: Cause.Cause<unknown>): boolean =>
  !Cause.isInterrupted(cause) &&
  Option.match(Cause.failureOption(cause), {
    onNone: () => Cause.isDie(cause),
    onSome: (error) => error instanceof StoreUnavailable
  })

/** The cause of a failure, where it has one; else the failure. */
const behind = Cause.map((error: unknown) => (error instanceof StoreUnavailable ? error.cause : error))

/** A failure in words for a user: the first line, since the others are places in the code. */
const sentenceOf = (cause: Cause.Cause<unknown>): string =>
  Option.match(Cause.failureOption(cause), {
    onSome: (error) =>
      error instanceof StoreUnavailable ? (error.reason ?? reasonOf(error.cause)) : String(error),
    onNone: () => Cause.pretty(cause)
  }).split("\n", 1)[0]!

const persistently = <A, E, R>(
  what: string,
  effect: Effect.Effect<A, E | StoreUnavailable, R>,
  failed: (reason: string) => void
): Effect.Effect<A, Exclude<E, StoreUnavailable>, R> => {
  const schedule = () =>
    writing.pipe(
      Schedule.delays,
      Schedule.intersect(Schedule.identity<Cause.Cause<unknown>>()),
      Schedule.tapOutput(([pause, cause]) =>
        Effect.zipRight(
          Metric.increment(storeFailures),
          Effect.logWarning(
            `The store failed to ${what}; trying again in ${Duration.toMillis(pause)} ms`,
            behind(cause)
          )
        )
      )
    )
  const attempt = Effect.flatMap(Effect.exit(effect), (exit) => {
    if (Exit.isSuccess(exit) || !mayPass(exit.cause)) return Effect.succeed(exit)
    failed(sentenceOf(exit.cause))
    return Effect.fail(exit.cause)
  })
  /** After a first attempt that failed of this: a schedule is made only where there is something to try again. */
  const again = (first: Cause.Cause<E | StoreUnavailable>) => {
    let next: typeof attempt = Effect.fail(first)
    const following = Effect.suspend(() => {
      const now = next
      next = attempt
      return now
    })
    return Effect.retry(following, schedule())
  }
  return attempt.pipe(
    Effect.catchAll(again),
    // The schedule has no end.
    Effect.orDie,
    Effect.flatten
  ) as Effect.Effect<A, Exclude<E, StoreUnavailable>, R>
}

/** Tries until the store has done it, with growing pauses. Every failure is logged and counted, and how long it takes is known. */
export const untilStored = <A, E, R>(what: string, effect: Effect.Effect<A, E | StoreUnavailable, R>) =>
  Effect.flatMap(StoreAttempts, (attempts) =>
    Effect.acquireUseRelease(
      Effect.map(Clock.currentTimeNanos, (now) => attempts.begin(what, now)),
      (attempt) => {
        const failed = (reason: string) => {
          attempt.reason = reason
        }
        return persistently(what, effect, failed)
      },
      (attempt) => Effect.sync(() => attempts.end(attempt))
    )
  )
