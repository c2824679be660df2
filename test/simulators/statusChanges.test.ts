/** Observers of the connections get each changed status: at once, and at most four times a second. */
import { describe, expect } from "@effect/vitest"
import { Effect, Fiber, Stream, TestClock } from "effect"
import type { SimulatorsStatus } from "../../src/simulators/connection/SimulatorsStatus.ts"
import { points, range, started } from "../recording/events.ts"
import { settle } from "../recording/fibers.ts"
import { accepting } from "./fakeDriver.ts"
import { answering, connecting, request, type Rig } from "./simulators.ts"

/** Collects each status from now on: state, session, and points received and stored of each connection. */
const observing = Effect.fnUntraced(function* ({ simulators }: Rig) {
  const seen: Array<ReadonlyArray<readonly [string, number | null, number, number]>> = []
  const see = ({ connections }: SimulatorsStatus) =>
    Effect.sync(() =>
      seen.push(
        connections.map(
          ({ pointsReceived, pointsStored, sessionId, state }) =>
            [state, sessionId, pointsReceived, pointsStored] as const
        )
      )
    )
  const fiber = yield* Effect.fork(Stream.runForEach(simulators.statusChanges, see))
  yield* settle
  return { seen, stop: Fiber.interrupt(fiber) }
})

/** Observing a simulator that has been connected for a second. */
const observingConnected = Effect.fnUntraced(function* (rig: Rig) {
  yield* rig.simulators.connect(request())
  yield* TestClock.adjust("1 second")
  return yield* observing(rig)
})

describe("the status that others observe", () => {
  connecting("is there at once, and changes with each state of a connection", (rig) =>
    Effect.gen(function* () {
      const { fake, simulators } = rig
      const { seen, stop } = yield* observing(rig)
      expect(seen).toEqual([[]])
      const connected = yield* Effect.fork(simulators.connect(request()))
      yield* settle
      // Without any time: nothing had changed before.
      expect(seen).toEqual([[], [["connecting", null, 0, 0]]])
      yield* fake.last.accept
      yield* Fiber.join(connected)
      yield* TestClock.adjust("1 second")
      expect(seen.slice(2)).toEqual([[["connected", null, 0, 0]]])
      yield* fake.last.lose
      yield* settle
      expect(seen.slice(3)).toEqual([[["reconnecting", null, 0, 0]]])
      yield* simulators.disconnect(undefined)
      yield* TestClock.adjust("1 second")
      expect(seen.slice(4)).toEqual([[]])
      const late = yield* observing(rig)
      expect(late.seen).toEqual([[]])
      yield* Effect.all([stop, late.stop])
    })
  )

  connecting(
    "is taken at most four times a second while points arrive, ends with what is stored, and rests while nothing changes",
    (rig) =>
      Effect.gen(function* () {
        const { fake } = rig
        const { seen, stop } = yield* observingConnected(rig)
        yield* fake.last.send(started())
        yield* settle
        expect(seen).toEqual([[["connected", null, 0, 0]], [["connected", 1, 0, 0]]])
        const before = seen.length
        for (let i = 0; i < 40; i++) {
          yield* fake.last.send(points(range(i, i + 1)))
          yield* TestClock.adjust("50 millis")
        }
        // In two seconds.
        expect(seen.length - before).toBeGreaterThanOrEqual(7)
        expect(seen.length - before).toBeLessThanOrEqual(9)
        yield* TestClock.adjust("5 seconds")
        expect(seen.at(-1)).toEqual([["connected", 1, 40, 40]])
        const { length } = seen
        yield* TestClock.adjust("5 seconds")
        expect(seen).toHaveLength(length)
        const texts = seen.map((one) => JSON.stringify(one))
        expect(new Set(texts).size).toBe(texts.length)
        yield* stop
      }),
    answering(accepting)
  )

  connecting(
    "has no change that is undone before the status is taken",
    (rig) =>
      Effect.gen(function* () {
        const { fake, simulators } = rig
        const { seen, stop } = yield* observingConnected(rig)
        yield* simulators.connect(request({ port: 10 }))
        yield* settle
        expect(seen.map((connections) => connections.length)).toEqual([1, 2])
        yield* TestClock.adjust("200 millis")
        const { length } = seen
        // Before the quarter of a second is over, another comes and goes.
        yield* simulators.connect(request({ port: 11 }))
        yield* settle
        yield* simulators.disconnect({ host: "rig", port: 11 })
        expect(fake.dialled).toHaveLength(3)
        yield* TestClock.adjust("1 second")
        expect(seen.every((connections) => connections.length < 3)).toBe(true)
        expect(seen.length - length).toBeLessThanOrEqual(1)
        const texts = seen.map((one) => JSON.stringify(one))
        texts.forEach((text, index) => expect(text).not.toBe(texts[index + 1]))
        yield* stop
      }),
    answering(accepting)
  )
})
