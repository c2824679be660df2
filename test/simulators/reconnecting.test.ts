import { describe, expect } from "@effect/vitest"
import { Effect, Fiber, TestClock } from "effect"
import { points, range, started } from "../recording/events.ts"
import { isDone, settle } from "../recording/fibers.ts"
import { accepting, refusing } from "./fakeDriver.ts"
import { connecting, request, type Rig } from "./simulators.ts"

const statusOf = ({ simulators }: Rig) => Effect.map(simulators.status, ({ connections }) => connections[0])

/** A connection that records a session. */
const established = Effect.fnUntraced(function* ({ simulators, fake }: Rig) {
  fake.answer = accepting
  yield* simulators.connect(request())
  yield* fake.last.send(started(), points(range(0, 10)))
  yield* settle
})

/** How long until it dials again, in steps. */
const pause = Effect.fnUntraced(function* ({ fake }: Rig, step = 50) {
  const before = fake.dialled.length
  let waited = 0
  yield* settle
  while (fake.dialled.length === before) {
    yield* TestClock.adjust(step)
    waited += step
  }
  return waited
})

describe("a link that is lost", () => {
  connecting("is opened again by itself, and its session goes on", (rig) =>
    Effect.gen(function* () {
      const { fake, simulators, store } = rig
      yield* established(rig)
      yield* fake.last.lose
      yield* settle
      expect(yield* statusOf(rig)).toMatchObject({ state: "reconnecting", sessionId: 1 })
      expect(fake.open).toBe(0)
      yield* pause(rig)
      yield* fake.last.send(started(), points(range(0, 20)))
      yield* TestClock.adjust("1 second")
      expect(yield* statusOf(rig)).toMatchObject({
        state: "connected",
        sessionId: 1,
        pointsReceived: 30,
        pointsStored: 20,
        pointsRejected: 10,
        rejected: { out_of_order: 10 }
      })
      yield* simulators.disconnect(undefined)
      expect(store.timesOf(1)).toEqual(range(1000, 1020))
      expect(store.sessions.size).toBe(1)
    })
  )

  connecting("is tried after pauses that double to a second, each a fifth longer or shorter", (rig) =>
    Effect.gen(function* () {
      const { fake } = rig
      yield* established(rig)
      fake.answer = refusing
      yield* fake.last.lose
      for (const expected of [250, 500, 1000, 1000, 1000]) {
        const step = expected / 20
        const waited = yield* pause(rig, step)
        expect(waited).toBeGreaterThanOrEqual(expected * 0.8)
        expect(waited).toBeLessThanOrEqual(expected * 1.2 + step)
      }
      expect(yield* statusOf(rig)).toMatchObject({ state: "reconnecting" })
      // A link that lasts begins the row anew.
      fake.answer = accepting
      yield* pause(rig, 1000)
      yield* TestClock.adjust("10 seconds")
      yield* fake.last.lose
      fake.answer = refusing
      expect(yield* pause(rig)).toBeLessThanOrEqual(350)
      expect(yield* pause(rig)).toBeLessThanOrEqual(650)
    })
  )

  connecting("is tried after pauses that grow, too, if each link breaks off at once", (rig) =>
    Effect.gen(function* () {
      yield* established(rig)
      for (const expected of [250, 500, 1000, 1000]) {
        yield* rig.fake.last.lose
        const waited = yield* pause(rig, expected / 20)
        expect(waited).toBeGreaterThanOrEqual(expected * 0.8)
      }
    })
  )

  connecting("is tried again if the simulator is silent, too", (rig) =>
    Effect.gen(function* () {
      const { fake } = rig
      yield* established(rig)
      fake.answer = undefined
      yield* fake.last.lose
      yield* pause(rig)
      yield* TestClock.adjust("5 seconds")
      expect(fake.open).toBe(0)
      yield* pause(rig)
      yield* fake.last.accept
      yield* settle
      expect(yield* statusOf(rig)).toMatchObject({ state: "connected" })
    })
  )

  connecting("pauses differ, so that many services do not return at once", (rig) =>
    Effect.gen(function* () {
      yield* established(rig)
      const pauses = new Set<number>()
      for (let i = 0; i < 8; i++) {
        yield* rig.fake.last.lose
        pauses.add(yield* pause(rig, 50))
      }
      expect(pauses.size).toBeGreaterThan(1)
    })
  )

  connecting("ends its session after 10 minutes, and is still tried", (rig) =>
    Effect.gen(function* () {
      const { fake, store } = rig
      yield* established(rig)
      fake.answer = refusing
      yield* fake.last.lose
      for (let i = 0; i < 21; i++) yield* TestClock.adjust("30 seconds")
      expect(store.sessions.get(1)!.recording).toBe(false)
      expect(yield* statusOf(rig)).toMatchObject({ state: "reconnecting", sessionId: null })
      fake.answer = accepting
      yield* pause(rig, 1000)
      yield* fake.last.send(started())
      yield* settle
      expect(yield* statusOf(rig)).toMatchObject({ state: "connected", sessionId: 2 })
    })
  )

  connecting("a disconnect ends the pause at once, and stores everything", (rig) =>
    Effect.gen(function* () {
      const { fake, simulators, store } = rig
      yield* established(rig)
      fake.answer = refusing
      yield* fake.last.lose
      for (let i = 0; i < 4; i++) yield* pause(rig)
      expect(yield* simulators.disconnect(undefined)).toBe(1)
      expect(store.timesOf(1)).toEqual(range(1000, 1010))
      expect(store.sessions.get(1)!.recording).toBe(false)
      const dials = fake.dialled.length
      yield* TestClock.adjust("1 hour")
      expect(fake.dialled.length).toBe(dials)
    })
  )

  connecting("a connect with the same settings answers while it is being opened again", (rig) =>
    Effect.gen(function* () {
      const { fake, simulators } = rig
      yield* established(rig)
      fake.answer = undefined
      yield* fake.last.lose
      yield* settle
      const again = yield* Effect.fork(simulators.connect(request()))
      expect(yield* isDone(again)).toBe(true)
      expect(yield* Fiber.join(again)).toMatchObject({ sessionId: 1 })
    })
  )
})

describe("the status of a connection", () => {
  connecting("counts what became of every point", (rig) =>
    Effect.gen(function* () {
      const { fake, simulators } = rig
      yield* established(rig)
      yield* TestClock.setTime(Date.parse("2026-02-13T09:30:00.250Z"))
      yield* fake.last.send(points([10, 11, 11], undefined, 5), { _tag: "Refused", reason: "x", points: 2 })
      yield* TestClock.adjust("200 millis")
      expect(yield* statusOf(rig)).toEqual({
        host: "rig",
        port: 9,
        appName: "test",
        simulator: "fake",
        state: "connected",
        sessionId: 1,
        pointsReceived: 15,
        pointsStored: 12,
        pointsDropped: 0,
        pointsRejected: 3,
        pointsDead: 0,
        rejected: { out_of_order: 1, malformed: 2 },
        samplesReceived: 0,
        samplesStored: 0,
        samplesDropped: 0,
        samplesRejected: 0,
        samplesDead: 0,
        samplesMissing: 0,
        samplesNotFinite: 0,
        messagesRefused: 1,
        notices: [{ reason: "x", count: 1 }],
        sessionsRefused: 0,
        lapsRefused: 0,
        foreignSender: 0,
        foreignSenders: [],
        forwarded: 0,
        notForwarded: 0,
        gaps: 1,
        pointsMissing: 5,
        datagramsUnknown: 0,
        lastTelemetry: Date.parse("2026-02-13T09:30:00.250Z") / 1000
      })
      yield* simulators.disconnect(undefined)
    })
  )
})
