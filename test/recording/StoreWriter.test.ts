import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Metric, TestClock } from "effect"
import { POINTS, emptyDictionary } from "../../src/domain/Dictionary.ts"
import type { NewLap } from "../../src/domain/Lap.ts"
import { Intake } from "../../src/recording/intake/Intake.ts"
import { FeedCounters } from "../../src/recording/feed/FeedCounters.ts"
import { storeWriteSeconds } from "../../src/recording/metrics.ts"
import { feed } from "../live/support.ts"
import { isDone, settle } from "./fibers.ts"
import { MemoryStore } from "./memoryStore.ts"
import { withWriter } from "./rig.ts"

const newLap = (sessionId: number, startTime: number): NewLap => ({
  sessionId,
  lapNumber: 1,
  lapTime: null,
  sector1Time: null,
  sector2Time: null,
  sector3Time: null,
  valid: false,
  startTime,
  endTime: startTime + 1
})

/** Offers entries to the writer of a store that has the sessions 1, 2 and 3. */
const start = Effect.gen(function* () {
  const intake = yield* Intake
  const counters = new FeedCounters()
  return {
    counters,
    points: (sessionId: number, first: number, count = 10) =>
      intake.offer({
        _tag: "Rows",
        sessionId,
        group: POINTS,
        batch: feed(first, count, 1),
        counters: counters.points
      }),
    lap: (sessionId: number, at: number) => intake.offer({ _tag: "Lap", lap: newLap(sessionId, at) }),
    /** Offers the end; gives a fiber that waits until it is stored. */
    end: (sessionId: number) =>
      Effect.flatMap(Deferred.make<void>(), (done) =>
        Effect.zipRight(intake.offer({ _tag: "End", sessionId, done }), Effect.fork(Deferred.await(done)))
      )
  }
})

type Feeding = Effect.Effect.Success<typeof start>

const test = (
  title: string,
  body: (
    store: MemoryStore,
    feeding: Feeding,
    ended: ReadonlyArray<number>
  ) => Effect.Effect<void, never, Intake>,
  capacity?: number
) =>
  it.effect(title, () =>
    Effect.suspend(() => {
      const store = new MemoryStore()
      const ended: Array<number> = []
      for (let i = 0; i < 3; i++) store.add({}, true)
      return Effect.flatMap(start, (feeding) => body(store, feeding, ended)).pipe(
        Effect.provide(withWriter(store, capacity, ended))
      )
    })
  )

describe("StoreWriter", () => {
  test("stores the first entry at once, and entries soon after it in one commit", (store, { points }) =>
    Effect.gen(function* () {
      yield* points(1, 0)
      yield* settle
      expect(store.timesOf(1).length).toBe(10)
      for (let i = 1; i <= 5; i++) yield* points(1, i * 10)
      yield* points(2, 0)
      yield* TestClock.adjust("999 millis")
      expect(store.countOf("write")).toBe(1)
      yield* TestClock.adjust("1 millis")
      expect(store.countOf("write")).toBe(2)
      expect(store.timesOf(1).length).toBe(60)
      expect(store.timesOf(2).length).toBe(10)
    }))

  test("measures each write, also of a session that is stored separately", (store, { points }) =>
    Effect.gen(function* () {
      const intake = yield* Intake
      const measured = Effect.map(Metric.value(storeWriteSeconds), ({ count }) => count)
      const before = yield* measured
      yield* intake.offer({ _tag: "Dictionary", sessionId: 1, dictionary: emptyDictionary })
      yield* points(1, 0)
      yield* points(2, 0)
      yield* settle
      expect([store.timesOf(1).length, store.timesOf(2).length]).toEqual([10, 10])
      expect((yield* measured) - before).toBe(store.countOf("write"))
    }))

  test("does not let a lap wait for as long as a few points", (store, { lap, points }) =>
    Effect.gen(function* () {
      yield* points(1, 0)
      yield* settle
      yield* points(1, 10)
      yield* lap(1, 0)
      yield* TestClock.adjust("99 millis")
      expect(store.countOf("addLaps")).toBe(0)
      yield* TestClock.adjust("1 millis")
      expect(store.countOf("addLaps")).toBe(1)
      // A lap that comes later than that is stored at once; then nothing more is due.
      yield* points(1, 20)
      yield* TestClock.adjust("300 millis")
      expect(store.countOf("write")).toBe(2)
      yield* lap(1, 1)
      yield* settle
      expect(store.countOf("addLaps")).toBe(2)
      yield* points(1, 30)
      yield* TestClock.adjust("999 millis")
      expect(store.countOf("write")).toBe(3)
      yield* TestClock.adjust("1 millis")
      expect(store.countOf("write")).toBe(4)
    }))

  test("stores more than a few points ten times a second", (store, { points }) =>
    Effect.gen(function* () {
      yield* points(1, 0, 1)
      yield* settle
      yield* points(1, 10, 820)
      yield* TestClock.adjust("99 millis")
      expect(store.countOf("write")).toBe(1)
      yield* TestClock.adjust("1 millis")
      expect(store.countOf("write")).toBe(2)
    }))

  test(
    "does not wait for more entries when the intake is half full",
    (store, { points }) =>
      Effect.gen(function* () {
        yield* points(1, 0, 1)
        yield* settle
        yield* points(1, 10, 49)
        yield* settle
        expect(store.countOf("write")).toBe(1)
        yield* points(1, 100, 10)
        yield* settle
        expect(store.countOf("write")).toBe(2)
      }),
    100
  )

  test("counts points as stored, and frees their room, only after the store has written them", (store, feeding) =>
    Effect.gen(function* () {
      const latch = store.hold("write")
      yield* feeding.points(1, 0)
      yield* TestClock.adjust("1 minute")
      expect(store.countOf("write")).toBe(1)
      expect(feeding.counters.points.stored).toBe(0)
      yield* latch.open
      yield* settle
      expect(feeding.counters.points.stored).toBe(10)
    }))

  test("writes points before laps and laps before ends, whatever their order in the group", (store, feeding) =>
    Effect.gen(function* () {
      yield* feeding.points(1, 0)
      yield* settle
      store.calls.length = 0
      yield* feeding.lap(1, 0)
      yield* feeding.points(1, 10)
      yield* feeding.lap(2, 0)
      yield* feeding.lap(1, 1)
      const ended = yield* feeding.end(1)
      yield* feeding.points(2, 0)
      yield* Fiber.join(ended)
      yield* settle
      expect(store.calls.slice(0, 2)).toEqual(["write", "lost"])
      // Session 2 has no end, and is stored beside session 1.
      const ofEnd = store.calls.filter(
        (call) => call === "seal" || call === "endSession" || call === "session"
      )
      expect(ofEnd).toEqual(["seal", "endSession", "session"])
      expect(
        store.calls
          .slice(2)
          .filter((call) => !(ofEnd as ReadonlyArray<string>).includes(call))
          .toSorted()
      ).toEqual(["addLaps", "addLaps", "extendSessions", "extendSessions"])
      const announcedOf = (id: number) =>
        store.announced.filter(({ sessionId }) => sessionId === id).map(({ type }) => type)
      expect([announcedOf(1), announcedOf(2)]).toEqual([["lap", "lap", "session"], ["lap"]])
    }))

  test("counts points as stored only when the laps of their group are stored", (store, feeding) =>
    Effect.gen(function* () {
      const latch = store.hold("addLaps")
      yield* feeding.points(1, 0)
      yield* feeding.lap(1, 0)
      yield* feeding.points(1, 20)
      yield* TestClock.adjust("1 hour")
      // Asserted when the writer can end: it is not interrupted while it stores.
      const meanwhile = [store.timesOf(1).length, feeding.counters.points.stored]
      yield* latch.open
      yield* settle
      expect([...meanwhile, feeding.counters.points.stored]).toEqual([20, 0, 20])
    }))

  test("announces an end when all of the session is stored: its points, its bounds, its laps", (store, feeding, ended) =>
    Effect.gen(function* () {
      const latch = store.hold("seal")
      yield* feeding.points(1, 5, 20)
      yield* feeding.lap(1, 0)
      const end = yield* feeding.end(1)
      yield* TestClock.adjust("1 hour")
      expect(yield* Fiber.poll(end)).toMatchObject({ _tag: "None" })
      expect(ended).toEqual([])
      yield* latch.open
      yield* Fiber.join(end)
      expect(ended).toEqual([1])
      expect(store.timesOf(1).length).toBe(20)
      expect(store.lapsOf(1).length).toBe(1)
      expect(store.sessions.get(1)).toMatchObject({ bounds: { first: 5, last: 24 }, recording: false })
      expect(store.sessions.get(2)!.recording).toBe(true)
    }))

  for (const call of [
    "write",
    "lost",
    "extendSessions",
    "addLaps",
    "seal",
    "endSession",
    "session"
  ] as const) {
    test(`tries ${call} again, after longer and longer pauses, and loses nothing in 20 failures`, (store, feeding) =>
      Effect.gen(function* () {
        store.fail(call, 20)
        yield* feeding.points(1, 0)
        yield* feeding.lap(1, 0)
        const end = yield* feeding.end(1)
        yield* settle
        let failures = 1
        for (const pause of [100, 200, 400, 800, 1600, 3200, ...Array<number>(14).fill(5000)]) {
          expect(store.countOf(call)).toBe(failures)
          yield* TestClock.adjust(pause - 1)
          expect(store.countOf(call)).toBe(failures)
          yield* TestClock.adjust(1)
          failures++
        }
        yield* Fiber.join(end)
        expect(feeding.counters.points.stored).toBe(10)
        expect(store.timesOf(1)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
        expect(store.lapsOf(1).length).toBe(1)
        expect(store.sessions.get(1)!.recording).toBe(false)
      }))
  }

  for (const call of ["write", "extendSessions", "addLaps", "endSession"] as const) {
    test(`goes on after a bug of the store's ${call}`, (store, feeding) =>
      Effect.gen(function* () {
        store.fail(call, 3, { isBug: true })
        yield* feeding.points(1, 0)
        yield* feeding.lap(1, 0)
        const end = yield* feeding.end(1)
        yield* TestClock.adjust("1 second")
        yield* Fiber.join(end)
        expect(store.timesOf(1).length).toBe(10)
        expect(store.lapsOf(1).length).toBe(1)
      }))
  }

  test("stores entries that came while the store failed, as soon as it works again", (store, feeding) =>
    Effect.gen(function* () {
      store.fail("write", 10)
      for (let i = 0; i < 50; i++) {
        yield* feeding.points(1, i * 10)
        yield* TestClock.adjust("200 millis")
      }
      const end = yield* feeding.end(1)
      yield* TestClock.adjust("1 minute")
      yield* Fiber.join(end)
      expect(store.timesOf(1)).toEqual(Array.from({ length: 500 }, (_, i) => i))
      expect(feeding.counters.points.stored).toBe(500)
    }))

  for (const call of ["write", "putDictionary", "extendSessions", "addLaps", "seal", "endSession"] as const) {
    test(`stores other sessions while one session's ${call} fails for good`, (store, feeding) =>
      Effect.gen(function* () {
        store.failFor(1, call, "passing")
        const intake = yield* Intake
        const dictionary = emptyDictionary
        for (let i = 0; i < 20; i++) {
          for (const id of [1, 2]) {
            if (i === 0) yield* intake.offer({ _tag: "Dictionary", sessionId: id, dictionary })
            yield* feeding.points(id, i * 10)
            yield* feeding.lap(id, i * 10)
          }
          yield* TestClock.adjust("1 second")
        }
        const ends = [yield* feeding.end(1), yield* feeding.end(2)] as const
        yield* TestClock.adjust("10 seconds")
        const meanwhile = {
          points: store.timesOf(2).length,
          laps: store.lapsOf(2).length,
          recording: store.sessions.get(2)!.recording,
          ended: [yield* isDone(ends[0]), yield* isDone(ends[1])]
        }
        // Asserted when the writer can end: it is not interrupted while it stores.
        store.failFor(1, call, undefined)
        yield* TestClock.adjust("10 seconds")
        yield* Fiber.joinAll(ends)
        expect(meanwhile).toEqual({ points: 200, laps: 20, recording: false, ended: [false, true] })
        expect([store.timesOf(1).length, store.lapsOf(1).length]).toEqual([200, 20])
        expect(feeding.counters.points.stored).toBe(400)
      }))

    test(`sets aside entries that the store's ${call} refuses, and the session goes on and ends`, (store, feeding) =>
      Effect.gen(function* () {
        store.failFor(1, call, "refused")
        const intake = yield* Intake
        yield* intake.offer({ _tag: "Dictionary", sessionId: 1, dictionary: emptyDictionary })
        for (const id of [1, 2]) {
          yield* feeding.points(id, 0)
          yield* feeding.lap(id, 0)
        }
        const ends = [yield* feeding.end(1), yield* feeding.end(2)]
        yield* TestClock.adjust("1 second")
        yield* Fiber.joinAll(ends)
        expect([store.timesOf(2).length, store.lapsOf(2).length]).toEqual([10, 1])
        const isOf = (name: typeof call) => name === call
        expect(store.timesOf(1).length).toBe(isOf("write") ? 0 : 10)
        expect(store.lapsOf(1).length).toBe(isOf("addLaps") ? 0 : 1)
        expect(store.sessions.get(1)!.recording).toBe(isOf("endSession"))
        expect(feeding.counters.points.dead).toBe(isOf("write") ? 10 : 0)
        expect(feeding.counters.points.stored + feeding.counters.points.dead).toBe(20)
      }))
  }

  test("sets aside only those of several batches and laps that the store refuses", (store, feeding) =>
    Effect.gen(function* () {
      store.refuseRowsAt(15)
      store.refuseLapsAt(1)
      yield* feeding.points(1, 0)
      yield* settle
      for (let i = 1; i < 5; i++) yield* feeding.points(1, i * 10, 40 - i)
      for (let i = 0; i < 3; i++) yield* feeding.lap(1, i)
      const end = yield* feeding.end(1)
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(end)
      expect(store.lapsOf(1).map((lap) => lap.startTime)).toEqual([0, 2])
      expect(feeding.counters.points.dead).toBe(39)
      expect(store.timesOf(1)).not.toContain(15)
      expect(store.timesOf(1)).toContain(75)
    }))

  test("sets aside entries that a bug keeps from being stored, after some attempts", (store, feeding) =>
    Effect.gen(function* () {
      store.failFor(1, "write", "bug")
      yield* feeding.points(1, 0)
      const end = yield* feeding.end(1)
      yield* TestClock.adjust("8 seconds")
      expect(feeding.counters.points.dead).toBe(0)
      yield* TestClock.adjust("10 seconds")
      yield* Fiber.join(end)
      expect(feeding.counters.points.dead).toBe(10)
      expect(store.countOf("write")).toBe(8)
    }))

  test(
    "leaves room for other sessions if the store cannot take one",
    (store, feeding) =>
      Effect.gen(function* () {
        store.failFor(1, "write", "passing")
        const flood = yield* Effect.fork(
          Effect.forEach(Array.from({ length: 100 }), (_, i) => feeding.points(1, i * 10))
        )
        for (let i = 0; i < 50; i++) {
          yield* feeding.points(2, i * 10)
          yield* TestClock.adjust("1 second")
        }
        const meanwhile = store.timesOf(2).length
        store.failFor(1, "write", undefined)
        yield* Effect.repeatN(TestClock.adjust("1 second"), 120)
        yield* Fiber.join(flood)
        yield* Effect.repeatN(TestClock.adjust("1 second"), 5)
        expect(meanwhile).toBeGreaterThan(480)
        expect(store.timesOf(1).length).toBe(1000)
        expect(feeding.counters.points.stored).toBe(1500)
      }),
    100
  )

  test("keeps the bounds of a session up to date while it is recorded: soon, then every five seconds", (store, feeding) =>
    Effect.gen(function* () {
      for (let i = 0; i < 15; i++) {
        yield* feeding.points(1, i * 10)
        yield* TestClock.adjust("500 millis")
        expect(store.countOf("extendSessions")).toBe(i < 1 ? 0 : i < 13 ? 1 : 2)
      }
      expect(store.countOf("write")).toBe(8)
      // The same for a session whose feed has gone silent.
      yield* TestClock.adjust("6 seconds")
      expect(store.countOf("extendSessions")).toBe(3)
      expect(store.sessions.get(1)!.bounds).toEqual({ first: 0, last: 149 })
      yield* TestClock.adjust("1 minute")
      expect(store.countOf("extendSessions")).toBe(3)
    }))

  test("stores the bounds of a session that begins soon, even if other entries wait", (store, feeding) =>
    Effect.gen(function* () {
      yield* feeding.points(1, 0)
      yield* TestClock.adjust("1 second")
      yield* feeding.points(1, 10)
      yield* TestClock.adjust("1 second")
      yield* feeding.points(2, 0)
      yield* TestClock.adjust("1 second")
      expect(store.sessions.get(2)!.bounds).toEqual({ first: 0, last: 9 })
    }))

  test("never stores bounds ahead of the points", (store, feeding) =>
    Effect.gen(function* () {
      const latch = store.hold("write")
      yield* feeding.points(1, 0)
      yield* TestClock.adjust("1 minute")
      expect(store.countOf("extendSessions")).toBe(0)
      yield* latch.open
      yield* TestClock.adjust("1 second")
      expect(store.sessions.get(1)!.bounds).toEqual({ first: 0, last: 9 })
    }))

  test("does not store points of a session that was deleted meanwhile, and removes those that it has stored", (store, feeding) =>
    Effect.gen(function* () {
      yield* feeding.points(1, 0)
      yield* settle
      expect(feeding.counters.points.stored).toBe(10)
      const latch = store.hold("write")
      yield* feeding.points(1, 10)
      yield* feeding.points(2, 0)
      yield* feeding.lap(1, 0)
      yield* TestClock.adjust("1 second")
      // As another process deletes: the row, then the points. The write under way comes after both.
      store.delete(1)
      store.rows.delete(1)
      store.deleted.set(1, false)
      yield* latch.open
      yield* settle
      expect(feeding.counters.points.stored).toBe(20)
      expect([...feeding.counters.points.rejected]).toEqual([["session_gone", 10]])
      expect(store.rows.sessionIds()).toEqual([2])
      expect(store.deleted.get(1)).toBe(false)
      expect((yield* Intake).isGone(1)).toBe(true)
      // Points that are still on their way are not even written, and their session's end is announced.
      const writes = store.countOf("write")
      yield* feeding.points(1, 20)
      yield* Fiber.join(yield* feeding.end(1))
      expect(store.countOf("write")).toBe(writes)
      expect(feeding.counters.points.rejectedTotal).toBe(20)
      expect(store.rows.sessionIds()).toEqual([2])
      expect(store.laps).toEqual([])
      expect([...store.sessions.keys()]).toEqual([2, 3])
    }))

  test("does not store points of a session that vanished without a deletion, and removes none", (store, feeding) =>
    Effect.gen(function* () {
      yield* feeding.points(1, 0)
      yield* settle
      store.sessions.delete(1)
      yield* feeding.points(1, 10)
      yield* TestClock.adjust("1 second")
      expect([feeding.counters.points.stored, feeding.counters.points.rejectedTotal]).toEqual([10, 10])
      expect(store.countOf("remove")).toBe(0)
      expect(store.timesOf(1).length).toBe(20)
    }))

  test("leaves points that cannot be removed now to the next start", (store, feeding) =>
    Effect.gen(function* () {
      store.delete(1)
      store.fail("remove", 1)
      yield* feeding.points(1, 0)
      yield* settle
      expect(store.deleted.get(1)).toBe(true)
      expect(feeding.counters.points.rejectedTotal).toBe(10)
    }))

  test("stores the laps and ends of other sessions after one has vanished", (store, feeding, ended) =>
    Effect.gen(function* () {
      store.sessions.delete(2)
      const ends = []
      for (const id of [1, 2, 3]) {
        yield* feeding.points(id, 0)
        yield* feeding.lap(id, 0)
        ends.push(yield* feeding.end(id))
      }
      yield* Fiber.joinAll(ends)
      expect(store.laps.map((lap) => lap.sessionId)).toEqual([1, 3])
      expect(ended).toEqual([1, 3])
    }))

  test("goes on writing if the audience throws", (store, feeding, ended) =>
    Effect.gen(function* () {
      store.announced.push = () => {
        throw new Error("a bug in the live feed")
      }
      yield* feeding.lap(1, 0)
      yield* Fiber.join(yield* feeding.end(1))
      yield* Fiber.join(yield* feeding.end(2))
      expect(ended).toEqual([1, 2])
      expect(store.laps.length).toBe(1)
    }))

  test("accepts an empty batch, and an end without points", (store, feeding, ended) =>
    Effect.gen(function* () {
      yield* feeding.points(1, 0, 0)
      yield* Fiber.join(yield* feeding.end(1))
      expect(store.countOf("write")).toBe(0)
      expect(ended).toEqual([1])
    }))

  it.effect("a stopping StoreWriter stores all that it has taken", () =>
    Effect.gen(function* () {
      const store = new MemoryStore()
      store.add({}, true)
      const latch = store.hold("write")
      const working = yield* Effect.fork(
        Effect.flatMap(start, ({ points }) => Effect.zipRight(points(1, 0), Effect.never)).pipe(
          Effect.provide(withWriter(store))
        )
      )
      yield* settle
      const stopping = yield* Effect.fork(Fiber.interrupt(working))
      expect(yield* isDone(stopping)).toBe(false)
      yield* latch.open
      yield* Fiber.join(stopping)
      expect(store.timesOf(1).length).toBe(10)
    })
  )
})
