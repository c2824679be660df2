/** Which of a feed's points its clock lets into which session (timekeeping.md, rules 1 and 2). */
import { describe, expect } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { ended, points, range, stated } from "./events.ts"
import type { MemoryStore } from "./memoryStore.ts"
import { accounted, recording, type TestedRecorder } from "./recording.ts"

const NOON = Date.UTC(2026, 10, 22, 12) / 1000
const HZ = 10

/** Times of a feed at 10 Hz. */
const ticks = (from: number, count: number) => range(0, count).map((i) => from + i / HZ)

/** How points come: one by one as time passes, or those of a second in one message. */
const ways = {
  "one by one": (recorder: TestedRecorder, times: ReadonlyArray<number>) =>
    Effect.forEach(
      times,
      (time) => Effect.zipRight(TestClock.adjust(1000 / HZ), recorder.record([points([time])])),
      { discard: true }
    ),
  "by the second": (recorder: TestedRecorder, times: ReadonlyArray<number>) =>
    Effect.forEach(
      range(0, Math.ceil(times.length / HZ)),
      (s) =>
        Effect.zipRight(
          TestClock.adjust("1 second"),
          recorder.record([points(times.slice(s * HZ, (s + 1) * HZ))])
        ),
      { discard: true }
    )
}

const sessionsOf = (store: MemoryStore) => [...store.sessions.keys()].map((id) => store.timesOf(id).length)

const isSteady = (times: ReadonlyArray<number>) =>
  times.every((time, i) => i === 0 || Math.abs(time - times[i - 1]! - 1 / HZ) < 0.001)

/** A test of a feed whose points come in this way, on a clock whose zero it states or not. */
const playingWith =
  (send: (typeof ways)[keyof typeof ways], clockZero: number | undefined) =>
  (
    title: string,
    body: (
      play: (times: ReadonlyArray<number>) => Effect.Effect<void>,
      recorder: TestedRecorder,
      store: MemoryStore
    ) => Effect.Effect<unknown>
  ) =>
    recording(title, (recorder, store) =>
      Effect.gen(function* () {
        yield* TestClock.setTime(NOON * 1000)
        yield* recorder.record([stated({ clockZero })])
        yield* body((times) => Effect.asVoid(send(recorder, times)), recorder, store)
        yield* recorder.close
        expect(accounted(recorder)).toBe(true)
      })
    )

const clocks = { stated: NOON, "not stated": undefined }

for (const [way, send] of Object.entries(ways)) {
  for (const [what, clockZero] of Object.entries(clocks)) {
    describe(`a feed whose points come ${way}, its clock ${what}`, () => {
      const playing = playingWith(send, clockZero)

      // One by one they take as many turns of the clock as there are points.
      const leaps =
        way === "one by one" ? [0.6, -20] : [0.6, 5, 1799, 3599, 86_400, -0.35, -5, -20, -1e6, 1e300]
      for (const leap of leaps) {
        playing(`loses one point of 70 by one time that is ${leap} s off`, (play, recorder, store) =>
          Effect.gen(function* () {
            const times = ticks(100, 70)
            times[50]! += leap
            yield* play(times)
            yield* recorder.close
            expect(sessionsOf(store)).toEqual([69])
            expect(recorder.counters.points.rejectedTotal).toBe(1)
          })
        )
      }

      playing("loses none if its clock leaps and stays there", (play, recorder, store) =>
        Effect.gen(function* () {
          yield* play([...ticks(0, 100), ...ticks(500, 100)])
          yield* recorder.close
          expect(sessionsOf(store)).toEqual([200])
          const [first = 0, ...times] = store.timesOf(1)
          expect(times[99]! - first).toBeCloseTo(500, 3)
        })
      )

      playing("goes on if its clock is set, from 1970 to today", (play, recorder, store) =>
        Effect.gen(function* () {
          yield* play([...ticks(5, 100), ...ticks(NOON, 100)])
          yield* recorder.close
          expect(sessionsOf(store)).toEqual([200])
          expect(isSteady(store.timesOf(1))).toBe(true)
        })
      )

      playing("goes on if its clock is put back by half an hour", (play, recorder, store) =>
        Effect.gen(function* () {
          yield* play([...ticks(4000, 100), ...ticks(6000, 100), ...ticks(4900, 100)])
          yield* recorder.close
          expect(sessionsOf(store)).toEqual([300])
        })
      )

      playing("begins another session if its clock starts anew", (play, recorder, store) =>
        Effect.gen(function* () {
          yield* play([...ticks(5000, 70), ...ticks(0.1, 70)])
          yield* recorder.close
          expect(sessionsOf(store)).toEqual([70, 70])
        })
      )

      playing("has points of the last seconds refused if it sends them again", (play, recorder, store) =>
        Effect.gen(function* () {
          yield* play([...ticks(0, 60), ...ticks(4, 60)])
          yield* recorder.close
          expect(sessionsOf(store)).toEqual([100])
          expect([...recorder.counters.points.rejected]).toEqual([["out_of_order", 20]])
        })
      )

      playing("goes on over a new link if its clock goes on", (play, recorder, store) =>
        Effect.gen(function* () {
          yield* play(ticks(0, 90))
          yield* recorder.linkLost
          yield* TestClock.adjust("1 minute")
          yield* recorder.record([stated({ clockZero })])
          yield* play(ticks(90, 90))
          yield* recorder.close
          expect(sessionsOf(store)).toEqual([180])
        })
      )
    })
  }

  describe(`a link that is lost, of a feed whose points come ${way},`, () => {
    const relinked = (
      title: string,
      before: number | undefined,
      after: number | undefined,
      from: number,
      expected: ReadonlyArray<number>
    ) =>
      recording(title, (recorder, store) =>
        Effect.gen(function* () {
          yield* TestClock.setTime(NOON * 1000)
          yield* recorder.record([stated({ clockZero: before })])
          yield* send(recorder, ticks(100, 150))
          yield* recorder.linkLost
          yield* TestClock.adjust("1 minute")
          yield* recorder.record([stated({ clockZero: after })])
          yield* send(recorder, ticks(from, 90))
          yield* recorder.close
          expect(sessionsOf(store)).toEqual(expected)
          expect(accounted(recorder)).toBe(true)
        })
      )

    relinked("is followed by another session if the device was restarted", undefined, undefined, 0, [150, 90])
    relinked(
      "is followed by another session if the device took some seconds to start",
      undefined,
      undefined,
      103,
      [150, 90]
    )
    relinked(
      "is followed by another session if the feed states an earlier start",
      NOON,
      NOON - 3000,
      190,
      [150, 90]
    )
    relinked(
      "is followed by another session if the feed states a later start",
      NOON,
      NOON + 3000,
      190,
      [150, 90]
    )
    relinked("goes on if the start is computed anew, some ms off", NOON, NOON - 0.007, 190, [240])
    relinked("stores nothing twice if the feed starts over on the same clock", NOON, NOON, 100, [150])
  })

  describe(`a session message that comes again, with points ${way},`, () => {
    recording("begins no session while the clock goes on", (recorder, store) =>
      Effect.gen(function* () {
        yield* TestClock.setTime(NOON * 1000)
        for (let second = 0; second < 26; second++) {
          yield* recorder.record([stated({ clockZero: undefined })])
          yield* send(recorder, ticks(second, HZ))
        }
        yield* recorder.close
        expect(sessionsOf(store)).toEqual([260])
      })
    )

    for (const clockZero of [NOON, undefined]) {
      recording(`begins a session if the clock falls, ${clockZero ?? "not stated"}`, (recorder, store) =>
        Effect.gen(function* () {
          yield* TestClock.setTime(NOON * 1000)
          for (const from of [0.5, 0, 3]) {
            yield* recorder.record([stated({ clockZero })])
            yield* send(recorder, ticks(from, 90))
          }
          yield* recorder.record([ended])
          yield* recorder.close
          expect(sessionsOf(store)).toEqual([90, 90, 90])
        })
      )
    }

    for (const more of [{ driver: "Ben" }, { clockZero: NOON + 100 }]) {
      recording(`begins a session if it has ${JSON.stringify(more)}`, (recorder, store) =>
        Effect.gen(function* () {
          yield* TestClock.setTime(NOON * 1000)
          yield* recorder.record([stated({ clockZero: NOON })])
          yield* send(recorder, ticks(0, 90))
          yield* recorder.record([stated({ clockZero: NOON, ...more })])
          yield* send(recorder, ticks(9, 90))
          yield* recorder.close
          expect(sessionsOf(store)).toEqual([90, 90])
        })
      )
    }

    recording("does not begin a session for one point whose time falls back", (recorder, store) =>
      Effect.gen(function* () {
        yield* TestClock.setTime(NOON * 1000)
        yield* recorder.record([stated({ clockZero: NOON })])
        yield* send(recorder, ticks(0, 90))
        yield* recorder.record([stated({ clockZero: NOON })])
        yield* send(recorder, [2, ...ticks(9, 89)])
        yield* recorder.close
        expect(sessionsOf(store)).toEqual([179])
      })
    )
  })
}

recording("repeated times cause a notice with their resolution", (recorder, store) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(NOON * 1000)
    yield* recorder.record([stated({ clockZero: NOON })])
    yield* ways["one by one"](recorder, ticks(0, 100).map(Math.floor))
    yield* recorder.close
    expect(sessionsOf(store)).toEqual([10])
    expect([...recorder.counters.notices]).toEqual([["times repeat: their resolution is 1 s", 90]])
  })
)

describe("a clock that is odd as a whole", () => {
  const notices = (
    title: string,
    clockZero: number | undefined,
    times: ReadonlyArray<number>,
    expected: ReadonlyArray<string>
  ) =>
    recording(title, (recorder) =>
      Effect.gen(function* () {
        yield* TestClock.setTime(NOON * 1000)
        yield* recorder.record([stated({ clockZero })])
        yield* ways["one by one"](recorder, times)
        yield* recorder.close
        expect([...recorder.counters.notices.keys()]).toEqual(expected)
        expect(recorder.counters.points.rejectedTotal).toBe(0)
      })
    )

  const millis =
    "times pass a thousand times as fast as they arrive: they may be milliseconds, and seconds are expected"
  notices(
    "causes a notice if it counts milliseconds since boot",
    undefined,
    ticks(0, 120).map((time) => 5000 + 1000 * time),
    [millis]
  )
  notices("causes a notice if both times have epoch seconds", NOON, ticks(NOON, 20), [
    "a time of the year 2083: start_time and timestamp are added, and both may be epoch seconds"
  ])
  notices("causes no notice at the usual pace", NOON, ticks(0, 120), [])
  notices(
    "causes no notice in a replay of an old drive at ten times its pace",
    NOON - 1e9,
    ticks(0, 120).map((time) => 10 * time),
    []
  )
})
