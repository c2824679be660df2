import { describe, expect } from "@effect/vitest"
import { Effect, Fiber, TestClock } from "effect"
import {
  AlreadyConnected,
  NotASimulator,
  SessionBeingRecorded,
  SessionNotFound,
  SimulatorRefused,
  StoreUnavailable,
  UnknownSimulator
} from "../../src/domain/errors.ts"
import { points, range, started } from "../recording/events.ts"
import { isDone, settle } from "../recording/fibers.ts"
import { accepting, FakeDriver, refusing } from "./fakeDriver.ts"
import { answering, connecting, request, states } from "./simulators.ts"

describe("connect", () => {
  connecting("answers when the handshake has succeeded", ({ simulators, fake }) =>
    Effect.gen(function* () {
      const asking = yield* Effect.fork(simulators.connect(request()))
      expect(yield* isDone(asking)).toBe(false)
      expect(yield* states(simulators)).toEqual([[9, "connecting"]])
      yield* fake.last.accept
      expect(yield* Fiber.join(asking)).toEqual({
        host: "rig",
        port: 9,
        appName: "test",
        simulator: "fake",
        sessionId: null
      })
      expect(fake.last.options).toMatchObject({ host: "rig", port: 9, appName: "test", rate: 60 })
      expect(yield* states(simulators)).toEqual([[9, "connected"]])
    })
  )

  connecting(
    "to other names of an address that is connected changes nothing, and any of them ends it",
    ({ simulators, fake }) =>
      Effect.gen(function* () {
        for (const host of ["127.0.0.1", "localhost", "127.1", "LOCALHOST"]) {
          expect(yield* simulators.connect(request({ host }))).toMatchObject({ host: "127.0.0.1", port: 9 })
        }
        expect(fake.dialled).toHaveLength(1)
        expect(
          yield* Effect.flip(simulators.connect(request({ host: "localhost", appName: "x" })))
        ).toBeInstanceOf(AlreadyConnected)
        // Another address, and another port.
        yield* simulators.connect(request({ host: "127.0.0.2" }))
        yield* simulators.connect(request({ host: "localhost", port: 10 }))
        expect(fake.dialled).toHaveLength(3)
        expect(yield* simulators.disconnect({ host: "localhost", port: 9 })).toBe(1)
        expect(yield* states(simulators)).toEqual([
          [9, "connected"],
          [10, "connected"]
        ])
      }),
    answering(accepting)
  )

  connecting("answers why it has failed, and leaves nothing behind", ({ simulators, fake }) =>
    Effect.gen(function* () {
      const address = { host: "rig", port: 9 }
      for (const error of [
        new SimulatorRefused({ address, reason: "ECONNREFUSED" }),
        new NotASimulator({ address, simulator: "fake", reason: "no" })
      ]) {
        fake.answer = (dial) => dial.fail(error)
        const { _tag, reason } = error
        expect(yield* Effect.flip(simulators.connect(request()))).toMatchObject({ _tag, address, reason })
        expect(fake.open).toBe(0)
        expect(yield* simulators.status).toEqual({ connections: [], listening: [], lastArrival: null })
      }
    })
  )

  connecting(
    "answers that the simulator is silent after the time-out, and closes the link",
    ({ simulators, fake }) =>
      Effect.gen(function* () {
        const asking = yield* Effect.fork(Effect.flip(simulators.connect(request())))
        yield* TestClock.adjust("4999 millis")
        expect(yield* isDone(asking)).toBe(false)
        yield* TestClock.adjust("1 millis")
        expect(yield* Fiber.join(asking)).toMatchObject({
          _tag: "SimulatorSilent",
          address: { host: "rig", port: 9 },
          seconds: 5,
          chosenByPort: undefined
        })
        expect(fake.open).toBe(0)
        expect(yield* states(simulators)).toEqual([])
      })
  )

  connecting("reports of a silent simulator whether its port alone chose the driver", ({ simulators }) =>
    Effect.gen(function* () {
      const { simulator: _, ...unnamed } = request({ port: 7 })
      for (const [asked, chosenByPort] of [
        [unnamed, "fake"],
        [request({ port: 7 }), undefined]
      ] as const) {
        const asking = yield* Effect.fork(Effect.flip(simulators.connect(asked)))
        yield* TestClock.adjust("5 seconds")
        expect(yield* Fiber.join(asking)).toMatchObject({ _tag: "SimulatorSilent", chosenByPort })
      }
    })
  )

  connecting(
    "names the datagrams that came instead, but only some if there are many",
    ({ simulators, fake }) =>
      Effect.gen(function* () {
        const asking = yield* Effect.fork(Effect.flip(simulators.connect(request())))
        yield* settle
        const known = { game: "Another game", advice: "choose ours" }
        const { onUnexpected } = fake.last.options
        for (let n = 0; n < 100_000; n++) onUnexpected!(1000 + (n % 500), n === 7 ? known : undefined)
        onUnexpected!(1, { game: "A later one", advice: "" })
        yield* TestClock.adjust("5 seconds")
        expect(yield* Fiber.join(asking)).toMatchObject({
          _tag: "SimulatorSilent",
          heard: { datagrams: 100_001, lengths: [1000, 1001, 1002], hasOthers: true, known }
        })
      })
  )

  connecting("knows the drivers by name or else by port, and lists them", ({ simulators, fake }) =>
    Effect.gen(function* () {
      fake.answer = accepting
      const unknown = yield* Effect.flip(simulators.connect(request({ simulator: "forza" })))
      expect(unknown).toMatchObject({ _tag: "UnknownSimulator", simulator: "forza", known: ["fake"] })
      const { simulator: _, ...unnamed } = request()
      expect((yield* simulators.connect({ ...unnamed, port: 7 })).simulator).toBe("fake")
      expect(yield* Effect.flip(simulators.connect({ ...unnamed, port: 8 }))).toBeInstanceOf(UnknownSimulator)
    })
  )

  connecting(
    "takes a port without a driver for one of the native feed",
    ({ simulators }) =>
      Effect.gen(function* () {
        const { simulator: _, ...unnamed } = request({ port: 8 })
        expect((yield* simulators.connect(unnamed)).simulator).toBe("native")
      }),
    () => {
      const fake = new FakeDriver({ name: "native" })
      fake.answer = accepting
      return fake
    }
  )

  connecting(
    "with the same settings joins the one under way, and once connected changes nothing",
    ({ simulators, fake }) =>
      Effect.gen(function* () {
        const asking = yield* Effect.fork(
          Effect.all([simulators.connect(request()), simulators.connect(request({ host: "RIG" }))], {
            concurrency: 2
          })
        )
        yield* settle
        expect(fake.dialled.length).toBe(1)
        yield* fake.last.accept
        const [one, two] = yield* Fiber.join(asking)
        expect(two).toEqual(one)
        expect(yield* simulators.connect(request())).toEqual(one)
        expect(fake.dialled.length).toBe(1)
      })
  )

  for (const more of [{ appName: "other" }, { circuit: "Spa" }, { driver: "Ben" }, { sessionId: 1 }]) {
    connecting(
      `with other settings is refused, connecting and connected: ${JSON.stringify(more)}`,
      ({ simulators, fake }) =>
        Effect.gen(function* () {
          const asking = yield* Effect.fork(simulators.connect(request()))
          yield* settle
          const other = Effect.flip(simulators.connect(request(more)))
          expect(yield* other).toBeInstanceOf(AlreadyConnected)
          yield* fake.last.accept
          yield* Fiber.join(asking)
          expect(yield* other).toBeInstanceOf(AlreadyConnected)
          expect(yield* states(simulators)).toEqual([[9, "connected"]])
        })
    )
  }

  connecting(
    "several at once make a connection each",
    ({ simulators, store, fake }) =>
      Effect.gen(function* () {
        const ports = [11, 12, 13]
        yield* Effect.forEach(ports, (port) => simulators.connect(request({ port })), { concurrency: 3 })
        for (const [i, dial] of fake.dialled.entries()) {
          yield* dial.send(started({ driver: `Driver ${i}` }), points(range(0, 10 + i)))
        }
        yield* settle
        expect(yield* simulators.disconnect({ host: "rig", port: 12 })).toBe(1)
        expect((yield* states(simulators)).map(([port]) => port)).toEqual([11, 13])
        expect(yield* simulators.disconnect(undefined)).toBe(2)
        expect(store.rows.sessionIds().map((id) => store.timesOf(id).length)).toEqual([10, 11, 12])
      }),
    answering(accepting)
  )

  connecting("leaves nothing behind when it fails after its user gave up", ({ simulators, fake }) =>
    Effect.gen(function* () {
      const asking = yield* Effect.fork(simulators.connect(request()))
      yield* settle
      yield* Fiber.interrupt(asking)
      expect(yield* states(simulators)).toEqual([[9, "connecting"]])
      yield* refusing(fake.last)
      yield* settle
      expect(yield* states(simulators)).toEqual([])
    })
  )
})

describe("connect into a session that the user names", () => {
  connecting(
    "needs an existing session, into which no other connection records",
    ({ simulators, store, fake }) =>
      Effect.gen(function* () {
        const connect = simulators.connect(request({ sessionId: 1 }))
        expect(yield* Effect.flip(connect)).toBeInstanceOf(SessionNotFound)
        expect(fake.dialled.length).toBe(0)
        store.add({}, true)
        expect(yield* Effect.flip(connect)).toBeInstanceOf(SessionBeingRecorded)
        expect(fake.open).toBe(0)
        expect(yield* states(simulators)).toEqual([])
        store.sessions.get(1)!.recording = false
        expect((yield* connect).sessionId).toBe(1)
      }),
    answering(accepting)
  )

  connecting(
    "reports the session into which it records, also if that session has ended",
    ({ simulators, store, fake }) =>
      Effect.gen(function* () {
        store.add()
        yield* simulators.connect(request({ sessionId: 1 }))
        const recorded = Effect.map(simulators.status, ({ connections }) => connections[0]?.sessionId)
        expect(yield* recorded).toBe(1)
        yield* fake.last.send(started(), { _tag: "SessionEnded" })
        yield* settle
        expect(yield* recorded).toBeNull()
        yield* fake.last.send(started())
        yield* settle
        expect(yield* recorded).toBe(2)
      }),
    answering(accepting)
  )

  connecting(
    "fails with the store, and can be tried again",
    ({ simulators, store }) =>
      Effect.gen(function* () {
        store.add()
        for (const call of ["configuration", "session", "claimSession", "bounds", "laps"] as const) {
          store.fail(call, 1)
          const error = yield* Effect.flip(simulators.connect(request({ sessionId: 1 })))
          expect(error).toBeInstanceOf(StoreUnavailable)
          yield* settle
        }
        expect((yield* simulators.connect(request({ sessionId: 1 }))).sessionId).toBe(1)
      }),
    answering(accepting)
  )
})
