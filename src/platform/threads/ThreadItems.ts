/**
 * Items that a thread of its own computes one after another, at most one ahead of the reader: so a slow reader slows the
 * thread down, and memory holds two items. The entry of the thread calls `serveItems`.
 */
import { once } from "node:events"
import { Worker } from "node:worker_threads"
import { Data, Deferred, Effect, Option, type Scope } from "effect"

/** A message of the thread. */
export type FromThread<Item> = { readonly done: true } | { readonly done: false; readonly item: Item }

class ThreadEnded extends Data.TaggedError("ThreadEnded")<{ readonly code: number }> {
  override readonly message = `the thread ended with exit code ${this.code} before its last item`
}

/** The heap of the thread, MiB; columns are outside of it. A task that needs more is stopped, and the process goes on. */
const MAX_HEAP_MIB = 512

/**
 * Starts the thread; it is stopped with the scope. The effect gives the next item, none after the last. An item is a
 * structured clone. A thread that throws is a bug and so a defect. Not safe against concurrent calls.
 */
export const start = <Item>(
  entry: URL,
  task: unknown
): Effect.Effect<Effect.Effect<Option.Option<Item>>, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => {
        const worker = new Worker(entry, {
          workerData: task,
          // The thread gets none of this process's options, such as a test runner's.
          execArgv: [],
          resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB }
        })
        let waiting: Deferred.Deferred<Option.Option<Item>> | undefined
        let failure: unknown
        const settle = (exit: Effect.Effect<Option.Option<Item>>) => {
          if (waiting !== undefined) Deferred.unsafeDone(waiting, exit)
          waiting = undefined
        }
        worker.on("message", (message: FromThread<Item>) =>
          settle(Effect.succeed(message.done ? Option.none() : Option.some(message.item)))
        )
        worker.on("error", (error) => {
          failure = error
          settle(Effect.die(error))
        })
        worker.on("exit", (code) => {
          failure ??= new ThreadEnded({ code })
          settle(Effect.die(failure))
        })
        const next = Effect.gen(function* () {
          if (failure !== undefined) return yield* Effect.die(failure)
          const item = yield* Deferred.make<Option.Option<Item>>()
          waiting = item
          worker.postMessage(null, [])
          return yield* Deferred.await(item)
        })
        return { next, worker }
      }),
      ({ worker }) =>
        Effect.promise(async () => {
          const ended = worker.threadId === -1 ? undefined : once(worker, "exit")
          await worker.terminate()
          await ended
        })
    ),
    ({ next }) => next
  )
