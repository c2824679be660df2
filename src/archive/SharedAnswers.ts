/**
 * Answers that take long, computed once for all who ask the same.
 *
 * Guarantees: who asks the same while it is computed waits for the same computation; what was computed is kept for who asks
 * the same again, MAX_KEPT answers, those that were asked for last. A failure is kept for nobody. Who waits for longer than
 * ANSWER_WITHIN is told so, and the computation goes on for when they ask again.
 *
 * Hard cases. Somebody gives up while others wait: the computation is theirs as well. Nobody waits any more: it is
 * interrupted, but for those (MAX_UNATTENDED) that were left because they took too long.
 */
import { Effect, Exit, Fiber, type Scope } from "effect"
import { StillComputing } from "../domain/errors.ts"

/** Answers are some megabytes at most. */
const MAX_KEPT = 16
/** As many as compute at once. */
const MAX_UNATTENDED = 2
/** Proxies and clients commonly give up after 30 or 60 s. */
const ANSWER_WITHIN_S = 25

export interface SharedAnswers {
  /** `question`: what is computed, for the sentence. `version`: of what, so that the answer is another's when it has changed. */
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
  /** The one that was asked for last is the last. */
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
        // Whoever asks first cannot be interrupted here; what it begins can.
        Effect.onExit(Effect.interruptible(compute), (exit) => (Exit.isSuccess(exit) ? Effect.void : forget)),
        scope
      ),
      (fiber): Shared => ({ fiber, waiting: 0 })
    )
  }

  const unattended = () => [...shared.values()].filter((one) => one.waiting === 0 && !isDone(one)).length

  /** Whoever leaves because it takes too long leaves it to be computed. */
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
          // What is computed under a key is what was asked for under it.
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
