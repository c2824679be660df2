import { Cause, Clock, Effect, Metric, Option } from "effect"
import { StoreUnavailable } from "../domain/errors.ts"
import { reasonOf } from "../exit.ts"
import { StoreAttempts } from "./StoreProgress.ts"
import { storeFailures } from "./metrics.ts"

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

/** What a user is told of a failure: the first line, since others are places in the code. */
const sentenceOf = (cause: Cause.Cause<unknown>): string =>
  Option.match(Cause.failureOption(cause), {
    onSome: (error) =>
      error instanceof StoreUnavailable ? (error.reason ?? reasonOf(error.cause)) : String(error),
    onNone: () => Cause.pretty(cause)
  }).split("\n", 1)[0]!

const trying = <A, E, R>(
  what: string,
  effect: Effect.Effect<A, E | StoreUnavailable, R>,
  failed: (reason: string) => void,
  pause: number
): Effect.Effect<A, Exclude<E, StoreUnavailable>, R> =>
  Effect.catchAllCause(effect, (cause) => {
    if (!mayPass(cause)) return Effect.failCause(cause as Cause.Cause<Exclude<E, StoreUnavailable>>)
    failed(sentenceOf(cause))
    return Metric.increment(storeFailures).pipe(
      Effect.zipRight(
        Effect.logWarning(`The store failed to ${what}; trying again in ${pause} ms`, behind(cause))
      ),
      Effect.zipRight(Effect.sleep(pause)),
      Effect.zipRight(trying(what, effect, failed, Math.min(pause * 2, LONGEST_PAUSE_MS)))
    )
  })

/** Tries until the store has done it, with growing pauses. Every failure is logged and counted, and how long it takes is known. */
export const untilStored = <A, E, R>(what: string, effect: Effect.Effect<A, E | StoreUnavailable, R>) =>
  Effect.flatMap(StoreAttempts, (attempts) =>
    Effect.acquireUseRelease(
      Effect.map(Clock.currentTimeNanos, (now) => attempts.begin(what, now)),
      (attempt) => {
        const failed = (reason: string) => {
          attempt.reason = reason
        }
        return trying(what, effect, failed, FIRST_PAUSE_MS)
      },
      (attempt) => Effect.sync(() => attempts.end(attempt))
    )
  )
