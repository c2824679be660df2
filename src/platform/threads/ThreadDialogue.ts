/**
 * A thread of its own that keeps state from one ask to the next: it reads a file piece by piece, or writes one. The entry
 * of the thread calls `answerAsks`.
 */
import { once } from "node:events"
import { type TransferListItem, Worker } from "node:worker_threads"
import { Data, Deferred, Effect, type Scope } from "effect"
import { keepYoungHeapAsItIs } from "../heapGrowth.ts"

class ThreadEnded extends Data.TaggedError("ThreadEnded")<{ readonly code: number }> {
  override readonly message = `the thread ended with exit code ${this.code} before it answered`
}

/** The heap of the thread, MiB; columns are outside of it. A task that needs more is stopped, and the process goes on. */
const MAX_HEAP_MIB = 512
/** Its young part: a file of 300 MB that is imported takes 112 MB less so, measured once on a busy machine. */
const MAX_YOUNG_MIB = 12

/** Asks the thread. What is in `transfer` moves to it. Not safe against concurrent calls. */
export type AskThread<Ask, Answer> = (
  ask: Ask,
  transfer?: ReadonlyArray<TransferListItem>
) => Effect.Effect<Answer>

/** Starts the thread; it is stopped with the scope. A thread that throws is a bug and so a defect. */
export const start = <Ask, Answer>(
  entry: URL,
  task: unknown
): Effect.Effect<AskThread<Ask, Answer>, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => {
        const worker = new Worker(entry, {
          workerData: task,
          // The thread gets none of this process's options, such as a test runner's.
          execArgv: [],
          resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB, maxYoungGenerationSizeMb: MAX_YOUNG_MIB }
        })
        let waiting: Deferred.Deferred<Answer> | undefined
        let failure: unknown
        const settle = (exit: Effect.Effect<Answer>) => {
          if (waiting !== undefined) Deferred.unsafeDone(waiting, exit)
          waiting = undefined
        }
        worker.once("online", keepYoungHeapAsItIs)
        worker.on("message", (answer: Answer) => settle(Effect.succeed(answer)))
        worker.on("error", (error) => {
          failure = error
          settle(Effect.die(error))
        })
        worker.on("exit", (code) => {
          failure ??= new ThreadEnded({ code })
          settle(Effect.die(failure))
        })
        const ask: AskThread<Ask, Answer> = (message, transfer = []) =>
          Effect.gen(function* () {
            if (failure !== undefined) return yield* Effect.die(failure)
            const answer = yield* Deferred.make<Answer>()
            waiting = answer
            worker.postMessage(message, transfer)
            return yield* Deferred.await(answer)
          })
        return { ask, worker }
      }),
      ({ worker }) =>
        Effect.promise(async () => {
          const ended = worker.threadId === -1 ? undefined : once(worker, "exit")
          await worker.terminate()
          await ended
        })
    ),
    ({ ask }) => ask
  )
