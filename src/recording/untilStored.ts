import { Cause, Clock, Duration, Effect, Metric, Option, Schedule } from "effect"
import { StoreUnavailable } from "../domain/errors.ts"
import { reasonOf } from "../exit.ts"
import { whileWriting } from "../store/retries.ts"
import { StoreAttempts } from "./StoreProgress.ts"
import { storeFailures } from "./metrics.ts"

/** A store's failure, or a bug of it: whoever gave up for that would leave a service that records nothing and looks well. */
const mayPass = (cause: Cause.Cause<unknown>): boolean =>
  !Cause.isInterrupted(cause) &&
  Option.match(Cause.failureOption(cause), {
    onNone: () => Cause.isDie(cause),
    onSome: (error) => error instanceof StoreUnavailable
  })

/** What is behind a failure, rather than that a store failed. */
const behind = Cause.map((error: unknown) => (error instanceof StoreUnavailable ? error.cause : error))

/** What a user is told of a failure: the first line, since others are places in the code. */
const sentenceOf = (cause: Cause.Cause<unknown>): string =>
  Option.match(Cause.failureOption(cause), {
    onSome: (error) =>
      error instanceof StoreUnavailable ? (error.reason ?? reasonOf(error.cause)) : String(error),
    onNone: () => Cause.pretty(cause)
  }).split("\n", 1)[0]!

/** The pauses after the failures, each said before it begins. */
const pauses = (what: string) =>
  Schedule.intersect(Schedule.delays(whileWriting), Schedule.identity<Cause.Cause<unknown>>()).pipe(
    Schedule.tapOutput(([pause, cause]) =>
      Effect.logWarning(
        `The store failed to ${what}; trying again in ${Duration.toMillis(pause)} ms`,
        behind(cause)
      )
    )
  )

const trying = <A, E, R>(
  effect: Effect.Effect<A, E | StoreUnavailable, R>,
  failed: (cause: Cause.Cause<unknown>) => Effect.Effect<unknown>
): Effect.Effect<A, Exclude<E, StoreUnavailable>, R> =>
  Effect.catchAllCause(effect, (cause) =>
    mayPass(cause)
      ? Effect.zipRight(failed(cause), trying(effect, failed))
      : Effect.failCause(cause as Cause.Cause<Exclude<E, StoreUnavailable>>)
  )

/** Tries until the store has done it, with growing pauses. Every failure is logged and counted, and how long it takes is known. */
export const untilStored = <A, E, R>(what: string, effect: Effect.Effect<A, E | StoreUnavailable, R>) =>
  Effect.flatMap(StoreAttempts, (attempts) =>
    Effect.acquireUseRelease(
      Effect.map(Clock.currentTimeNanos, (now) => attempts.begin(what, now)),
      (attempt) =>
        Effect.flatMap(Schedule.driver(pauses(what)), (driver) =>
          trying(effect, (cause) => {
            attempt.reason = sentenceOf(cause)
            return Effect.zipRight(Metric.increment(storeFailures), Effect.ignore(driver.next(cause)))
          })
        ),
      (attempt) => Effect.sync(() => attempts.end(attempt))
    )
  )
