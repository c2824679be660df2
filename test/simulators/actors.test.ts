import { describe, expect, it } from "@effect/vitest"
import { Effect, Either, Exit, Fiber, Supervisor } from "effect"
import type { ConnectError } from "../../src/domain/errors.ts"
import { Drivers } from "../../src/simulators/Driver.ts"
import * as Simulators from "../../src/simulators/connection/Simulators.ts"
import { points, range, started } from "../recording/events.ts"
import { settle } from "../recording/fibers.ts"
import { MemoryStore } from "../recording/memoryStore.ts"
import { accepting, drivers, FakeDriver, refusing } from "./fakeDriver.ts"
import { answering, connecting, request, simulatorsLayer, states } from "./simulators.ts"

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

  connecting(
    "survive many connects and disconnects at once, and end in order",
    ({ simulators, store, fake }) =>
      Effect.gen(function* () {
        let dials = 0
        fake.answer = (dial) => (dials++ % 3 === 0 ? refusing(dial) : accepting(dial))
        const outcomes = yield* Effect.forEach(
          Array.from({ length: 400 }, (_, i) => i),
          (i): Effect.Effect<Either.Either<unknown, ConnectError>> => {
            const address = { host: "rig", port: 1 + (i % 3) }
            const attempt: Effect.Effect<unknown, ConnectError> =
              i % 4 === 3
                ? simulators.disconnect(i % 8 === 3 ? undefined : address)
                : simulators.connect(request({ ...address, appName: i % 5 === 0 ? "b" : "a" }))
            return Effect.zipLeft(Effect.either(attempt), settle)
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
          yield* fake.last.send(started(), points(range(0, 50)))
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

  it.effect("fall back to the native driver if no driver claims the port", () =>
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
