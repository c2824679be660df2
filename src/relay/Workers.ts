/**
 * The primary's side of the relay: starts the workers, keeps their number, answers what they ask, and sends
 * every one of them what happens live.
 *
 * A worker that ends by itself is replaced. One that is too slow to take the live points is left out of them
 * until it has caught up: recording never waits for it, and what it misses is stored all the same. At the end
 * the workers stop first, each closing its clients politely, and then whoever needed this.
 */
import cluster, { type Worker } from "node:cluster"
import { Context, Data, Deferred, Effect, FiberSet, Layer, type Scope } from "effect"
import type { ConnectError } from "../domain/errors.ts"
import { LiveFeed } from "../live/LiveFeed.ts"
import { counted } from "../observability/prometheus.ts"
import { Simulators } from "../simulators/Simulators.ts"
import { encodeExit, type Question, type ToPrimary, type ToWorker } from "./messages.ts"

/** Messages a worker may be behind; at 60 a second and session it is a second of one session. */
const MOST_UNSENT = 64
/** A worker that ends as soon as it starts must not be started as fast as the machine can. */
const RESTART_AFTER = "1 second"
/** A worker closes its clients within two seconds; then it is in the way. */
const STOP_WITHIN = "10 seconds"

/** A worker ended before it served anything: it has said why. */
export class WorkerFailed extends Data.TaggedError("WorkerFailed")<{ readonly code: number }> {}

type Asked = (question: Question) => Effect.Effect<unknown, ConnectError>

export class Workers extends Context.Tag("relay/Workers")<
  Workers,
  {
    readonly broadcast: (message: ToWorker) => void
    /** Starts so many workers, for the scope's life. Succeeds with the port when all serve. */
    readonly start: (count: number, asked: Asked) => Effect.Effect<number, WorkerFailed, Scope.Scope>
  }
>() {
  static readonly layer = Layer.sync(this, () => {
    const unsent = new Map<Worker, number>()

    const send = (worker: Worker, message: ToWorker) => {
      const waiting = unsent.get(worker)
      if (waiting === undefined || (message.type === "points" && waiting >= MOST_UNSENT)) return
      unsent.set(worker, waiting + 1)
      worker.send(message, () => {
        const left = unsent.get(worker)
        if (left !== undefined) unsent.set(worker, left - 1)
      })
    }

    const broadcast = (message: ToWorker) => {
      for (const worker of unsent.keys()) send(worker, message)
    }

    const start = Effect.fn("Workers.start")(function* (count: number, asked: Asked) {
      cluster.setupPrimary({ serialization: "advanced" })
      const fork = yield* FiberSet.makeRuntime<never>()

      const receive = (worker: Worker, message: ToPrimary) => {
        if (message.type === "rate") return broadcast(message)
        const { id, question } = message
        fork(
          Effect.map(Effect.exit(asked(question)), (exit) =>
            send(worker, { type: "answer", id, answer: encodeExit(exit) })
          )
        )
      }

      /** One worker from its start to its end. */
      const life = (listening: Deferred.Deferred<number, WorkerFailed>) =>
        Effect.acquireUseRelease(
          Effect.gen(function* () {
            const ended = yield* Deferred.make<number>()
            const worker = cluster.fork()
            unsent.set(worker, 0)
            worker.on("message", (message: ToPrimary) => receive(worker, message))
            worker.once("listening", ({ port }) => Deferred.unsafeDone(listening, Effect.succeed(port)))
            worker.once("exit", (code) => {
              unsent.delete(worker)
              Deferred.unsafeDone(ended, Effect.succeed(code ?? 1))
            })
            return { worker, ended }
          }),
          ({ ended }) =>
            Effect.flatMap(Deferred.await(ended), (code) =>
              Deferred.fail(listening, new WorkerFailed({ code }))
            ),
          ({ worker, ended }) =>
            Effect.gen(function* () {
              if (yield* Deferred.isDone(ended)) return
              worker.process.kill("SIGTERM")
              yield* Deferred.await(ended).pipe(
                Effect.interruptible,
                Effect.timeout(STOP_WITHIN),
                Effect.catchAll(() => Effect.sync(() => worker.process.kill("SIGKILL")))
              )
            })
        )

      const one = Effect.gen(function* () {
        const listening = yield* Deferred.make<number, WorkerFailed>()
        const replaced = Effect.logWarning("A worker ended; another is started").pipe(
          Effect.zipRight(Effect.sleep(RESTART_AFTER)),
          Effect.zipRight(Deferred.make<number, WorkerFailed>()),
          Effect.flatMap(life),
          Effect.forever
        )
        yield* Effect.forkScoped(
          Effect.gen(function* () {
            // Only one that did serve is replaced: another cannot do better than one that could not begin.
            if (yield* life(listening)) return
            return yield* replaced
          })
        )
        return yield* Deferred.await(listening)
      })

      const [port] = yield* Effect.all(
        Array.from({ length: count }, () => one),
        { concurrency: "unbounded" }
      )
      return port!
    })

    return { broadcast, start }
  })

  /** What is recorded is shown to the live clients of all workers. */
  static readonly feed = Layer.effect(
    LiveFeed,
    Effect.map(Workers, ({ broadcast }) => ({
      publish: (sessionId, { length, data }) => broadcast({ type: "points", sessionId, length, data }),
      announce: (event) => broadcast({ type: "event", event })
    }))
  )
}

/** Starts the workers and answers them from this process's connections; succeeds with the port. */
export const serve = Effect.fn("relay.serve")(function* (count: number) {
  const simulators = yield* Simulators
  const workers = yield* Workers
  return yield* workers.start(count, (question): Effect.Effect<unknown, ConnectError> => {
    switch (question.kind) {
      case "connect":
        return simulators.connect(question.request)
      case "disconnect":
        return simulators.disconnect(question.address)
      case "status":
        return simulators.status
      case "known":
        return simulators.known
      case "counts":
        return counted
    }
  })
})
