/**
 * Runs functions that take too long for the event loop, each call on a thread of its own.
 *
 * Tinypool provides the thread: it loads the functions, and carries a call to the thread and its result or error back.
 * Effect's Pool decides how many threads there are, which call waits for one, and when an idle one ends. Each item of the
 * pool is a Tinypool of one thread, which is discarded if a call is interrupted or fails. Tinypool's own queue would hold a
 * task forever if the task's thread fails to start, and it can give a task to a thread that is being stopped.
 */
import { fileURLToPath } from "node:url"
import type { TransferListItem } from "node:worker_threads"
import { Data, Deferred, type Duration, Effect, Pool, Runtime } from "effect"
import { Tinypool } from "tinypool"
import { Turns } from "../Turns.ts"
import { breathe } from "./breathe.ts"

/** The task of a call. The parts of `task` that are in `transfer` (buffers, ports) move to the thread and are gone here. */
export interface ThreadTask<Task> {
  readonly task: Task
  readonly transfer: ReadonlyArray<TransferListItem>
}

/** The exports of a thread's entry: plain functions of one argument. */
type Functions = Readonly<Record<string, (task: never) => unknown>>

export interface Threads<F extends Functions> {
  /**
   * Calls the function `name` with the task that `gather` gives. `gather` runs only when a thread is free, so memory
   * holds only tasks that threads work on. An interruption returns when the computation has stopped. A function that
   * throws, and a thread that dies, are bugs and so defects; the next call gets another thread.
   */
  readonly call: <Name extends keyof F & string, E, R>(
    name: Name,
    gather: Effect.Effect<ThreadTask<Parameters<F[Name]>[0]>, E, R>
  ) => Effect.Effect<Awaited<ReturnType<F[Name]>>, E, R>
}

/**
 * The young part of a thread's heap: a quarter of Node's default. The memory of columns is outside the heap, and is freed
 * when their young owners are collected. With this limit, two threads grow by some 70 MiB less, and take 6 % longer.
 */
const MAX_YOUNG_MIB = 12

class ThreadEnded extends Data.TaggedError("ThreadEnded")<{ readonly code: number }> {
  override readonly message = `the thread ended with exit code ${this.code} in the middle of a call`
}

interface Thread {
  readonly pool: Tinypool
  /** Completes with the thread's exit code. */
  readonly ended: Deferred.Deferred<number>
}

const start = Effect.acquireRelease(
  Effect.gen(function* () {
    const runtime = yield* Effect.runtime()
    const ended = yield* Deferred.make<number>()
    const pool = new Tinypool({
      minThreads: 1,
      maxThreads: 1,
      // The thread gets none of this process's options, such as a test runner's.
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb: MAX_YOUNG_MIB }
    })
    // Tinypool itself notices a thread that throws, but not one that simply ends.
    for (const thread of pool.threads) {
      thread.once("exit", (code: number) => Deferred.unsafeDone(ended, Effect.succeed(code)))
    }
    // The error belongs to no call, and without a listener it would end the process.
    pool.on("error", (cause) => Runtime.runFork(runtime)(Effect.logError("An idle thread failed", cause)))
    return { pool, ended } satisfies Thread
  }),
  // Tinypool would wait forever for a thread that has ended by itself.
  ({ ended, pool }) =>
    Effect.zipRight(Effect.forkDaemon(Effect.promise(() => pool.destroy())), Deferred.await(ended))
)

/** Threads with the functions of `entry` (see `entryOf`): at most `most`, started when needed, ended after `idle`. */
export const make = Effect.fnUntraced(function* <F extends Functions>(
  entry: URL,
  { idle, most }: { readonly most: number; readonly idle: Duration.DurationInput }
) {
  const filename = fileURLToPath(entry)
  const threads = yield* Pool.makeWithTTL({
    acquire: start,
    min: 0,
    max: most,
    timeToLive: idle
  })
  // The pool's own queue is a semaphore, in which many requests must not wait (Turns.ts).
  const { run } = new Turns(most)
  const call: Threads<F>["call"] = (name, gather) =>
    Effect.gen(function* () {
      const thread = yield* Pool.get(threads)
      const { task, transfer } = yield* gather
      // An error that the thread threw comes before its end, and may still be on its way through Tinypool's promises.
      // That error says more, so it gets a turn to arrive first.
      const died = Effect.flatMap(Effect.zipLeft(Deferred.await(thread.ended), breathe), (code) =>
        Effect.die(new ThreadEnded({ code }))
      )
      // The file is named with the call, not with the pool, so that failing to load it is this call's failure.
      return yield* Effect.promise(() =>
        thread.pool.run(task, { name, filename, transferList: [...transfer] })
      ).pipe(
        Effect.raceFirst(died),
        Effect.onError(() => Pool.invalidate(threads, thread))
      )
    }).pipe(Effect.scoped, run)
  return { call } satisfies Threads<F>
})
