import { Cause, Clock, Duration, Effect, Exit, Metric, Option, Schedule } from "effect"
import { StoreUnavailable } from "../domain/errors.ts"
import { writing } from "../retryPolicies.ts"
import { reasonOf } from "../systemErrors.ts"
import { StoreAttempts } from "./StoreProgress.ts"
import { storeFailures } from "./metrics.ts"

/**
 * True for a store's failure, and for a bug in the store. If the writer gave up, the service would look healthy and record
 * nothing.
 */
const mayPass = (cause: Cause.Cause<unknown>): boolean =>
  !Cause.isInterrupted(cause) &&
  Option.match(Cause.failureOption(cause), {
    onNone: () => Cause.isDie(cause),
    onSome: (error) => error instanceof StoreUnavailable
  })

/** The cause of a failure, if it has one; else the failure. */
const behind = Cause.map((error: unknown) => (error instanceof StoreUnavailable ? error.cause : error))

/** A failure in words for a user: the first line, because the others are places in the code. */
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
  /** Retries after a first attempt that failed with `first`. A schedule is made only if there is something to retry. */
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
    // Cannot happen: the schedule has no end.
    Effect.orDie,
    Effect.flatten
  ) as Effect.Effect<A, Exclude<E, StoreUnavailable>, R>
}

/** Retries until the store has done it, with growing pauses. Logs and counts every failure, and records how long it takes. */
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
