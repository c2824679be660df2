import { describe, expect } from "@effect/vitest"
import { Effect, Fiber, TestClock } from "effect"
import { ConnectInterrupted } from "../../src/domain/errors.ts"
import { lap, points, range, started } from "../recording/events.ts"
import { isDone, settle } from "../recording/fibers.ts"
import { accepting } from "./fakeDriver.ts"
import { answering, connecting, request, states } from "./simulators.ts"

describe("disconnect", () => {
  connecting(
    "interrupts a connect that hangs, and that connect fails with the reason",
    ({ simulators, fake }) =>
      Effect.gen(function* () {
        const asking = yield* Effect.fork(Effect.flip(simulators.connect(request())))
        yield* settle
        expect(yield* simulators.disconnect({ host: "Rig", port: 9 })).toBe(1)
        expect(yield* Fiber.join(asking)).toBeInstanceOf(ConnectInterrupted)
        expect(fake.open).toBe(0)
        expect(yield* states(simulators)).toEqual([])
      })
  )

  connecting("is no error if nothing is connected, and no error the second time", ({ simulators, fake }) =>
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
        yield* fake.last.send(started(), points(range(0, 100)))
        yield* settle
        const latch = store.hold("write")
        yield* fake.last.send(points(range(100, 200)))
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
    "stores events that were not taken yet, and those that come only with the end of the link",
    ({ simulators, store, fake }) =>
      Effect.gen(function* () {
        fake.rest = [points([2, 3]), lap(1, { lapTime: 2, start: 1, end: 3, valid: true })]
        yield* simulators.connect(request())
        yield* fake.last.send(started({ tellsLaps: true }), points([1]))
        yield* settle
        yield* simulators.disconnect(undefined)
        expect(store.timesOf(1)).toEqual([1001, 1002, 1003])
        expect(store.lapsOf(1).map((one) => [one.lapNumber, one.lapTime, one.valid])).toEqual([
          [1, 2, true],
          [2, null, false]
        ])
      }),
    answering(accepting)
  )

  connecting(
    "is followed by a connect that finds the old session stored and closed",
    ({ simulators, store, fake }) =>
      Effect.gen(function* () {
        yield* simulators.connect(request())
        yield* fake.last.send(started(), points([1]))
        yield* settle
        const latch = store.hold("seal")
        const leaving = yield* Effect.fork(simulators.disconnect(undefined))
        yield* settle
        const again = yield* Effect.fork(simulators.connect(request({ sessionId: 1 })))
        expect(yield* isDone(again)).toBe(false)
        yield* latch.open
        yield* Fiber.join(leaving)
        expect((yield* Fiber.join(again)).sessionId).toBe(1)
      }),
    answering(accepting)
  )

  connecting(
    "leaves the time of the last telemetry",
    ({ simulators, fake }) =>
      Effect.gen(function* () {
        yield* TestClock.setTime(50_000)
        yield* simulators.connect(request())
        yield* fake.last.send(started(), points([1]))
        yield* settle
        yield* TestClock.setTime(90_000)
        yield* simulators.disconnect(undefined)
        expect(yield* simulators.status).toEqual({ connections: [], listening: [], lastArrival: 50 })
      }),
    answering(accepting)
  )
})
