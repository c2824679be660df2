/** One bad value of a feed is refused, and does nothing else to the session. */
import { describe, expect } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { ended, lap, points, range, started } from "./events.ts"
import { accounted, recording } from "./recording.ts"

/** Epoch seconds of 22 November 2026, 12:00 UTC. */
const NOON = Date.UTC(2026, 10, 22, 12) / 1000
const DAY = 86_400
const atNoon = TestClock.setTime(NOON * 1000)

describe("a time that no clock has", () => {
  for (const bad of [1e300, -1e300, 1e12, -1, 253_402_300_800, Number.MAX_VALUE]) {
    recording(`${bad} s is refused, and the session goes on`, (recorder, store) =>
      Effect.gen(function* () {
        yield* atNoon
        yield* recorder.record([started({ clockZero: 0 }), points([NOON])])
        yield* recorder.record([points([bad]), points([NOON + 1, bad, NOON + 2])])
        yield* recorder.close
        expect(store.timesOf(1)).toEqual([NOON, NOON + 1, NOON + 2])
        expect(Object.fromEntries(recorder.counters.points.rejected)).toEqual({ implausible_time: 2 })
        expect(accounted(recorder)).toBe(true)
      })
    )
  }

  recording("is refused as the first one too, and anchors nothing", (recorder, store) =>
    Effect.gen(function* () {
      yield* atNoon
      yield* recorder.record([started({ clockZero: undefined }), points([1e300]), points([1e300, 5, 6])])
      yield* recorder.close
      expect(store.timesOf(1)).toEqual([NOON, NOON + 1])
      expect(Object.fromEntries(recorder.counters.points.rejected)).toEqual({ implausible_time: 2 })
      expect(accounted(recorder)).toBe(true)
    })
  )

  recording(
    "is refused if it is more than an hour too early, and the next time does not agree with it",
    (recorder, store) =>
      Effect.gen(function* () {
        yield* atNoon
        yield* recorder.record([started({ clockZero: NOON }), points([0])])
        yield* TestClock.adjust("10 minutes")
        // A point that was refused does not count as the last point.
        yield* recorder.record([points([DAY]), points([4200.5]), points([4200])])
        yield* recorder.record([points([7800.5]), points([7800])])
        yield* recorder.close
        expect(store.timesOf(1)).toEqual([NOON, NOON + 4200, NOON + 7800])
        expect(Object.fromEntries(recorder.counters.points.rejected)).toEqual({ implausible_time: 3 })
      })
  )

  recording(
    "is refused from a datagram source too, without waiting",
    (recorder, store) =>
      Effect.gen(function* () {
        yield* atNoon
        yield* recorder.record([started({ clockZero: undefined }), points([1])])
        expect(recorder.offer([points([1e300]), points([2])])).toBe(true)
        yield* recorder.close
        expect(store.timesOf(1)).toEqual([NOON, NOON + 1])
        expect(Object.fromEntries(recorder.counters.points.rejected)).toEqual({ implausible_time: 1 })
      }),
    { reliable: false }
  )
})

describe("plausible times that are accepted", () => {
  recording("of a replay that sends an hour in no time", (recorder, store) =>
    Effect.gen(function* () {
      yield* atNoon
      const times = range(0, 7200)
      yield* recorder.record([started({ clockZero: 1_000_000 }), points(times)])
      for (let from = 7200; from < 20_000; from += 3600) yield* recorder.record([points([from])])
      yield* recorder.close
      expect(store.timesOf(1)).toHaveLength(7204)
      expect(recorder.counters.points.rejectedTotal).toBe(0)
    })
  )

  recording("after a pause of the feed, of any length", (recorder, store) =>
    Effect.gen(function* () {
      yield* atNoon
      yield* recorder.record([started({ clockZero: NOON }), points([0])])
      yield* TestClock.adjust("40 minutes")
      yield* recorder.record([points([2400])])
      yield* TestClock.adjust("3 days")
      yield* recorder.record([points([2400 + 3 * DAY])])
      yield* recorder.close
      expect(store.timesOf(1)).toEqual([NOON, NOON + 2400, NOON + 2400 + 3 * DAY])
    })
  )

  for (const [what, recordedAt] of [
    ["days", NOON - 3 * DAY],
    ["years", NOON - 3 * 365 * DAY]
  ] as const) {
    recording(
      `of a session that is resumed ${what} later`,
      (recorder, store) =>
        Effect.gen(function* () {
          yield* atNoon
          yield* recorder.record([points([5])])
          yield* recorder.record([started({ clockZero: NOON }), points([1, 2, 3 * DAY])])
          yield* recorder.close
          expect(store.timesOf(1)).toEqual([recordedAt, NOON, NOON + 1, NOON + 2])
          expect(Object.fromEntries(recorder.counters.points.rejected)).toEqual({ implausible_time: 1 })
        }),
      { sessionId: 1 },
      (store) => store.rows.set(store.add({}), [recordedAt])
    )
  }
})

describe("a lap message", () => {
  recording("of a time that no clock has is refused, and the laps after it are recorded", (recorder, store) =>
    Effect.gen(function* () {
      yield* atNoon
      yield* recorder.record([started({ clockZero: NOON }), points(range(0, 30))])
      for (const [start, end] of [
        [0, 1e300],
        [-1e300, 5],
        [0, 5 * DAY]
      ] as const) {
        yield* recorder.record([lap(1, { lapTime: 10, start, end })])
      }
      yield* recorder.record([lap(1, { lapTime: 10, start: 0, end: 10 }), ended])
      yield* recorder.close
      expect(store.lapsOf(1).map(({ endTime, lapTime }) => [lapTime, endTime - NOON])).toMatchObject([
        [10, 10],
        [null, expect.closeTo(29)]
      ])
      expect(recorder.counters.refusedMessages).toBe(3)
    })
  )

  recording("of a number that no catalog can keep is not counted on from", (recorder, store) =>
    Effect.gen(function* () {
      yield* atNoon
      yield* recorder.record([
        started({ clockZero: NOON }),
        points(range(0, 30), [...Array(10).fill(1), 2 ** 31, 2 ** 53 - 1, ...Array(18).fill(1)]),
        ended
      ])
      yield* recorder.close
      expect(store.lapsOf(1).map(({ lapNumber }) => lapNumber)).toEqual([1])
    })
  )
})

describe("names", () => {
  recording("of a feed are cleaned by the rules of names that users give", (recorder, store) =>
    Effect.gen(function* () {
      yield* atNoon
      yield* recorder.record([
        started({
          circuit: "Spa\0\0\r\nFrancorchamps\u0085",
          vehicle: "\0\u001b\n",
          driver: `An\ud800na${"🏁".repeat(300)}`
        })
      ])
      const { circuit, driver, vehicle } = store.sessions.get(1)!.session
      expect(circuit).toBe("Spa Francorchamps")
      expect(vehicle).toBe("Unknown")
      expect(driver).toBe(`An\ufffdna${"🏁".repeat(195)}`)
    })
  )
})
