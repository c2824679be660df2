import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber, TestClock } from "effect"
import { ended, lap, points, broken, range, refused, started } from "./events.ts"
import { isDone } from "./fibers.ts"
import { MemoryStore } from "./memoryStore.ts"
import { accounted, recorderOf, recording } from "./recording.ts"
import { withWriter } from "./rig.ts"

const names = ({ sessions }: MemoryStore) =>
  [...sessions.values()].map(({ session: { circuit, vehicle, driver } }) => [circuit, vehicle, driver])

describe("a recorder's sessions", () => {
  recording(
    "begin with the simulator's message and are announced to the audience at once",
    (recorder, store) =>
      Effect.gen(function* () {
        expect(recorder.sessionId()).toBeNull()
        yield* recorder.record([started({ datetime: 500 })])
        expect(recorder.sessionId()).toBe(1)
        expect(names(store)).toEqual([["Spa", "GT3", "Anna"]])
        expect(store.sessions.get(1)).toMatchObject({ recording: true, session: { datetime: 500 } })
        expect(store.announced).toMatchObject([{ type: "session", sessionId: 1 }])
      })
  )

  recording(
    "have the user's names if the simulator sends none, and Unknown if nobody names them",
    (recorder, store) =>
      Effect.gen(function* () {
        yield* recorder.record([started({ circuit: "", vehicle: "  ", driver: " Ben " })])
        yield* recorder.record([started({ circuit: "Spa", vehicle: "", driver: "" })])
        expect(names(store)).toEqual([
          ["Monza", "Unknown", "Ben"],
          ["Spa", "Unknown", "Unknown"]
        ])
      }),
    { names: { circuit: " Monza ", vehicle: "  " } }
  )

  recording("have names of at most 200 characters, and no character is cut in half", (recorder, store) =>
    Effect.gen(function* () {
      const long = "x".repeat(300)
      yield* recorder.record([
        started({ circuit: long, vehicle: `${"x".repeat(199)} y`, driver: `${"x".repeat(199)}🏁🏁` })
      ])
      expect(names(store)).toEqual([["x".repeat(200), "x".repeat(199), `${"x".repeat(199)}🏁`]])
      // The same long names again are the same session.
      yield* recorder.linkLost
      yield* recorder.record([
        started({ circuit: long, vehicle: "x".repeat(199), driver: `${"x".repeat(199)}🏁` })
      ])
      expect(recorder.sessionId()).toBe(1)
    })
  )

  recording("start at the clock's zero or now if the simulator does not state a start", (recorder, store) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(77_000)
      yield* recorder.record([started({ clockZero: 5000 }), started({ clockZero: undefined })])
      expect([...store.sessions.values()].map(({ session }) => session.datetime)).toEqual([5000, 77])
    })
  )

  recording("end with the simulator's message, and the next message begins another", (recorder, store) =>
    Effect.gen(function* () {
      yield* recorder.record([started(), points([1, 2]), ended, points([3]), started(), points([4])])
      expect(recorder.sessionId()).toBe(2)
      yield* recorder.close
      expect(recorder.sessionId()).toBeNull()
      expect(store.timesOf(1)).toEqual([1001, 1002])
      expect(store.timesOf(2)).toEqual([1004])
      expect([...store.sessions.values()].map((kept) => kept.recording)).toEqual([false, false])
      expect(recorder.counters.points.rejected.get("no_session")).toBe(1)
      expect(accounted(recorder)).toBe(true)
    })
  )

  recording("end if the same link begins another, even one of the same names", (recorder, store) =>
    Effect.gen(function* () {
      yield* recorder.record([started(), points([1]), started(), points([1])])
      yield* recorder.close
      expect(store.timesOf(1)).toEqual([1001])
      expect(store.timesOf(2)).toEqual([1001])
    })
  )

  recording("are all stored when close returns, also one that had ended before", (recorder, store) =>
    Effect.gen(function* () {
      const latch = store.hold("seal")
      yield* recorder.record([started(), points([1]), ended])
      const closing = yield* Effect.fork(recorder.close)
      expect(yield* isDone(closing)).toBe(false)
      yield* latch.open
      yield* Fiber.join(closing)
      expect(store.sessions.get(1)!.recording).toBe(false)
    })
  )

  recording("allow a close without a session, and a second close", (recorder) =>
    Effect.gen(function* () {
      yield* recorder.record([ended])
      yield* recorder.close
      yield* recorder.record([started()])
      yield* recorder.close
      yield* recorder.close
      expect(recorder.sessionId()).toBeNull()
    })
  )

  recording("are created although the catalog fails for a while", (recorder, store) =>
    Effect.gen(function* () {
      store.fail("createSession", 5)
      const starting = yield* Effect.fork(recorder.record([started(), points([1])]))
      expect(yield* isDone(starting)).toBe(false)
      yield* TestClock.adjust("1 minute")
      yield* Fiber.join(starting)
      yield* recorder.close
      expect(store.timesOf(1)).toEqual([1001])
    })
  )
})

describe("a recorder's points", () => {
  recording("are anchored by a sum of doubles, stored and shown live", (recorder, store) =>
    Effect.gen(function* () {
      const times = [0, 1 / 60, 0.1, 97.618]
      yield* recorder.record([started({ clockZero: 1770940800.123 }), points(times)])
      yield* recorder.close
      const expected = times.map((time) => 1770940800.123 + time)
      expect(store.timesOf(1)).toEqual(expected)
      expect(store.published).toEqual(expected.map((time) => [1, time]))
    })
  )

  recording("are anchored at their arrival if the feed does not state a start", (recorder, store) =>
    Effect.gen(function* () {
      yield* recorder.record([started({ clockZero: undefined })])
      yield* TestClock.setTime(5_000_000)
      yield* recorder.record([points([40, 41])])
      yield* TestClock.adjust("1 minute")
      yield* recorder.record([points([42])])
      yield* recorder.close
      expect(store.timesOf(1)).toEqual([5000, 5001, 5002])
    })
  )

  recording("are not anchored by a first time that is not a number", (recorder, store) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(5_000_000)
      yield* recorder.record([started({ clockZero: undefined }), points([Number.NaN]), points([])])
      yield* recorder.record([points([Infinity, 40]), points([41])])
      yield* recorder.close
      expect(store.timesOf(1)).toEqual([5000, 5001])
      expect(recorder.counters.points.rejected.get("not_finite")).toBe(2)
      expect(accounted(recorder)).toBe(true)
    })
  )

  recording(
    "are counted by reason if they may not be recorded, and the rest is recorded",
    (recorder, store) =>
      Effect.gen(function* () {
        yield* recorder.record([points([1]), started(), points([1, 2, 2, 1]), broken(3), points([4])])
        yield* recorder.record([refused(), refused(7), points([5], undefined, 3), points([9], undefined, 4)])
        yield* recorder.close
        expect(store.timesOf(1)).toEqual([1001, 1002, 1004, 1005, 1009])
        expect(Object.fromEntries(recorder.counters.points.rejected)).toEqual({
          no_session: 1,
          out_of_order: 2,
          not_finite: 1,
          malformed: 7
        })
        expect(recorder.counters).toMatchObject({
          points: { received: 16, gaps: 2, missing: 7 },
          refusedMessages: 2
        })
        expect(accounted(recorder)).toBe(true)
      })
  )

  recording("keep the count of missing points within a range that can be shown", (recorder) =>
    Effect.gen(function* () {
      yield* recorder.record([
        started(),
        points([1], undefined, 2 ** 53 - 1),
        points([2], undefined, 2 ** 52)
      ])
      expect(Number.isSafeInteger(recorder.counters.points.missing)).toBe(true)
    })
  )

  recording(
    "wait for room in the intake if the feed can be made to wait",
    (recorder, store) =>
      Effect.gen(function* () {
        const latch = store.hold("write")
        const recordings = yield* Effect.fork(
          recorder.record([started(), points(range(0, 8)), points(range(8, 16)), lap(1)])
        )
        expect(yield* isDone(recordings)).toBe(false)
        yield* latch.open
        yield* Fiber.join(recordings)
        yield* recorder.close
        expect(recorder.counters.points).toMatchObject({ received: 16, stored: 16, dropped: 0 })
      }),
    {},
    undefined,
    10
  )

  recording(
    "are dropped and counted if the feed cannot wait and the intake is full; the rest goes on",
    (recorder, store) =>
      Effect.gen(function* () {
        const latch = store.hold("write")
        yield* recorder.record([started(), points(range(0, 8), Array(8).fill(1)), points(range(8, 16))])
        yield* recorder.record([points([16], [2]), points([17, 18, 19], [2, 2, 2])])
        expect(recorder.counters.points).toMatchObject({ received: 20, dropped: 11 })
        yield* latch.open
        yield* recorder.close
        expect(store.timesOf(1)).toEqual([...range(1000, 1008), 1016])
        expect(store.lapsOf(1).map((lap) => lap.valid)).toEqual([false, false])
        expect(accounted(recorder)).toBe(true)
      }),
    { reliable: false },
    undefined,
    10
  )
})

describe("a recorder's laps", () => {
  recording("reach the store after their points, in epoch seconds", (recorder, store) =>
    Effect.gen(function* () {
      yield* recorder.record([
        started(),
        points(range(0, 30)),
        lap(4, { lapTime: 20, start: 5, end: 25, valid: true }),
        lap(4, { lapTime: 20, start: 5, end: 25, valid: true })
      ])
      yield* recorder.close
      expect(store.lapsOf(1)).toMatchObject([
        { lapNumber: 4, lapTime: 20, valid: true, startTime: 1005, endTime: 1025 },
        { lapNumber: 5, lapTime: null, valid: false, startTime: 1025 }
      ])
      expect(store.calls.indexOf("write")).toBeLessThan(store.calls.indexOf("addLaps"))
    })
  )

  recording("belong to nobody if there is no session", (recorder, store) =>
    Effect.gen(function* () {
      yield* recorder.record([lap(1, { start: 0, end: 5 }), started({ clockZero: undefined }), lap(1)])
      yield* recorder.close
      expect(store.laps).toEqual([])
    })
  )
})

recording("a recorder goes on in a new session if the recorded one was deleted", (recorder, store) =>
  Effect.gen(function* () {
    yield* recorder.record([started({ driver: "Ben" }), points(range(0, 10))])
    yield* TestClock.adjust("1 second")
    expect(recorder.counters.points.stored).toBe(10)
    store.delete(1)
    store.rows.delete(1)
    // The writer notices at the next write, and the recorder learns it from the writer.
    yield* recorder.record([points(range(10, 13))])
    yield* TestClock.adjust("1 second")
    expect([...recorder.counters.points.rejected]).toEqual([["session_gone", 3]])
    expect(recorder.offer([points([12, 13, 14])])).toBe(false)
    expect(recorder.sessionId()).toBe(1)
    yield* recorder.ready
    expect(recorder.sessionId()).toBe(2)
    expect(recorder.offer([points([15])])).toBe(true)
    yield* recorder.close
    expect(store.sessions.get(2)!.session).toMatchObject({ circuit: "Spa", vehicle: "GT3", driver: "Ben" })
    // On the same clock: points that it had already are refused as before.
    expect(store.rows.sessionIds()).toEqual([2])
    expect(store.timesOf(2)).toEqual([1013, 1014, 1015])
    expect(recorder.counters.points.rejected.get("out_of_order")).toBe(1)
    expect(store.lapsOf(2)).toMatchObject([{ lapNumber: 1, valid: false, startTime: 1013 }])
    expect(store.announced.map(({ type, sessionId }) => [type, sessionId])).toEqual([
      ["session", 1],
      ["session", 2],
      ["lap", 2],
      ["session", 2]
    ])
    expect(accounted(recorder)).toBe(true)
  })
)

it.scoped("two recorders at once keep their points apart", () =>
  Effect.suspend(() => {
    const store = new MemoryStore()
    return Effect.gen(function* () {
      const one = yield* recorderOf()
      const two = yield* recorderOf({ reliable: false })
      yield* one.record([started()])
      yield* two.record([started()])
      yield* Effect.all([one.record([points([1, 2])]), two.record([points([3])])], { concurrency: 2 })
      yield* Effect.all([one.close, two.close], { concurrency: 2 })
      expect(store.timesOf(1)).toEqual([1001, 1002])
      expect(store.timesOf(2)).toEqual([1003])
    }).pipe(Effect.provide(withWriter(store)))
  })
)
