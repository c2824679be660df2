/**
 * The process that the user starts if the service has several. It starts a recorder and some workers, and replaces
 * processes that end or hang. It owns only these processes and the state that it keeps for them (RelayRouter), so
 * little in it can fail.
 *
 * The recorder starts first, because it migrates the store's tables. It ends last, because it stores what it has received
 * after the workers have closed their clients.
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
import { FAILED } from "../platform/exit.ts"
import { labelledByProcess, processFamilies } from "../observability/process.ts"
import type { Family } from "../observability/prometheus.ts"
import { restarting } from "../platform/retryPolicies.ts"
import { environmentOf, RECORDER, SUPERVISOR, workerName } from "../platform/processes.ts"
import { toChild } from "./ProcessChannel.ts"
import { untilHung } from "./heartbeat.ts"
import * as RpcEndpoint from "./RpcEndpoint.ts"
import * as RelayRouter from "./RelayRouter.ts"

/** A process that ran for this long and then ended is replaced immediately. */
const SETTLED_MS = 10_000

/** A process ended before it began its work; it has logged the reason. */
export class ProcessFailed extends Data.TaggedError("ProcessFailed")<{
  readonly name: string
  /** Its exit status, or the signal that ended it. */
  readonly status: number | string
}> {}

interface Kind<A> {
  readonly name: string
  readonly start: () => ChildProcess
  /** Connects it as long as the scope; succeeds when it records or serves. */
  readonly connect: (
    endpoint: RpcEndpoint.RpcEndpoint,
    child: ChildProcess
  ) => Effect.Effect<A, never, Scope.Scope>
  readonly stopsWithin: Duration.DurationInput
}

const serialization = "advanced"

const stop = (child: ChildProcess) => toChild(child).send({ type: "stop" }, () => undefined)

const recorder = ({ recording }: RelayRouter.RelayRouter, stopWithin: Duration.Duration): Kind<void> => ({
  name: RECORDER,
  start: () =>
    fork(process.argv[1]!, process.argv.slice(2), {
      env: { ...process.env, ...environmentOf(RECORDER) },
      serialization
    }),
  connect: recording,
  // Longer than the recorder takes to give up by itself (exit.ts).
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
 * lives. If all of them end, the next would get another port, which no client knows. So workers on another port end, and
 * their successors get the first port by number.
 */
const onOnePort = () => {
  let port: number | undefined
  return (child: ChildProcess) =>
    Effect.map(listening(child), (got) => {
      port ??= got
      if (got !== port) {
        cluster.setupPrimary({ args: [...process.argv.slice(2), "--port", String(port)] })
        stop(child)
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
    // It closes its clients within two seconds; after that it only delays the shutdown.
    stopsWithin: "10 seconds"
  }
}

/**
 * Runs one process from its start to its end. Returns its exit status. `begun` completes when the process has begun its work.
 * From then on it must not hang; before that, a large file may take a long time.
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
          // A stopped process receives no other signal.
          Effect.sync(() => child.kill("SIGKILL"))
        )
        const end = Deferred.await(ended)
        return yield* Effect.raceFirst(end, Effect.zipRight(Effect.zipRight(hung, killed), end))
      }),
    ({ child, ended, scope }) =>
      Effect.gen(function* () {
        if (yield* Deferred.isDone(ended)) return
        stop(child)
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
        // The recorder has logged the points that it gave up.
        if (kind.name === RECORDER && status !== 0) process.exitCode = FAILED
      }).pipe(Effect.ensuring(Scope.close(scope, Exit.void)))
  )

export interface Supervised {
  readonly workers: number
  /** A process that has not answered for this long hangs. */
  readonly hungAfter: Duration.Duration
  /** This long after the signal to stop, the recorder gives up the points that it could not store. */
  readonly stopWithin: Duration.Duration
  /** Releases the port that was reserved for the workers. */
  readonly freePort: Effect.Effect<void>
}

/** Starts the recorder and the workers, as long as the scope. Returns the port when all workers serve. */
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

  /** Keeps one process of a kind running as long as the scope; succeeds when the first one has begun. */
  const keep = Effect.fnUntraced(function* <A>(kind: Kind<A>) {
    restarts.set(kind.name, 0)
    const begun = yield* Deferred.make<A, ProcessFailed>()
    const kept = Effect.gen(function* () {
      const pauses = yield* Schedule.driver(restarting)
      while (true) {
        const started = yield* Clock.currentTimeMillis
        const status = yield* life(kind, begun, hungAfter)
        // A process that never began is not replaced, because another could not begin either.
        if (yield* Deferred.fail(begun, new ProcessFailed({ name: kind.name, status }))) return
        restarts.set(kind.name, restarts.get(kind.name)! + 1)
        yield* Effect.logWarning(`The process ${kind.name} ended (${status}); it is started again`)
        const lived = (yield* Clock.currentTimeMillis) - started
        if (lived >= SETTLED_MS) yield* pauses.reset
        // Cannot happen: the schedule has no end.
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
