import { Worker as Thread } from "node:worker_threads"
import * as Worker from "@effect/platform/Worker"
import { isWorkerError } from "@effect/platform/WorkerError"
import { Data, Deferred, Effect, ExecutionStrategy, Exit, Scope } from "effect"
import { StoreUnavailable } from "../../domain/errors.ts"
import { startAbandonable } from "../../platform/threads/abandon.ts"
import { entryOf } from "../../platform/threads/entry.ts"
import { interruptibleWithin } from "../interruptibleWithin.ts"
import { store, unavailable } from "./SqliteFile.ts"
import type { WriterFailure, WriterRequest, WriterSettings } from "./writerProtocol.ts"

/** The thread first loads this program's libraries: half a second, several on a machine under load. */
const START_TIMEOUT = "30 seconds"

/** Starts the thread that writes to `filename`. */
export const startThread = (filename: string): Thread => {
  const entry = entryOf("./writerWorker", import.meta.url)
  return startAbandonable((abandoned) => {
    const workerData: WriterSettings = { filename, abandoned }
    // The thread gets none of this process's options, such as a test runner's.
    return new Thread(entry, { workerData, transferList: [abandoned], execArgv: [] })
  })
}

class ThreadEnded extends Data.TaggedError("ThreadEnded")<{ readonly code: number }> {
  override readonly message = `the writer thread ended with exit code ${this.code}`
}

interface Running {
  readonly worker: Worker.Worker<WriterRequest, void, WriterFailure>
  readonly died: Deferred.Deferred<never, ThreadEnded>
  readonly scope: Scope.CloseableScope
}

export interface WriterThread {
  readonly request: (request: WriterRequest) => Effect.Effect<void, StoreUnavailable>
}

/**
 * The writer thread, started by the first request. When it dies, the requests under way fail and the next request starts
 * another thread. There is never more than one: the new thread starts only after the dead one has ended, so no late commit of
 * the dead one can come in between.
 */
export const make = Effect.fn("WriterThread.make")(function* (startThread: () => Thread) {
  const manager = yield* Worker.WorkerManager
  const owner = yield* Effect.scope
  const turn = yield* Effect.makeSemaphore(1)
  let running: Running | undefined

  const start = Effect.fn("WriterThread.start")(function* () {
    const scope = yield* Scope.fork(owner, ExecutionStrategy.sequential)
    const died = yield* Deferred.make<never, ThreadEnded>()
    const spawn = (): Thread => {
      const thread = startThread()
      thread.once("exit", (code) => Deferred.unsafeDone(died, Exit.fail(new ThreadEnded({ code }))))
      return thread
    }
    const worker = yield* manager.spawn<WriterRequest, void, WriterFailure>({}).pipe(
      Scope.extend(scope),
      Effect.provideService(Worker.Spawner, spawn),
      // Without this race, the manager would keep starting threads that end before they are ready.
      Effect.raceFirst(Deferred.await(died)),
      Effect.timeout(START_TIMEOUT),
      interruptibleWithin,
      Effect.onError((cause) => Scope.close(scope, Exit.failCause(cause)))
    )
    running = { worker, died, scope }
    return running
  })

  const discard = (dead: Running) =>
    Effect.suspend(() => {
      if (running === dead) running = undefined
      return Scope.close(dead.scope, Exit.void)
    })

  const current = turn.withPermits(1)(
    Effect.gen(function* () {
      if (running !== undefined && (yield* Deferred.isDone(running.died))) yield* discard(running)
      return running ?? (yield* start())
    })
  )

  const thread: WriterThread = {
    request: Effect.fnUntraced(function* (request) {
      const alive = yield* Effect.mapError(current, unavailable)
      yield* alive.worker.executeEffect(request).pipe(
        interruptibleWithin,
        Effect.tapError((error) =>
          isWorkerError(error) ? turn.withPermits(1)(discard(alive)) : Effect.void
        ),
        Effect.mapError((error) =>
          isWorkerError(error)
            ? unavailable(error)
            : new StoreUnavailable({ store, cause: new Error(error.reason), refusal: error.refusal })
        )
      )
    })
  }
  return thread
})
