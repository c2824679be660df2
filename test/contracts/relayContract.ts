/** The behaviour of every relay, across any number of processes. `makeRig` gives a fresh one at each call. */
import { describe, expect, it } from "@effect/vitest"
import {
  Cause,
  Context,
  Deferred,
  Effect,
  Exit,
  Fiber,
  Layer,
  Option,
  Queue,
  Schedule,
  Scope,
  Stream
} from "effect"
import type { ListedConnection } from "../../src/domain/Connection.ts"
import { POINTS } from "../../src/domain/Dictionary.ts"
import { type FileImport, noReport } from "../../src/domain/FileImport.ts"
import * as Errors from "../../src/domain/errors.ts"
import { channels } from "../../src/domain/pointChannels.ts"
import { RowBatch } from "../../src/domain/RowBatch.ts"
import { gauge } from "../../src/observability/prometheus.ts"
import { LivePublisher } from "../../src/live/hub/LivePublisher.ts"
import { publisher } from "../../src/cluster/recordingSide.ts"
import { type Recording, Relay, type RelayService, type Update } from "../../src/cluster/Relay.ts"
import type { SimulatorsStatus } from "../../src/simulators/connection/SimulatorsStatus.ts"
import { pointsAt, session } from "../live/support.ts"

export interface RelayRig {
  /** The recording side. */
  readonly recorder: RelayService
  /** The serving sides. */
  readonly servers: ReadonlyArray<RelayService>
}

const address = { host: "rig", port: 9 }
const request = { ...address, appName: "test", circuit: "Spa", options: { password: "secret" } }
const connected = { ...address, appName: "test", simulator: "fake", sessionId: null }
const status = {
  connections: [
    {
      ...connected,
      state: "connected" as const,
      pointsReceived: 3,
      pointsStored: 2,
      pointsDropped: 0,
      pointsDead: 0,
      samplesDead: 0,
      pointsRejected: 1,
      rejected: { out_of_order: 1 },
      samplesReceived: 0,
      samplesStored: 0,
      samplesDropped: 0,
      samplesRejected: 0,
      samplesMissing: 0,
      samplesNotFinite: 0,
      messagesRefused: 0,
      notices: [],
      sessionsRefused: 0,
      lapsRefused: 0,
      foreignSender: 0,
      forwarded: 12,
      notForwarded: 1,
      foreignSenders: [],
      gaps: 0,
      pointsMissing: 0,
      datagramsUnknown: 4,
      lastTelemetry: null
    }
  ],
  listening: [{ port: 20777, state: "taken" as const, datagrams: 0, advice: null }],
  lastArrival: 1.25
}

export const listed: ListedConnection = {
  host: "rig",
  port: 9,
  appName: "test",
  simulator: null,
  enabled: false,
  state: "off"
}

export const imported: FileImport = {
  ...noReport,
  id: 5,
  name: "a.ibt",
  sha256: null,
  size: 9,
  received: 4,
  batch: "b",
  state: "uploading",
  progress: 0,
  sessions: [],
  started: null,
  finished: null
}

export const knownSimulators = [{ name: "fake", ports: [7], options: { password: { type: "string" } } }]

/** A recorder that answers every command; `over` replaces some answers. */
export const recordingOf = (over: Partial<Recording> = {}): Recording => ({
  connect: () => Effect.succeed(connected),
  disconnect: () => Effect.succeed(1),
  status: Effect.succeed(status),
  stalled: Effect.succeed({ what: "write points", seconds: 3, reason: "the disk is full" }),
  known: Effect.succeed(knownSimulators),
  kept: Effect.succeed([listed]),
  enable: ({ enabled }) => Effect.succeed(enabled),
  listenFor: () => Effect.void,
  changeImports: ({ type }) =>
    type === "remove" ? new Errors.ImportNotFound({ importId: 5 }) : Effect.succeed(imported),
  ...over
})

/** Each kind of failure, with all of its fields. */
const failures: ReadonlyArray<Errors.ConnectError> = [
  new Errors.AlreadyConnected({ address }),
  new Errors.ConnectedElsewhere({ node: "b" }),
  new Errors.ConnectInterrupted({ address }),
  new Errors.NotASimulator({ address, simulator: "fake", reason: "it spoke HTTP" }),
  new Errors.SessionBeingRecorded({ sessionId: 7 }),
  new Errors.SessionNotFound({ sessionId: 7 }),
  new Errors.SimulatorRefused({ address, reason: "ECONNREFUSED" }),
  new Errors.TargetNotAllowed({ address, kind: "link-local" }),
  new Errors.TargetNotAllowed({ address, kind: "own", field: "forward" }),
  new Errors.NothingToForward({ simulator: "native" }),
  new Errors.TooManyConnects({ limit: 3, seconds: 40 }),
  new Errors.SimulatorSilent({ address, seconds: 0.2 }),
  new Errors.SimulatorSilent({ address, seconds: 0.2, chosenByPort: "fake" }),
  new Errors.SimulatorSilent({
    address,
    seconds: 0.2,
    heard: {
      datagrams: 7,
      lengths: [1347, 1367],
      hasOthers: false,
      known: { game: "Project CARS 1", advice: "choose another protocol" }
    }
  }),
  new Errors.StoreUnavailable({ store: "catalog", cause: "gone", reason: "the disk is full" }),
  new Errors.UnknownSimulator({ simulator: "doom", known: ["fake", "native"] })
]

const commandsOf = ({ recording }: RelayService) => [
  recording.connect(request),
  recording.disconnect(undefined),
  recording.status,
  recording.stalled,
  recording.known
]

/** Checks again until it holds; the test's own time limit bounds it. */
const until = (holds: () => boolean): Effect.Effect<void> =>
  Effect.suspend(() => (holds() ? Effect.void : Effect.delay(until(holds), "1 millis")))

/** The answer at all servers, once the recorder has given it. */
const recording = Effect.fnUntraced(function* ({ recorder, servers }: RelayRig, over?: Partial<Recording>) {
  yield* recorder.record(recordingOf(over))
  for (const server of servers) {
    yield* Effect.eventually(server.recording.known)
  }
})

const newestStatus = ({ statusChanges }: RelayService) => Stream.runHead(statusChanges)

const receiving = (relays: ReadonlyArray<RelayService>) =>
  Effect.forEach(relays, (relay) => {
    const received: Array<Update> = []
    return Effect.as(
      relay.subscribe((update) => received.push(update)),
      received
    )
  })

const fuel = (time: number, value: number) =>
  new RowBatch(1, Float64Array.of(time, value), ["timestamp", "fuel"])

const samplesOf = (updates: ReadonlyArray<Update>) =>
  updates.flatMap((update) =>
    update.type === "samples" ? update.groups.map(({ batch }) => [...batch.data]) : []
  )

export const relayContract = (name: string, makeRig: Effect.Effect<RelayRig, never, Scope.Scope>) => {
  const test = (title: string, body: (rig: RelayRig) => Effect.Effect<void, unknown, Scope.Scope>) =>
    it.scopedLive(title, () => Effect.flatMap(makeRig, body))

  describe(`the relay ${name}`, () => {
    test("carries commands to the recorder, and the answers back", (rig) =>
      Effect.gen(function* () {
        const requests: Array<unknown> = []
        yield* recording(rig, {
          connect: (wanted) => Effect.sync(() => (requests.push(wanted), connected)),
          disconnect: (target) => Effect.sync(() => (requests.push(target), requests.length))
        })
        for (const server of rig.servers) {
          requests.length = 0
          expect(yield* server.recording.connect(request)).toEqual(connected)
          expect(yield* server.recording.disconnect(address)).toBe(2)
          expect(yield* server.recording.disconnect(undefined)).toBe(3)
          expect(requests).toEqual([request, address, undefined])
          expect(yield* server.recording.status).toEqual(status)
          expect(yield* server.recording.known).toEqual(knownSimulators)
          expect(yield* server.recording.changeImports({ type: "drop", id: 5 })).toEqual(imported)
          expect(yield* Effect.flip(server.recording.changeImports({ type: "remove", id: 5 }))).toEqual(
            new Errors.ImportNotFound({ importId: 5 })
          )
        }
      }))

    test("carries every failure with its type and fields", (rig) =>
      Effect.gen(function* () {
        let failure: Errors.ConnectError
        yield* recording(rig, { connect: () => Effect.suspend(() => Effect.fail(failure)) })
        for (failure of failures) {
          for (const server of rig.servers) {
            const error = yield* Effect.flip(server.recording.connect(request))
            expect(error).toBeInstanceOf(failure.constructor)
            expect({ ...error }).toEqual({ ...failure })
          }
        }
      }))

    test("carries a defect as a defect, with its cause", (rig) =>
      Effect.gen(function* () {
        yield* recording(rig, { status: Effect.dieMessage("a bug in there") })
        for (const server of rig.servers) {
          const exit = yield* Effect.exit(server.recording.status)
          expect(Exit.isFailure(exit) && Cause.isDie(exit.cause)).toBe(true)
          expect(Exit.isFailure(exit) && Cause.pretty(exit.cause)).toContain("a bug in there")
        }
      }))

    test("refuses commands before a recorder begins and after it ends", (rig) =>
      Effect.gen(function* () {
        const scope = yield* Scope.make()
        const refused = Effect.gen(function* () {
          for (const command of rig.servers.flatMap(commandsOf)) {
            const error = yield* Effect.flip(
              Effect.asVoid(command as Effect.Effect<unknown, Errors.ConnectError>)
            )
            expect(error).toMatchObject({ _tag: "StoreUnavailable", store: "recording" })
          }
        })
        yield* refused
        yield* Scope.extend(recording(rig), scope)
        for (const server of rig.servers) expect(yield* server.recording.disconnect(undefined)).toBe(1)
        yield* Scope.close(scope, Exit.void)
        yield* refused
      }))

    test("executes a command though its caller gives up", (rig) =>
      Effect.gen(function* () {
        let ended = 0
        const begun = yield* Deferred.make<void>()
        const gate = yield* Deferred.make<void>()
        yield* recording(rig, {
          connect: () =>
            Deferred.succeed(begun, undefined).pipe(
              Effect.zipRight(Deferred.await(gate)),
              Effect.as(connected),
              Effect.ensuring(Effect.sync(() => ended++))
            )
        })
        const asking = yield* Effect.fork(rig.servers[0]!.recording.connect(request))
        yield* Deferred.await(begun)
        yield* Fiber.interrupt(asking)
        expect(ended).toBe(0)
        yield* Deferred.succeed(gate, undefined)
        yield* until(() => ended === 1)
      }))

    test("answers each of many commands separately, in any order of their ends", (rig) =>
      Effect.gen(function* () {
        const gates = yield* Effect.all(Array.from({ length: 20 }, () => Deferred.make<number>()))
        yield* recording(rig, { disconnect: (target) => Deferred.await(gates[target!.port]!) })
        const pending = yield* Effect.forEach(gates, (_, port) =>
          Effect.fork(rig.servers[port % rig.servers.length]!.recording.disconnect({ host: "rig", port }))
        )
        for (const [index, gate] of [...gates.entries()].toReversed()) yield* Deferred.succeed(gate, index)
        expect(yield* Effect.all(pending.map(Fiber.join))).toEqual(gates.map((_, index) => index))
      }))

    test("carries updates to all servers, in order, points to the last bit", (rig) =>
      Effect.gen(function* () {
        const received = yield* receiving(rig.servers)
        const batch = RowBatch.allocate(3, channels)
        batch.data.set([-0, 5e-324, Number.MAX_VALUE, -Infinity, NaN, 1 / 3])
        const part = new RowBatch(1, batch.data.subarray(3, 13), channels)
        const event = { type: "session" as const, sessionId: 1, data: session }
        const sent: ReadonlyArray<Update> = [
          { type: "points", sessionId: 1, batch },
          { type: "event", event },
          { type: "points", sessionId: 2, batch: part },
          { type: "rate", hz: 59.94 }
        ]
        for (const update of sent) rig.recorder.publish(update)
        yield* until(() => received.every(({ length }) => length >= sent.length))
        for (const update of received) {
          expect(update).toEqual(sent)
          const bits = update.flatMap((one) => (one.type === "points" ? [...one.batch.data] : []))
          expect(bits.every((value, i) => Object.is(value, [...batch.data, ...part.data][i]))).toBe(true)
        }
      }))

    test("carries samples to servers that watch them, the newest at once, and otherwise none", (rig) =>
      Effect.gen(function* () {
        const publisherOf = publisher.pipe(Layer.provide(Layer.succeed(Relay, rig.recorder)), Layer.build)
        const live = Context.get(yield* publisherOf, LivePublisher)
        // Waits until the router knows the recorder.
        yield* recording(rig)
        const received = yield* receiving(rig.servers)
        const oil = new RowBatch(1, Float64Array.of(1, 90), ["timestamp", "oil"])
        const upToPoints = (time: number) =>
          Effect.suspend(() => {
            live.publish(1, POINTS, pointsAt([time]))
            return until(() =>
              received.every((updates) =>
                updates.some((one) => one.type === "points" && one.batch.timestamps[0] === time)
              )
            )
          })
        live.publish(1, "fuel", fuel(1, 40))
        live.publish(1, "engine", oil)
        live.publish(1, "fuel", fuel(2, 39))
        yield* upToPoints(2)
        expect(received.flatMap(samplesOf)).toEqual([])
        const [server] = rig.servers
        const [own] = received
        server!.publish({ type: "watch", watched: [{ channels: ["fu*"], sessions: [1] }] })
        yield* until(() => samplesOf(own!).length === 1)
        expect(samplesOf(own!)).toEqual([[2, 39]])
        live.publish(1, "fuel", fuel(3, 38))
        live.publish(1, "engine", oil)
        live.publish(1, "fuel", fuel(4, 37))
        live.publish(2, "fuel", fuel(4, 37))
        yield* upToPoints(5)
        expect(samplesOf(own!)).toEqual([
          [2, 39],
          [3, 4, 38, 37]
        ])
        // The others get no samples.
        const others = received.slice(1)
        expect(others.flatMap(samplesOf)).toEqual([])
        server!.publish({ type: "watch", watched: [] })
        // Nothing orders what two receivers hear: the recorder knows it a little later.
        let time = 6
        yield* Effect.eventually(
          Effect.suspend(() => {
            const before = samplesOf(own!).length
            live.publish(1, "fuel", fuel(time++, 36))
            return Effect.flatMap(upToPoints(time++), () =>
              samplesOf(own!).length === before ? Effect.void : Effect.fail("still watched")
            )
          })
        )
      }))

    test("carries the newest status to all servers, including later ones, until the recorder ends", (rig) =>
      Effect.gen(function* () {
        const scope = yield* Scope.make()
        const unavailable = { _tag: "StoreUnavailable", store: "recording" }
        for (const server of rig.servers)
          expect(yield* Effect.flip(newestStatus(server))).toMatchObject(unavailable)
        yield* Scope.extend(recording(rig), scope)
        rig.recorder.publishStatus(status)
        const observed = yield* Effect.forEach(rig.servers, (server) =>
          Effect.gen(function* () {
            // Not by `eventually`, which would leave the channels no time.
            yield* Effect.retry(newestStatus(server), Schedule.spaced("1 millis"))
            const seen = yield* Queue.unbounded<SimulatorsStatus>()
            const ended = yield* Effect.fork(
              Effect.flip(Stream.runForEach(server.statusChanges, (one) => Queue.offer(seen, one)))
            )
            return { seen, ended }
          })
        )
        for (const { seen } of observed) expect(yield* Queue.take(seen)).toEqual(status)
        const later = { ...status, lastArrival: 2.5 }
        rig.recorder.publishStatus(later)
        for (const { seen } of observed) expect(yield* Queue.take(seen)).toEqual(later)
        for (const server of rig.servers) expect(yield* newestStatus(server)).toEqual(Option.some(later))
        yield* Scope.close(scope, Exit.void)
        for (const { ended } of observed) expect(yield* Fiber.join(ended)).toMatchObject(unavailable)
        for (const server of rig.servers)
          expect(yield* Effect.flip(newestStatus(server))).toMatchObject(unavailable)
      }))

    test("carries updates of one server to all of them", (rig) =>
      Effect.gen(function* () {
        const received = yield* receiving(rig.servers)
        for (const [index, server] of rig.servers.entries()) {
          server.publish({ type: "rate", hz: index + 1 })
          yield* until(() => received.every(({ length }) => length === index + 1))
        }
        const rates = rig.servers.map((_, index) => ({ type: "rate", hz: index + 1 }))
        for (const update of received) expect(update).toEqual(rates)
      }))

    test("sends nothing to a server that has stopped listening", (rig) =>
      Effect.gen(function* () {
        const scope = yield* Scope.make()
        const gone = yield* Scope.extend(receiving(rig.servers), scope)
        const received = yield* receiving(rig.servers)
        yield* Scope.close(scope, Exit.void)
        rig.recorder.publish({ type: "rate", hz: 1 })
        yield* until(() => received.every(({ length }) => length === 1))
        expect(gone.flat()).toEqual([])
      }))

    test("adds up the counts of all processes, at every server", (rig) =>
      Effect.gen(function* () {
        yield* recording(rig)
        yield* rig.recorder.count(Effect.succeed([gauge("recorded", "", 1)]))
        for (const [index, server] of rig.servers.entries()) {
          yield* server.count(Effect.succeed([gauge(`served_${index}`, "", 1)]))
        }
        for (const server of rig.servers) {
          const names = (yield* server.counts).map((family) => family.name)
          expect(names.toSorted()).toEqual(["recorded", ...rig.servers.map((_, index) => `served_${index}`)])
        }
      }))
  })
}
