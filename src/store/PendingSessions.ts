/**
 * The queue of sessions that need work after their end.
 *
 * Responsibilities: does the work of one session at a time; retries work that failed because a store was away;
 * continues work that an earlier run of the service left.
 *
 * Order: sessions in the order in which they were added. A session that waits for a store does not delay the others; it
 * is retried after them.
 *
 * Hard cases: if a session ends again while its work runs, the work is done again. When the scope ends, pending work is
 * tried once more, for `endsWithin` at most.
 */
import { Duration, Effect, Either, Exit, Fiber } from "effect"
import type { StoreUnavailable } from "../domain/errors.ts"
import { BACKGROUND_PAUSE } from "../platform/retryPolicies.ts"

export interface SessionWork<R> {
  /** Reads the sessions that an earlier run left. Repeated until it succeeds, before any work is retried. */
  readonly leftBefore: Effect.Effect<Iterable<number>, StoreUnavailable, R>
  /** `isRetry`: whether the work failed before, in this run or an earlier one. */
  readonly run: (sessionId: number, isRetry: boolean) => Effect.Effect<void, StoreUnavailable, R>
  /** Called at the first failure after a time when nothing was pending. */
  readonly onBehind: (failure: StoreUnavailable) => Effect.Effect<void>
  /** How long the work may go on after the end of the scope; then it is interrupted. */
  readonly endsWithin: Duration.DurationInput
}

export interface PendingSessions {
  /** Returns immediately. */
  readonly add: (sessionId: number) => Effect.Effect<void>
  /** Returns when the session's work is done, or when it has to wait for a store. */
  readonly doNow: (sessionId: number) => Effect.Effect<void>
}

/** The queue lives as long as the scope. */
export const make = Effect.fnUntraced(function* <R>({
  endsWithin,
  leftBefore,
  onBehind,
  run
}: SessionWork<R>) {
  const context = yield* Effect.context<R>()
  /** For each pending session, whether its work failed before. */
  const pending = new Map<number, boolean>()
  const some = yield* Effect.makeLatch(true)
  const ending = yield* Effect.makeLatch(false)
  const oneByOne = yield* Effect.makeSemaphore(1)
  let isWorking = false
  let isTakenUp = false
  let isBehind = false
  let isEnding = false

  const add = (sessionId: number, isRetry: boolean) => {
    pending.set(sessionId, isRetry || (pending.get(sessionId) ?? false))
    some.unsafeOpen()
  }

  /** Runs the work and notes a failure. Returns whether it succeeded. */
  const noted = (work: Effect.Effect<void, StoreUnavailable, R>): Effect.Effect<boolean> =>
    work.pipe(
      Effect.provide(context),
      Effect.tapError((failure) => {
        const isFirst = !isBehind
        isBehind = true
        return isFirst ? onBehind(failure) : Effect.void
      }),
      Effect.either,
      Effect.map(Either.isRight)
    )

  const attempt = (sessionId: number) =>
    Effect.suspend(() => {
      const isRetry = pending.get(sessionId) ?? false
      // Deleted before the work runs, because the session may end again meanwhile.
      pending.delete(sessionId)
      isWorking = true
      return Effect.onExit(run(sessionId, isRetry), (exit) =>
        Effect.sync(() => {
          isWorking = false
          if (Exit.isFailure(exit)) add(sessionId, true)
        })
      )
    }).pipe(noted, oneByOne.withPermits(1))

  const takeUp = noted(
    Effect.map(leftBefore, (left) => {
      for (const sessionId of left) add(sessionId, true)
      isTakenUp = true
    })
  )

  /** Tries each pending session once. Returns whether nothing is pending any more. */
  const attemptAll = Effect.gen(function* () {
    if (!isTakenUp && !(yield* takeUp)) return false
    some.unsafeClose()
    const done = yield* Effect.forEach([...pending.keys()], attempt)
    if (!done.every(Boolean)) return false
    isBehind = false
    return true
  })

  const loop = Effect.gen(function* () {
    for (;;) {
      yield* Effect.raceFirst(some.await, ending.await)
      const isLast = isEnding
      const isDone = yield* attemptAll
      if (isLast) return
      if (!isDone) yield* Effect.raceFirst(Effect.sleep(BACKGROUND_PAUSE), ending.await)
    }
  })

  const working = yield* Effect.forkDaemon(loop)
  const finish = Effect.suspend(() => {
    isEnding = true
    ending.unsafeOpen()
    return Effect.timeoutOption(Effect.interruptible(Fiber.await(working)), endsWithin)
  })
  yield* Effect.addFinalizer(() =>
    Effect.zipRight(
      Effect.when(finish, () => Duration.toMillis(endsWithin) > 0 && (isWorking || pending.size > 0)),
      Fiber.interrupt(working)
    )
  )

  return {
    add: (sessionId) => Effect.sync(() => add(sessionId, false)),
    doNow: (sessionId) => Effect.asVoid(attempt(sessionId))
  } satisfies PendingSessions
})
