/** How many sessions and laps one feed may cause. */
import { describe, expect, it } from "@effect/vitest"
import { Chunk, Effect, Fiber, TestClock } from "effect"
import { TokenBucket } from "../../src/recording/feed/TokenBucket.ts"
import { breathe } from "../../src/platform/threads/breathe.ts"
import { ended, lap, points, range, started } from "./events.ts"
import { isDone } from "./fibers.ts"
import { accounted, recording } from "./recording.ts"

describe("a token bucket", () => {
  it("allows a burst, then a fixed number a second, and makes the feed wait for the excess", () => {
    const bucket = new TokenBucket(5, 50)
    bucket.spend(50, 0)
    expect([bucket.wait(0), bucket.allows(0), bucket.allows(200)]).toEqual([0, false, true])
    bucket.spend(26, 200)
    expect(bucket.wait(200)).toBe(5000)
    // A clock that is set back takes nothing away, and adds nothing.
    expect(bucket.wait(-1e9)).toBe(5000)
    expect(bucket.wait(-1e9 + 4999)).toBeCloseTo(1)
    expect(bucket.take(1e9)).toBe(true)
    expect(Array.from({ length: 100 }, () => bucket.take(1e9)).filter(Boolean)).toHaveLength(49)
  })
})

/** Succeeds when a fiber sleeps until this time, ms. Work before that takes turns of the event loop, and no time. */
const sleeping = (until: number): Effect.Effect<void> =>
  Effect.flatMap(TestClock.sleeps(), (sleeps) =>
    Chunk.contains(sleeps, until) ? Effect.void : Effect.zipRight(breathe, sleeping(until))
  )

/** `count` sessions one after another, each with a point of a later second. */
const sessions = (from: number, count: number) =>
  range(from, from + count).flatMap((n) => [started({ circuit: `C${n}`, clockZero: 1000 + n }), points([0])])

describe("a feed that can be made to wait", () => {
  recording("keeps every session and lap, and is read no faster than the quota allows", (recorder, store) =>
    Effect.gen(function* () {
      yield* recorder.record(sessions(0, 10))
      const waiting = yield* Effect.fork(recorder.record(sessions(10, 10)))
      yield* sleeping(2000)
      expect(store.sessions.size).toBe(20)
      yield* TestClock.adjust("1999 millis")
      expect(yield* isDone(waiting)).toBe(false)
      yield* TestClock.adjust("1 millis")
      yield* Fiber.join(waiting)
      yield* recorder.close
      expect(store.sessions.size).toBe(20)
      expect(recorder.counters).toMatchObject({ refusedSessions: 0, points: { stored: 20 } })
    })
  )

  recording("keeps a lap in every point, and waits while there are too many", (recorder, store) =>
    Effect.gen(function* () {
      const flood = range(0, 3001)
      expect(recorder.offer([started(), points(flood, flood)])).toBe(false)
      const waiting = yield* Effect.fork(recorder.ready)
      yield* sleeping(20_000)
      yield* TestClock.adjust("19 seconds")
      expect(yield* isDone(waiting)).toBe(false)
      yield* TestClock.adjust("1 seconds")
      yield* Fiber.join(waiting)
      yield* recorder.close
      expect(store.lapsOf(1).map(({ lapNumber }) => lapNumber)).toEqual(flood)
      expect(recorder.counters.refusedLaps).toBe(0)
      expect(accounted(recorder)).toBe(true)
    })
  )

  recording("leaves turns to the event loop while it is recorded", (recorder) =>
    Effect.gen(function* () {
      let turns = 0
      let timer = setImmediate(function count() {
        turns++
        timer = setImmediate(count)
      })
      const flood = range(0, 3001)
      const recording = yield* Effect.fork(
        recorder.record([...sessions(0, 40), started(), points(flood, flood)])
      )
      yield* sleeping(20_400)
      clearImmediate(timer)
      yield* Fiber.interrupt(recording)
      // One for each session, one for every 256 laps.
      expect(turns).toBeGreaterThanOrEqual(50)
    })
  )
})

describe("a datagram source", () => {
  recording(
    "has its excess sessions and laps refused and counted, and its newest session begins as soon as the quota allows",
    (recorder, store) =>
      Effect.gen(function* () {
        yield* recorder.record(sessions(0, 20))
        expect(recorder.counters).toMatchObject({ refusedSessions: 10, points: { received: 20 } })
        expect(recorder.sessionId()).toBeNull()
        yield* recorder.record([points([1])])
        yield* TestClock.adjust("200 millis")
        yield* recorder.record([points([2])])
        yield* recorder.close
        expect(store.sessions.size).toBe(11)
        expect(store.sessions.get(11)!.session.circuit).toBe("C19")
        expect(Object.fromEntries(recorder.counters.points.rejected)).toEqual({ no_session: 11 })
        expect(accounted(recorder)).toBe(true)
      }),
    { reliable: false }
  )

  recording(
    "gets no session that has ended meanwhile, and no laps beyond the quota",
    (recorder, store) =>
      Effect.gen(function* () {
        yield* recorder.record([...sessions(0, 11), ended])
        yield* TestClock.adjust("1 minute")
        yield* recorder.record([points([1]), started({ circuit: "Spa", clockZero: 5000 })])
        for (const n of range(0, 1200)) {
          yield* recorder.record([points([n]), lap(n, { lapTime: 1, start: n - 1, end: n, valid: true })])
        }
        yield* recorder.close
        expect(store.sessions.size).toBe(11)
        expect(store.lapsOf(11).length + recorder.counters.refusedLaps).toBe(1201)
        expect(recorder.counters.refusedLaps).toBe(201)
      }),
    { reliable: false }
  )
})
