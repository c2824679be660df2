import { describe, expect, it } from "@effect/vitest"
import { Effect, Either, Exit, Fiber, Scope, Supervisor, TestClock } from "effect"
import {
  AlreadyConnected,
  type ConnectError,
  ConnectInterrupted,
  NotASimulator,
  SessionBeingRecorded,
  SessionNotFound,
  SimulatorRefused,
  StoreUnavailable,
  UnknownSimulator
} from "../../src/domain/errors.ts"
import { Drivers } from "../../src/simulators/Driver.ts"
import * as Simulators from "../../src/simulators/Simulators.ts"
import { points, range, started } from "../recording/events.ts"
import { isDone, settle } from "../recording/fibers.ts"
import { MemoryStore } from "../recording/memoryStore.ts"
import { accepting, drivers, FakeDriver, refusing } from "./fakeDriver.ts"
import { connecting, request, simulatorsLayer } from "./simulators.ts"

const answering = (answer: FakeDriver["answer"]) => () => {
  const fake = new FakeDriver()
  fake.answer = answer
  return fake
}

const states = (simulators: typeof Simulators.Simulators.Service) =>
  Effect.map(simulators.status, ({ connections }) => connections.map(({ port, state }) => [port, state]))

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
        app_name: "test",
        simulator: "fake",
        session_id: null
      })
      expect(fake.last.options).toMatchObject({ host: "rig", port: 9, appName: "test", rate: 60 })
      expect(yield* states(simulators)).toEqual([[9, "connected"]])
    })
  )

  connecting("answers why it has failed, and nothing is left", ({ simulators, fake }) =>
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
        expect(yield* simulators.status).toEqual({ connections: [], lastArrival: null })
      }
    })
  )

  connecting(
    "answers that the simulator is silent after the time-out, and hangs up",
    ({ simulators, fake }) =>
      Effect.gen(function* () {
        const asking = yield* Effect.fork(Effect.flip(simulators.connect(request())))
        yield* TestClock.adjust("4999 millis")
        expect(yield* isDone(asking)).toBe(false)
        yield* TestClock.adjust("1 millis")
        expect(yield* Fiber.join(asking)).toMatchObject({
          _tag: "SimulatorSilent",
          address: { host: "rig", port: 9 },
          seconds: 5
        })
        expect(fake.open).toBe(0)
        expect(yield* states(simulators)).toEqual([])
      })
  )

  connecting("knows the drivers by name, else by port, and says which there are", ({ simulators, fake }) =>
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

  for (const more of [{ app_name: "other" }, { circuit: "Spa" }, { driver: "Ben" }, { session_id: 1 }]) {
    connecting(
      `with other settings is turned down, connecting and connected: ${JSON.stringify(more)}`,
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
    "several at once are each their own",
    ({ simulators, store, fake }) =>
      Effect.gen(function* () {
        const ports = [11, 12, 13]
        yield* Effect.forEach(ports, (port) => simulators.connect(request({ port })), { concurrency: 3 })
        for (const [i, dial] of fake.dialled.entries()) {
          yield* dial.say(started({ driver: `Driver ${i}` }), points(range(0, 10 + i)))
        }
        yield* settle
        expect(yield* simulators.disconnect({ host: "rig", port: 12 })).toBe(1)
        expect((yield* states(simulators)).map(([port]) => port)).toEqual([11, 13])
        expect(yield* simulators.disconnect(undefined)).toBe(2)
        expect([...store.points.values()].map((times) => times.length)).toEqual([10, 11, 12])
      }),
    answering(accepting)
  )

  connecting(
    "a user who gives up the wait leaves nothing either when it fails after all",
    ({ simulators, fake }) =>
      Effect.gen(function* () {
        const scope = yield* Scope.make()
        const asking = yield* Effect.fork(simulators.connect(request()))
        yield* settle
        yield* Fiber.interrupt(asking)
        expect(yield* states(simulators)).toEqual([[9, "connecting"]])
        yield* refusing(fake.last)
        yield* settle
        expect(yield* states(simulators)).toEqual([])
        yield* Scope.close(scope, Exit.void)
      })
  )
})

describe("connect into a session that the user names", () => {
  connecting(
    "must find it, and find nobody else recording into it",
    ({ simulators, store, fake }) =>
      Effect.gen(function* () {
        const connect = simulators.connect(request({ session_id: 1 }))
        expect(yield* Effect.flip(connect)).toBeInstanceOf(SessionNotFound)
        expect(fake.dialled.length).toBe(0)
        store.add({}, true)
        expect(yield* Effect.flip(connect)).toBeInstanceOf(SessionBeingRecorded)
        expect(fake.open).toBe(0)
        expect(yield* states(simulators)).toEqual([])
        store.sessions.get(1)!.recording = false
        expect((yield* connect).session_id).toBe(1)
      }),
    answering(accepting)
  )

  connecting(
    "says in which session it records, also when that one has ended",
    ({ simulators, store, fake }) =>
      Effect.gen(function* () {
        store.add()
        yield* simulators.connect(request({ session_id: 1 }))
        const recorded = Effect.map(simulators.status, ({ connections }) => connections[0]?.session_id)
        expect(yield* recorded).toBe(1)
        yield* fake.last.say(started(), { _tag: "SessionEnded" })
        yield* settle
        expect(yield* recorded).toBeNull()
        yield* fake.last.say(started())
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
          const error = yield* Effect.flip(simulators.connect(request({ session_id: 1 })))
          expect(error).toBeInstanceOf(StoreUnavailable)
          yield* settle
        }
        expect((yield* simulators.connect(request({ session_id: 1 }))).session_id).toBe(1)
      }),
    answering(accepting)
  )
})

describe("disconnect", () => {
  connecting("interrupts a connect that hangs, and tells it so", ({ simulators, fake }) =>
    Effect.gen(function* () {
      const asking = yield* Effect.fork(Effect.flip(simulators.connect(request())))
      yield* settle
      expect(yield* simulators.disconnect({ host: "Rig", port: 9 })).toBe(1)
      expect(yield* Fiber.join(asking)).toBeInstanceOf(ConnectInterrupted)
      expect(fake.open).toBe(0)
      expect(yield* states(simulators)).toEqual([])
    })
  )

  connecting("with nothing connected is no error, and twice neither", ({ simulators, fake }) =>
    Effect.gen(function* () {
      expect(yield* simulators.disconnect(undefined)).toBe(0)
      expect(yield* simulators.disconnect({ host: "rig", port: 9 })).toBe(0)
      fake.answer = accepting
      yield* simulators.connect(request())
      expect(yield* simulators.disconnect({ host: "other", port: 9 })).toBe(0)
      expect(yield* simulators.disconnect(undefined)).toBe(1)
      expect(yield* simulators.disconnect(undefined)).toBe(0)
    })
  )

  connecting(
    "answers when everything received is stored, and the link is closed",
    ({ simulators, store, fake }) =>
      Effect.gen(function* () {
        yield* simulators.connect(request())
        yield* fake.last.say(started(), points(range(0, 100)))
        yield* settle
        const latch = store.hold("write")
        yield* fake.last.say(points(range(100, 200)))
        yield* settle
        const leaving = yield* Effect.fork(simulators.disconnect(undefined))
        yield* TestClock.adjust("1 minute")
        expect(yield* isDone(leaving)).toBe(false)
        yield* latch.open
        expect(yield* Fiber.join(leaving)).toBe(1)
        expect(store.timesOf(1)).toEqual(range(1000, 1200))
        expect(store.sessions.get(1)!.recording).toBe(false)
        expect(fake.open).toBe(0)
      }),
    answering(accepting)
  )

  connecting(
    "is followed by a connect that finds the old session stored and closed",
    ({ simulators, store, fake }) =>
      Effect.gen(function* () {
        yield* simulators.connect(request())
        yield* fake.last.say(started(), points([1]))
        yield* settle
        const latch = store.hold("seal")
        const leaving = yield* Effect.fork(simulators.disconnect(undefined))
        yield* settle
        const again = yield* Effect.fork(simulators.connect(request({ session_id: 1 })))
        expect(yield* isDone(again)).toBe(false)
        yield* latch.open
        yield* Fiber.join(leaving)
        expect((yield* Fiber.join(again)).session_id).toBe(1)
      }),
    answering(accepting)
  )

  connecting(
    "leaves the time of the last telemetry",
    ({ simulators, fake }) =>
      Effect.gen(function* () {
        yield* TestClock.setTime(50_000)
        yield* simulators.connect(request())
        yield* fake.last.say(started(), points([1]))
        yield* settle
        yield* TestClock.setTime(90_000)
        yield* simulators.disconnect(undefined)
        expect(yield* simulators.status).toEqual({ connections: [], lastArrival: 50 })
      }),
    answering(accepting)
  )
})

describe("connections", () => {
  for (const patient of [true, false]) {
    it.effect(`that fail leave no actor behind, though their user ${patient ? "waits" : "has gone"}`, () =>
      Effect.gen(function* () {
        const fake = new FakeDriver()
        const fibers = yield* Supervisor.track
        yield* Effect.gen(function* () {
          const simulators = yield* Simulators.Simulators
          const tryInVain = Effect.fnUntraced(function* (port: number) {
            const asking = yield* Effect.fork(Effect.flip(simulators.connect(request({ port }))))
            while (fake.open === 0) yield* Effect.yieldNow()
            if (!patient) yield* Fiber.interrupt(asking)
            yield* refusing(fake.last)
            yield* Fiber.await(asking)
            while (fake.open > 0) yield* Effect.yieldNow()
          })
          yield* Effect.forEach(range(1, 500), tryInVain).pipe(Effect.supervised(fibers))
          yield* settle
          expect(yield* states(simulators)).toEqual([])
          expect((yield* fibers.value).length).toBe(0)
        }).pipe(Effect.provide(simulatorsLayer(fake, new MemoryStore())))
      })
    )
  }

  connecting("survive a storm of connects and disconnects, and end in order", ({ simulators, store, fake }) =>
    Effect.gen(function* () {
      let dials = 0
      fake.answer = (dial) => (dials++ % 3 === 0 ? refusing(dial) : accepting(dial))
      const outcomes = yield* Effect.forEach(
        Array.from({ length: 400 }, (_, i) => i),
        (i): Effect.Effect<Either.Either<unknown, ConnectError>> => {
          const address = { host: "rig", port: 1 + (i % 3) }
          const asked: Effect.Effect<unknown, ConnectError> =
            i % 4 === 3
              ? simulators.disconnect(i % 8 === 3 ? undefined : address)
              : simulators.connect(request({ ...address, app_name: i % 5 === 0 ? "b" : "a" }))
          return Effect.zipLeft(Effect.either(asked), settle)
        },
        { concurrency: 40 }
      )
      const tags = outcomes.map((outcome) => (Either.isLeft(outcome) ? outcome.left._tag : "ok"))
      const allowed = ["ok", "AlreadyConnected", "ConnectInterrupted", "SimulatorRefused"]
      expect(allowed).toEqual(expect.arrayContaining(tags))
      yield* simulators.disconnect(undefined)
      expect(fake.open).toBe(0)
      expect(yield* states(simulators)).toEqual([])
      expect([...store.sessions.values()].filter((kept) => kept.recording)).toEqual([])
    })
  )

  it.effect("end with their layer, and what they received is stored", () =>
    Effect.gen(function* () {
      const fake = answering(accepting)()
      const store = new MemoryStore()
      const hanging = yield* Effect.gen(function* () {
        const simulators = yield* Simulators.Simulators
        for (const port of [1, 2]) {
          yield* simulators.connect(request({ port }))
          yield* fake.last.say(started(), points(range(0, 50)))
        }
        fake.answer = undefined
        const hanging = yield* Effect.forkDaemon(Effect.exit(simulators.connect(request({ port: 3 }))))
        yield* settle
        return hanging
      }).pipe(Effect.provide(simulatorsLayer(fake, store)))
      expect(fake.open).toBe(0)
      expect(store.timesOf(1).length).toBe(50)
      expect(store.timesOf(2).length).toBe(50)
      expect([...store.sessions.values()].map((kept) => kept.recording)).toEqual([false, false])
      expect(Exit.isFailure(yield* Fiber.join(hanging))).toBe(true)
    })
  )

  it.effect("fall back to the native driver where no driver claims the port", () =>
    Effect.gen(function* () {
      const found = yield* Drivers
      expect((yield* found.find(undefined, 1)).name).toBe("native")
      expect((yield* found.find(undefined, 7)).name).toBe("fake")
      expect((yield* found.find("native", 7)).name).toBe("native")
    }).pipe(
      Effect.provide(
        drivers(new FakeDriver().driver, new FakeDriver({ name: "native", ports: [9100] }).driver)
      )
    )
  )
})
