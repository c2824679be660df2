import { Cause, Clock, Data, Duration, Effect, Exit, Metric, Option, Schedule } from "effect"
import { StoreUnavailable } from "../../domain/errors.ts"
import { writing } from "../../platform/retryPolicies.ts"
import { reasonOf } from "../../platform/systemErrors.ts"
import { type Attempt, StoreAttempts } from "./StoreProgress.ts"
import { storeFailures } from "../metrics.ts"

/** The store will never do this: it refuses the data, or each attempt met a bug. */
export class Refused extends Data.TaggedError("Refused")<{
  readonly what: string
  readonly cause: Cause.Cause<unknown>
}> {}

/**
 * The number of attempts at an operation that meets a bug, over some ten seconds: a bug may depend on the moment.
 * Afterwards the operation counts as refused, so that nothing waits for it forever.
 */
const MAX_BUG_ATTEMPTS = 8

/** `passing`: the store may do it next time. `others`: not a failure of the store. */
const kindOf = (cause: Cause.Cause<unknown>): "passing" | "bug" | "refused" | "others" => {
  if (Cause.isInterrupted(cause)) return "others"
  return Option.match(Cause.failureOption(cause), {
    onNone: () => "bug",
    onSome: (error) => (error instanceof StoreUnavailable ? (error.refusal ?? "passing") : "others")
  })
}

/** The cause of a failure, if it has one; else the failure. */
const behind = Cause.map((error: unknown) => (error instanceof StoreUnavailable ? error.cause : error))

/** The failure in words for a user: its first line, because the other lines are a stack trace. */
const sentenceOf = (cause: Cause.Cause<unknown>): string =>
  Option.match(Cause.failureOption(cause), {
    onSome: (error) =>
      error instanceof StoreUnavailable ? (error.reason ?? reasonOf(error.cause)) : String(error),
    onNone: () => Cause.pretty(cause)
  }).split("\n", 1)[0]!

type Stored<A, E, R> = Effect.Effect<A, Exclude<E, StoreUnavailable> | Refused, R>

const persistently = <A, E, R>(
  what: string,
  effect: Effect.Effect<A, E | StoreUnavailable, R>,
  first: Exit.Exit<A, E | StoreUnavailable> | undefined,
  failed: (reason: string) => void
): Stored<A, E, R> => {
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
  let bugs = 0
  /** Fails if the attempt is to be retried; succeeds with the exit for the caller. */
  const judged = (
    exit: Exit.Exit<A, E | StoreUnavailable>
  ): Effect.Effect<Exit.Exit<A, E | StoreUnavailable | Refused>, Cause.Cause<unknown>> => {
    if (Exit.isSuccess(exit)) return Effect.succeed(exit)
    const kind = kindOf(exit.cause)
    if (kind === "others") return Effect.succeed(exit)
    if (kind === "bug") bugs++
    if (kind === "refused" || bugs === MAX_BUG_ATTEMPTS) {
      return Effect.succeed(Exit.fail(new Refused({ what, cause: behind(exit.cause) })))
    }
    failed(sentenceOf(exit.cause))
    return Effect.fail(exit.cause)
  }
  const attempt = Effect.flatMap(Effect.exit(effect), judged)
  /** Retries after a first attempt that failed with `cause`. A schedule is made only if there is something to retry. */
  const again = (cause: Cause.Cause<unknown>) => {
    let next: typeof attempt = Effect.fail(cause)
    const following = Effect.suspend(() => {
      const now = next
      next = attempt
      return now
    })
    return Effect.retry(following, schedule())
  }
  return (first === undefined ? attempt : judged(first)).pipe(
    Effect.catchAll(again),
    // Cannot happen: the schedule has no end.
    Effect.orDie,
    Effect.flatten
  ) as Stored<A, E, R>
}

/** Does the work while `attempts` lists it. */
const listed = <A, E, R>(what: string, work: (attempt: Attempt) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(StoreAttempts, (attempts) =>
    Effect.acquireUseRelease(
      Effect.map(Clock.currentTimeNanos, (now) => attempts.begin(what, now)),
      work,
      (attempt) => Effect.sync(() => attempts.end(attempt))
    )
  )

/** The result of one attempt; `untilStored` accepts it as `first`. */
export const attempted = <A, E, R>(what: string, effect: Effect.Effect<A, E, R>) =>
  listed(what, () => Effect.exit(effect))

/**
 * Retries until the store has done the work, with growing pauses. Logs and counts every failure, and records how long
 * the work takes. Fails with Refused if another attempt cannot help. `first`: the result of an attempt that was made
 * already.
 */
export const untilStored = <A, E, R>(
  what: string,
  effect: Effect.Effect<A, E | StoreUnavailable, R>,
  first?: Exit.Exit<A, E | StoreUnavailable>
): Stored<A, E, R> =>
  listed(what, (attempt) =>
    persistently(what, effect, first, (reason) => {
      attempt.reason = reason
    })
  )

export const logRefusal = (sessionId: number, lost: string, { cause, what }: Refused) =>
  Effect.logError(`The store refused to ${what} of session ${sessionId}: ${lost}`, cause)

/** Goes on if the store refuses the work. `lost`: the consequence for the session, for the log. */
export const orWithout =
  (sessionId: number, lost: string) =>
  <A, E, R>(effect: Effect.Effect<A, E | Refused, R>): Effect.Effect<A | undefined, Exclude<E, Refused>, R> =>
    Effect.catchAll(effect, (error) =>
      error instanceof Refused
        ? Effect.as(logRefusal(sessionId, lost, error), undefined)
        : Effect.fail(error as Exclude<E, Refused>)
    )
