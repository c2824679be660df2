import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { POINTS } from "../../src/domain/Dictionary.ts"
import { type IntakeEntry, Intake } from "../../src/recording/intake/Intake.ts"
import { FeedCounters } from "../../src/recording/feed/FeedCounters.ts"
import { feed } from "../live/support.ts"
import { isDone, settle } from "./fibers.ts"

const CAPACITY = 100

/** Points, distinguished by the time of the first. */
const entry = (points: number, first = 0): IntakeEntry => ({
  _tag: "Rows",
  sessionId: 1,
  group: POINTS,
  batch: feed(first, points, 1),
  counters: new FeedCounters().points
})
const lap: IntakeEntry = {
  _tag: "Lap",
  lap: {
    sessionId: 1,
    lapNumber: 1,
    lapTime: null,
    sector1Time: null,
    sector2Time: null,
    sector3Time: null,
    valid: false,
    startTime: 0,
    endTime: 1
  }
}
const end = Effect.map(Deferred.make<void>(), (done): IntakeEntry => ({ _tag: "End", sessionId: 1, done }))

const firstTimes = (entries: Iterable<IntakeEntry>) =>
  [...entries].map((entry) => (entry._tag === "Rows" ? entry.batch.timestamps[0] : entry._tag))

const test = (
  title: string,
  body: (intake: typeof Intake.Service) => Effect.Effect<void, never, never>,
  capacity = CAPACITY
) => it.effect(title, () => Effect.flatMap(Intake, body).pipe(Effect.provide(Intake.layer(capacity))))

describe("Intake", () => {
  test("gives entries in their order, and never more than were asked for", (intake) =>
    Effect.gen(function* () {
      yield* intake.offer(entry(1, 1))
      yield* intake.offer(lap)
      yield* intake.offer(entry(1, 3))
      yield* intake.offer(yield* end)
      expect(firstTimes(yield* intake.take(2))).toEqual([1, "Lap"])
      expect(firstTimes(yield* intake.take(100))).toEqual([3, "End"])
    }))

  test("waits for the first entry", (intake) =>
    Effect.gen(function* () {
      const taker = yield* Effect.fork(intake.take(10))
      expect(yield* isDone(taker)).toBe(false)
      yield* intake.offer(entry(1, 7))
      expect(firstTimes(yield* Fiber.join(taker))).toEqual([7])
    }))

  test("holds points until they are released, not until they are taken", (intake) =>
    Effect.gen(function* () {
      yield* intake.offer(entry(60))
      yield* intake.offer(entry(40))
      const late = yield* Effect.fork(intake.offer(entry(1, 9)))
      expect(yield* isDone(late)).toBe(false)
      const taken = yield* intake.take(10)
      expect(yield* isDone(late)).toBe(false)
      yield* intake.release(taken.slice(0, 1))
      expect(yield* isDone(late)).toBe(true)
      expect(firstTimes(yield* intake.take(10))).toEqual([9])
    }))

  test("admits waiting batches in the order in which they came, a small one behind a large one too", (intake) =>
    Effect.gen(function* () {
      yield* intake.offer(entry(90))
      const large = yield* Effect.fork(intake.offer(entry(50, 1)))
      yield* settle
      const small = yield* Effect.fork(intake.offer(entry(5, 2)))
      expect(yield* isDone(small)).toBe(false)
      yield* intake.release(yield* intake.take(10))
      expect(yield* isDone(large)).toBe(true)
      expect(yield* isDone(small)).toBe(true)
      expect(firstTimes(yield* intake.take(10))).toEqual([1, 2])
    }))

  test("takes laps and ends without room of their own", (intake) =>
    Effect.gen(function* () {
      yield* intake.offer(entry(CAPACITY))
      yield* intake.offer(lap)
      yield* intake.offer(yield* end)
      expect((yield* intake.take(10)).length).toBe(3)
    }))

  test("refuses a source that cannot wait at once, and changes nothing", (intake) =>
    Effect.gen(function* () {
      expect(intake.tryOffer(entry(CAPACITY, 1))).toBe(true)
      expect(intake.tryOffer(entry(1, 2))).toBe(false)
      const taken = yield* intake.take(10)
      expect(firstTimes(taken)).toEqual([1])
      expect(intake.tryOffer(entry(1, 2))).toBe(false)
      yield* intake.release(taken)
      expect(intake.tryOffer(entry(1, 3))).toBe(true)
      expect(firstTimes(yield* intake.take(10))).toEqual([3])
    }))

  test("is open to all that it has room for, while nobody waits for room", (intake) =>
    Effect.gen(function* () {
      expect(intake.isOpenTo(CAPACITY * 10)).toBe(true)
      yield* intake.offer(entry(90))
      expect([intake.isOpenTo(100), intake.isOpenTo(110)]).toEqual([true, false])
      const waiting = yield* Effect.fork(intake.offer(entry(50, 1)))
      yield* settle
      expect([intake.isOpenTo(100), intake.tryOffer(entry(10))]).toEqual([false, true])
      yield* intake.release(yield* intake.take(1))
      yield* Fiber.join(waiting)
      expect(intake.isOpenTo(400)).toBe(true)
      const given = yield* Effect.fork(intake.offer(entry(50)))
      yield* settle
      yield* Fiber.interrupt(given)
      expect(intake.isOpenTo(400)).toBe(true)
    }))

  test("admits a batch that is larger than the whole intake if it holds nothing else", (intake) =>
    Effect.gen(function* () {
      yield* intake.offer(entry(1))
      const huge = yield* Effect.fork(intake.offer(entry(CAPACITY * 3, 5)))
      expect(yield* isDone(huge)).toBe(false)
      yield* intake.release(yield* intake.take(10))
      expect(yield* isDone(huge)).toBe(true)
      expect(intake.tryOffer(entry(1))).toBe(false)
      expect(intake.tryOffer(lap)).toBe(true)
      yield* intake.release(yield* intake.take(10))
      expect(intake.tryOffer(entry(1))).toBe(true)
    }))

  test("drops an offer that is given up while it waits, and blocks nobody after it", (intake) =>
    Effect.gen(function* () {
      yield* intake.offer(entry(CAPACITY, 1))
      const given = yield* Effect.fork(intake.offer(entry(10, 2)))
      yield* settle
      const next = yield* Effect.fork(intake.offer(entry(10, 3)))
      yield* settle
      yield* Fiber.interrupt(given)
      expect(yield* isDone(next)).toBe(false)
      yield* intake.release(yield* intake.take(10))
      expect(yield* isDone(next)).toBe(true)
      expect(firstTimes(yield* intake.take(10))).toEqual([3])
    }))

  test("never holds more than its capacity, in any order of offers and removals", (intake) =>
    Effect.gen(function* () {
      let held = 0
      let most = 0
      const offering = yield* Effect.forEach(
        Array.from({ length: 200 }, (_, i) => entry((i * 37) % 60, i)),
        (entry) =>
          Effect.tap(intake.offer(entry), () => {
            held += entry._tag === "Rows" ? entry.batch.length : 0
            most = Math.max(most, held)
          }),
        { concurrency: 8 }
      ).pipe(Effect.fork)
      let taken = 0
      while (taken < 200) {
        const entries = yield* intake.take(7)
        taken += entries.length
        yield* settle
        for (const entry of entries) held -= entry._tag === "Rows" ? entry.batch.length : 0
        yield* intake.release(entries)
      }
      yield* Fiber.join(offering)
      expect(most).toBeLessThanOrEqual(CAPACITY)
      expect(held).toBe(0)
    }))

  test("hurries while it is half full, or when a session ends", (intake) =>
    Effect.gen(function* () {
      const hurries = Effect.flatMap(Effect.fork(intake.awaitFlush), (waiting) =>
        Effect.tap(isDone(waiting), () => Fiber.interrupt(waiting))
      )
      yield* intake.offer(entry(49))
      expect(yield* hurries).toBe(false)
      yield* intake.offer(entry(2))
      expect(yield* hurries).toBe(true)
      const [first, ...rest] = yield* intake.take(10)
      yield* intake.release(rest)
      expect(yield* hurries).toBe(false)
      yield* intake.offer(yield* end)
      expect(yield* hurries).toBe(true)
      yield* intake.release([...(yield* intake.take(10)), first!])
      expect(yield* hurries).toBe(false)
    }))
})
