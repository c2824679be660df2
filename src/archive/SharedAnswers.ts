/**
 * Computes a slow answer once for all equal requests.
 *
 * Guarantees: equal requests wait for the same computation. The MAX_KEPT answers that were requested last are kept for
 * later requests; failures are not. A request that waits longer than ANSWER_WITHIN fails with StillComputing, and the
 * computation goes on for the next request.
 *
 * Hard cases. One request gives up while others wait: the computation goes on. No request waits any more: the
 * computation is interrupted, except for MAX_UNATTENDED that took longer than ANSWER_WITHIN.
 */
import { Effect, Exit, Fiber, type Scope } from "effect"
import { StillComputing } from "../domain/errors.ts"

/** Answers are some megabytes at most. */
const MAX_KEPT = 16
/** The maximum number of computations that go on without a request. */
const MAX_UNATTENDED = 2
/** Proxies and clients commonly give up after 30 or 60 s. */
const ANSWER_WITHIN_S = 25

export interface SharedAnswers {
  /**
   * `question`: names the computation in the error's sentence. `version`: the version of the data; an answer of another
   * version is not reused.
   */
  readonly answer: <A, E>(
    question: string,
    version: string,
    compute: Effect.Effect<A, E>
  ) => Effect.Effect<A, E | StillComputing>
}

interface Shared {
  readonly fiber: Fiber.RuntimeFiber<unknown, unknown>
  waiting: number
}

export const make: Effect.Effect<SharedAnswers, never, Scope.Scope> = Effect.map(Effect.scope, (scope) => {
  /** The entry that was requested last is the last. */
  const shared = new Map<string, Shared>()

  const isDone = ({ fiber }: Shared) => fiber.unsafePoll() !== null

  const forgetOldest = () => {
    for (const [key, one] of shared) {
      if (shared.size <= MAX_KEPT) return
      if (isDone(one)) shared.delete(key)
    }
  }

  const begin = <A, E>(key: string, compute: Effect.Effect<A, E>) => {
    const forget = Effect.sync(() => void shared.delete(key))
    return Effect.map(
      Effect.forkIn(
        // The first request cannot be interrupted here; the computation that it starts can.
        Effect.onExit(Effect.interruptible(compute), (exit) => (Exit.isSuccess(exit) ? Effect.void : forget)),
        scope
      ),
      (fiber): Shared => ({ fiber, waiting: 0 })
    )
  }

  const unattended = () => [...shared.values()].filter((one) => one.waiting === 0 && !isDone(one)).length

  /** Called when a request ends its wait. Where the request waited too long, the computation goes on. */
  const leave = (key: string, one: Shared, tookTooLong: boolean) =>
    Effect.suspend(() => {
      one.waiting--
      if (one.waiting > 0 || isDone(one)) return Effect.void
      if (tookTooLong && unattended() <= MAX_UNATTENDED) return Effect.void
      shared.delete(key)
      return Fiber.interruptFork(one.fiber)
    })

  return {
    answer: <A, E>(question: string, version: string, compute: Effect.Effect<A, E>) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.gen(function* () {
          const key = `${question} ${version}`
          const one = shared.get(key) ?? (yield* begin(key, compute))
          shared.delete(key)
          shared.set(key, one)
          one.waiting++
          forgetOldest()
          // The computation under a key has the type of the requests for that key.
          const fiber = one.fiber as Fiber.RuntimeFiber<A, E>
          const late = new StillComputing({ question, seconds: ANSWER_WITHIN_S })
          const exit = yield* restore(
            Effect.timeoutFail(Fiber.await(fiber), {
              duration: `${ANSWER_WITHIN_S} seconds`,
              onTimeout: () => late
            })
          ).pipe(Effect.onExit((exit) => leave(key, one, Exit.isFailure(exit) && !Exit.isInterrupted(exit))))
          return yield* exit
        })
      )
  }
})
