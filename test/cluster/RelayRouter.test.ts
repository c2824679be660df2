/** A supervisor's answers while no process records, and the status that it remembers. */
import { expect, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Option, Schedule, Scope, Stream, TestClock } from "effect"
import type { ConnectRequest } from "../../src/domain/Connection.ts"
import { gauge } from "../../src/observability/prometheus.ts"
import * as RpcEndpoint from "../../src/cluster/RpcEndpoint.ts"
import type { Recording } from "../../src/cluster/Relay.ts"
import * as RelayRouter from "../../src/cluster/RelayRouter.ts"
import { knownSimulators, recordingOf } from "../contracts/relayContract.ts"
import { HeldChannel, lines } from "./support.ts"

const requestOf = (port: number): ConnectRequest => ({
  host: "rig",
  port,
  appName: "test",
  options: { password: "secret" }
})

const rig = Effect.gen(function* () {
  const router = yield* RelayRouter.make(Effect.succeed([gauge("own", "", 1)]))
  const [server, towardsServer] = yield* lines
  yield* router.serving(towardsServer)
  /** Another recording process; the one before has died. */
  const begin = (over: (recording: Recording) => Recording = (recording) => recording) =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const [line, towards] = yield* Scope.extend(lines, scope)
      const begun = yield* Effect.fork(Scope.extend(router.recording(towards), scope))
      yield* Scope.extend(line.record(over(recordingOf())), scope)
      yield* Fiber.join(begun)
      return { die: Scope.close(scope, Exit.void) }
    })
  return { router, server, begin }
})

const unavailable = { _tag: "StoreUnavailable", store: "recording" }

it.scopedLive("RelayRouter runs a connect to its end though the process that requested it is gone", () =>
  Effect.gen(function* () {
    const { begin, router } = yield* rig
    const gate = yield* Deferred.make<void>()
    const requested = yield* Deferred.make<void>()
    const connected = yield* Deferred.make<number>()
    yield* begin((recording) => ({
      ...recording,
      connect: (request) =>
        Deferred.succeed(requested, undefined).pipe(
          Effect.zipRight(Deferred.await(gate)),
          Effect.zipRight(Deferred.succeed(connected, request.port)),
          Effect.zipRight(recording.connect(request))
        )
    }))
    const scope = yield* Scope.make()
    const [worker, towardsWorker] = yield* Scope.extend(lines, scope)
    yield* Scope.extend(router.serving(towardsWorker), scope)
    const asking = yield* Effect.fork(worker.recording.connect(requestOf(1)))
    yield* Deferred.await(requested)
    yield* Scope.close(scope, Exit.void)
    yield* Deferred.succeed(gate, undefined)
    expect(yield* Effect.flip(Fiber.join(asking))).toMatchObject(unavailable)
    expect(yield* Deferred.await(connected)).toBe(1)
  })
)

it.scopedLive("RelayRouter is unavailable until a new process answers commands", () =>
  Effect.gen(function* () {
    const { begin, server } = yield* rig
    expect(yield* Effect.flip(server.recording.status)).toMatchObject(unavailable)
    const first = yield* begin((recording) => ({ ...recording, status: Effect.never }))
    const pending = yield* Effect.fork(server.recording.status)
    yield* Effect.yieldNow()
    yield* first.die
    expect(yield* Effect.flip(Fiber.join(pending))).toMatchObject(unavailable)
    expect(yield* Effect.flip(server.recording.known)).toMatchObject(unavailable)
    yield* begin()
    expect(yield* server.recording.known).toEqual(knownSimulators)
  })
)

it.scoped("RelayRouter counts without processes that are away or do not answer", () =>
  Effect.gen(function* () {
    const { server, router } = yield* rig
    const names = Effect.map(server.counts, (families) => families.map(({ name }) => name))
    const silent = new HeldChannel()
    yield* router.serving(yield* RpcEndpoint.make(silent))
    const counted = yield* Deferred.make<void>()
    yield* server.count(Effect.as(Deferred.succeed(counted, undefined), [gauge("served", "", 1)]))
    const pending = yield* Effect.fork(names)
    yield* Deferred.await(counted)
    while (!silent.sent.some((message) => message.type === "ask")) {
      yield* Effect.promise(() => new Promise((done) => setImmediate(done)))
    }
    // The server has answered the count before this request, so only the silent process is still waited for.
    yield* Effect.flip(server.recording.known)
    yield* TestClock.adjust("1 second")
    expect((yield* Fiber.join(pending)).toSorted()).toEqual(["own", "served"])
  })
)

const statusAt = ({ statusChanges }: RpcEndpoint.RpcEndpoint) =>
  statusChanges.pipe(
    Stream.filter(({ lastArrival }) => lastArrival === 7),
    Stream.runHead
  )

it.scopedLive(
  "RelayRouter sends the newest status to a process that begins to serve, and reports when no process records any more",
  () =>
    Effect.gen(function* () {
      const router = yield* RelayRouter.make(Effect.succeed([]))
      const scope = yield* Scope.make()
      const [recorder, towardsRecorder] = yield* Scope.extend(lines, scope)
      const begun = yield* Effect.fork(Scope.extend(router.recording(towardsRecorder), scope))
      yield* Scope.extend(recorder.record(recordingOf()), scope)
      yield* Fiber.join(begun)
      const [server, towardsServer] = yield* lines
      yield* router.serving(towardsServer)
      const status = { connections: [], listening: [], lastArrival: 7 }
      recorder.publishStatus(status)
      const unlessNobodyRecords = Effect.retry(statusAt(server), Schedule.spaced("1 millis"))
      expect(yield* unlessNobodyRecords).toEqual(Option.some(status))
      const [late, towardsLate] = yield* lines
      yield* router.serving(towardsLate)
      expect(yield* statusAt(late)).toEqual(Option.some(status))
      yield* Scope.close(scope, Exit.void)
      expect(yield* Effect.flip(Stream.runDrain(late.statusChanges))).toMatchObject(unavailable)
    })
)
