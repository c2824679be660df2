/**
 * The process that the user starts, where there are several: it starts a recorder and some workers, and replaces those that
 * end or hang. It owns nothing but them, and what it remembers for them (RelayRouter): there is little in it that could fail.
 *
 * The recorder starts first, because it migrates the store's tables, and ends last: it stores what it has received after
 * the workers have closed their clients.
 */
import { type ChildProcess, fork } from "node:child_process"
import cluster from "node:cluster"
import {
  Clock,
  Data,
  Deferred,
  Duration,
  Effect,
  ExecutionStrategy,
  Exit,
  Fiber,
  Schedule,
  Scope
} from "effect"
import { FAILED } from "../exit.ts"
import { labelledByProcess, processFamilies } from "../observability/process.ts"
import type { Family } from "../observability/prometheus.ts"
import { restarting } from "../retryPolicies.ts"
import { environmentOf, RECORDER, SUPERVISOR, workerName } from "../processes.ts"
import { toChild } from "./Channel.ts"
import { untilHung } from "./heartbeat.ts"
import * as RpcEndpoint from "./RpcEndpoint.ts"
import * as RelayRouter from "./RelayRouter.ts"

/** A process that ran for so long ended by accident, and is replaced at once. */
const SETTLED_MS = 10_000

/** A process ended before it did what it is for: it has said why. */
export class ProcessFailed extends Data.TaggedError("ProcessFailed")<{
  readonly name: string
  /** Its exit status, or the signal that ended it. */
  readonly status: number | string
}> {}

interface Kind<A> {
  readonly name: string
  readonly start: () => ChildProcess
  /** Connects it, for the scope's life; succeeds when it records or serves. */
  readonly connect: (
    endpoint: RpcEndpoint.RpcEndpoint,
    child: ChildProcess
  ) => Effect.Effect<A, never, Scope.Scope>
  readonly stopsWithin: Duration.DurationInput
}

const serialization = "advanced"

const recorder = ({ recording }: RelayRouter.RelayRouter, stopWithin: Duration.Duration): Kind<void> => ({
  name: RECORDER,
  start: () =>
    fork(process.argv[1]!, process.argv.slice(2), {
      env: { ...process.env, ...environmentOf(RECORDER) },
      serialization
    }),
  connect: recording,
  // Longer than it takes to give up by itself (exit.ts).
  stopsWithin: Duration.sum(stopWithin, "3 seconds")
})

/** The port on which a worker's process listens, once it does. */
const listening = (child: ChildProcess) =>
  Effect.async<number>((resume) => {
    const one = Object.values(cluster.workers!).find((other) => other!.process === child)!
    one.once("listening", ({ port }) => resume(Effect.succeed(port)))
  })

/**
 * Keeps all workers on the port that the first one got. Workers that take any free port share one as long as one of them
 * lives. When all are gone, the next would get another port, which no client knows: they end, and their successors get
 * the port by number.
 */
const onOnePort = () => {
  let port: number | undefined
  return (child: ChildProcess) =>
    Effect.map(listening(child), (got) => {
      port ??= got
      if (got !== port) {
        cluster.setupPrimary({ args: [...process.argv.slice(2), "--port", String(port)] })
        child.kill("SIGTERM")
      }
      return port
    })
}

const worker = (
  { serving }: RelayRouter.RelayRouter,
  listens: (child: ChildProcess) => Effect.Effect<number>,
  number: number
): Kind<number> => {
  const name = workerName(number)
  return {
    name,
    start: () => cluster.fork(environmentOf(name)).process,
    connect: (endpoint, child) => Effect.zipRight(serving(endpoint), listens(child)),
    // It closes its clients within two seconds; then it is in the way.
    stopsWithin: "10 seconds"
  }
}

/**
 * One process from its start to its end: its exit status. `begun` is done when it does what it is for; from then on it
 * must not hang, while before that a large file may take its time.
 */
const life = <A>(kind: Kind<A>, begun: Deferred.Deferred<A, ProcessFailed>, hungAfter: Duration.Duration) =>
  Effect.acquireUseRelease(
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const ended = yield* Deferred.make<number | string>()
      const child = kind.start()
      child.once("exit", (code, signal) =>
        Deferred.unsafeDone(ended, Effect.succeed(signal ?? code ?? "unknown"))
      )
      return { child, ended, scope, endpoint: yield* Scope.extend(RpcEndpoint.make(toChild(child)), scope) }
    }),
    ({ child, ended, endpoint, scope }) =>
      Effect.gen(function* () {
        const connected = yield* kind.connect(endpoint, child).pipe(
          Effect.flatMap((value) => Deferred.succeed(begun, value)),
          Scope.extend(scope),
          Effect.forkIn(scope)
        )
        const hung = Effect.zipRight(Fiber.join(connected), untilHung(endpoint.alive, hungAfter))
        const killed = Effect.zipRight(
          Effect.logWarning(
            `The process ${kind.name} has not answered for ${Duration.toSeconds(hungAfter)} s: it is killed`
          ),
          // Of a process that is stopped no other signal is heard.
          Effect.sync(() => child.kill("SIGKILL"))
        )
        const end = Deferred.await(ended)
        return yield* Effect.raceFirst(end, Effect.zipRight(Effect.zipRight(hung, killed), end))
      }),
    ({ child, ended, scope }) =>
      Effect.gen(function* () {
        if (yield* Deferred.isDone(ended)) return
        child.kill("SIGTERM")
        const status = yield* Deferred.await(ended).pipe(
          Effect.interruptible,
          Effect.timeout(kind.stopsWithin),
          Effect.catchAll(() =>
            Effect.as(
              Effect.sync(() => child.kill("SIGKILL")),
              "SIGKILL"
            )
          )
        )
        // It has logged what it gave up.
        if (kind.name === RECORDER && status !== 0) process.exitCode = FAILED
      }).pipe(Effect.ensuring(Scope.close(scope, Exit.void)))
  )

export interface Supervised {
  readonly workers: number
  /** A process that has not answered for so long hangs. */
  readonly hungAfter: Duration.Duration
  /** So long after the signal to stop, the recorder gives up by itself what it could not store. */
  readonly stopWithin: Duration.Duration
  /** Releases the port that was reserved for the workers. */
  readonly freePort: Effect.Effect<void>
}

/** Starts the recorder and the workers, for the scope's life. Succeeds with the port when all workers serve. */
export const supervise = Effect.fn("supervise")(function* ({
  freePort,
  hungAfter,
  stopWithin,
  workers
}: Supervised) {
  cluster.setupPrimary({ serialization })
  const restarts = new Map<string, number>()
  const restarted = (): Family => ({
    name: "telemetry_process_restarts_total",
    type: "counter",
    help: "Processes that ended and were started again",
    samples: [...restarts].map(([name, value]) => ({ suffix: "", labels: [["process", name]], value }))
  })
  const ofProcess = labelledByProcess(SUPERVISOR)
  const router = yield* RelayRouter.make(Effect.sync(() => [restarted(), ...ofProcess(processFamilies())]))

  /** Keeps one of a kind for the scope's life; succeeds when the first has begun. */
  const keep = Effect.fnUntraced(function* <A>(kind: Kind<A>) {
    restarts.set(kind.name, 0)
    const begun = yield* Deferred.make<A, ProcessFailed>()
    const kept = Effect.gen(function* () {
      const pauses = yield* Schedule.driver(restarting)
      while (true) {
        const started = yield* Clock.currentTimeMillis
        const status = yield* life(kind, begun, hungAfter)
        // It replaces only a process that had begun: another could not begin either.
        if (yield* Deferred.fail(begun, new ProcessFailed({ name: kind.name, status }))) return
        restarts.set(kind.name, restarts.get(kind.name)! + 1)
        yield* Effect.logWarning(`The process ${kind.name} ended (${status}); it is started again`)
        const lived = (yield* Clock.currentTimeMillis) - started
        if (lived >= SETTLED_MS) yield* pauses.reset
        // The schedule has no end.
        else yield* Effect.orDie(pauses.next(undefined))
      }
    })
    yield* Effect.forkScoped(kept)
    return yield* Deferred.await(begun)
  })

  yield* keep(recorder(router, stopWithin))
  yield* freePort
  const together = yield* Scope.fork(yield* Effect.scope, ExecutionStrategy.parallel)
  const listens = onOnePort()
  const [port] = yield* Effect.all(
    Array.from({ length: workers }, (_, i) => Scope.extend(keep(worker(router, listens, i + 1)), together)),
    { concurrency: "unbounded" }
  )
  return port!
})
