import { describe, expect, it } from "@effect/vitest"
import { Effect, Either, Exit, Scope, TestClock } from "effect"
import { SessionBeingRecorded, SessionNotFound, StoreUnavailable } from "../../src/domain/errors.ts"
import { SimulatorEvent } from "../../src/domain/SimulatorEvent.ts"
import * as Recorder from "../../src/recording/feed/Recorder.ts"
import { ended, lap, points, range, started } from "./events.ts"
import { settle } from "./fibers.ts"
import { MemoryStore } from "./memoryStore.ts"
import { accounted, defaults, recording } from "./recording.ts"
import { withWriter } from "./rig.ts"

const recordingFlags = ({ sessions }: MemoryStore) => [...sessions.values()].map((kept) => kept.recording)

describe("a session whose link was lost", () => {
  recording("goes on with the same names, within 10 minutes", (recorder, store) =>
    Effect.gen(function* () {
      yield* recorder.record([started(), points([1, 2])])
      yield* recorder.linkLost
      yield* TestClock.adjust("9 minutes")
      yield* TestClock.adjust("59 seconds")
      yield* recorder.record([started(), points([3, 4])])
      yield* TestClock.adjust("1 hour")
      yield* recorder.record([points([5])])
      yield* recorder.close
      expect(store.sessions.size).toBe(1)
      expect(store.timesOf(1)).toEqual([1001, 1002, 1003, 1004, 1005])
    })
  )

  recording(
    "goes on without its names if the driver reports that it does, and other laps belong to another session",
    (recorder, store) =>
      Effect.gen(function* () {
        yield* recorder.record([started(), points([1, 2])])
        yield* recorder.linkLost
        yield* TestClock.adjust("9 minutes")
        yield* recorder.record([SimulatorEvent.SessionContinued(), points([3, 4])])
        yield* TestClock.adjust("1 hour")
        yield* recorder.record([points([5]), started({ clockZero: 9000 }), points([1])])
        yield* recorder.close
        expect(store.timesOf(1)).toEqual([1001, 1002, 1003, 1004, 1005])
        expect(store.timesOf(2)).toEqual([9001])
      })
  )

  recording("is ended after 10 minutes, and the same names begin another", (recorder, store) =>
    Effect.gen(function* () {
      yield* recorder.record([started(), points([1, 2])])
      yield* recorder.linkLost
      yield* TestClock.adjust("10 minutes")
      yield* settle
      expect(recorder.sessionId()).toBeNull()
      expect(recordingFlags(store)).toEqual([false])
      yield* recorder.record([points([3]), started(), points([4])])
      yield* recorder.close
      expect(store.timesOf(2)).toEqual([1004])
      expect(recorder.counters.points.rejected.get("no_session")).toBe(1)
    })
  )

  for (const other of [{ circuit: "Monza" }, { vehicle: "LMP2" }, { driver: "Ben" }]) {
    recording(`is ended by a message of another session: ${JSON.stringify(other)}`, (recorder, store) =>
      Effect.gen(function* () {
        yield* recorder.record([started(), points([1])])
        yield* recorder.linkLost
        yield* recorder.record([started(other), points([2])])
        yield* recorder.close
        expect(store.timesOf(1)).toEqual([1001])
        expect(store.timesOf(2)).toEqual([1002])
      })
    )
  }

  recording(
    "is anchored again if the clock of a datagram source has begun anew",
    (recorder, store) =>
      Effect.gen(function* () {
        yield* TestClock.setTime(1_000_000)
        yield* recorder.record([started({ clockZero: undefined }), points([500, 501])])
        yield* recorder.linkLost
        yield* TestClock.adjust("1 minute")
        yield* recorder.record([started({ clockZero: undefined }), points([3, 4])])
        yield* recorder.close
        expect(store.sessions.size).toBe(1)
        expect(store.timesOf(1)).toEqual([1000, 1001, 1060, 1061])
      }),
    { reliable: false }
  )

  recording(
    "counts on if nobody numbers the laps: three runs, each on a link of its own, are laps 1 to 3",
    (recorder, store) =>
      Effect.gen(function* () {
        for (let run = 0; run < 3; run++) {
          yield* TestClock.setTime((1000 + 300 * run) * 1000)
          const start = started({ clockZero: undefined, tellsLaps: true })
          const declared = lap(undefined, { lapTime: 200, start: 100, end: 300, valid: true })
          yield* recorder.record([start, points(range(100, 300)), declared])
          yield* recorder.linkLost
        }
        yield* recorder.close
        expect(store.sessions.size).toBe(1)
        expect(store.lapsOf(1).map((lap) => [lap.lapNumber, lap.lapTime, lap.valid])).toEqual([
          [1, 200, true],
          [2, 200, true],
          [3, 200, true]
        ])
      }),
    { reliable: false }
  )

  recording("stores nothing twice if the feed starts over", (recorder, store) =>
    Effect.gen(function* () {
      const laps = [lap(1, { lapTime: 10, start: 0, end: 10 }), lap(2, { lapTime: 10, start: 10, end: 20 })]
      yield* recorder.record([started(), points(range(0, 11)), laps[0]!, points(range(11, 15))])
      yield* recorder.linkLost
      yield* recorder.record([started(), points(range(0, 11)), laps[0]!, points(range(11, 25)), laps[1]!])
      yield* recorder.close
      expect(store.timesOf(1)).toEqual(range(1000, 1025))
      expect(store.lapsOf(1).map((lap) => [lap.lapNumber, lap.lapTime])).toEqual([
        [1, 10],
        [2, 10],
        [3, null]
      ])
      expect(recorder.counters.points.rejected.get("out_of_order")).toBe(15)
      expect(accounted(recorder)).toBe(true)
    })
  )

  recording(
    "takes the clock that the feed states now, and keeps its own if the feed states none",
    (recorder, store) =>
      Effect.gen(function* () {
        yield* recorder.record([started(), points([1])])
        yield* recorder.linkLost
        yield* recorder.record([started({ clockZero: undefined }), points([2])])
        yield* recorder.linkLost
        yield* recorder.record([started({ clockZero: 2000 }), points([0])])
        yield* recorder.close
        // A driver decided that it is the same session; for a native feed it would be another (feedClock.test.ts).
        expect(store.timesOf(1)).toEqual([1001, 1002, 2000])
      })
  )

  for (const [from, valid] of [
    [1, true],
    [3, false]
  ] as const) {
    recording(`has a gap in its lap if its points have one: from ${from} s on`, (recorder, store) =>
      Effect.gen(function* () {
        const line = { startLine: { x1: -1, y1: 0.5, x2: 1, y2: 0.5 } }
        yield* recorder.record([started(line), points([0, 0.5], [1, 2])])
        yield* recorder.linkLost
        yield* recorder.record([started(line), points([from, from + 0.5, from + 1], [2, 3, 3])])
        yield* recorder.close
        expect(store.lapsOf(1).map((lap) => [lap.lapNumber, lap.valid])).toEqual([
          [1, false],
          [2, valid],
          [3, false]
        ])
      })
    )
  }

  recording("lives on with its points if the feed does not report again that it runs", (recorder, store) =>
    Effect.gen(function* () {
      yield* recorder.record([started(), points([1])])
      yield* recorder.linkLost
      yield* TestClock.adjust("5 minutes")
      yield* recorder.record([points([2])])
      yield* TestClock.adjust("10 minutes")
      yield* recorder.record([points([3])])
      expect(recorder.sessionId()).toBe(1)
      yield* recorder.record([started(), points([4])])
      yield* recorder.close
      expect(store.timesOf(1)).toEqual([1001, 1002, 1003, 1004])
      expect(store.sessions.size).toBe(1)
    })
  )

  recording("is not kept by links that come and go and send nothing", (recorder, store) =>
    Effect.gen(function* () {
      yield* recorder.record([started(), points([1])])
      for (let minute = 0; minute < 10; minute++) {
        yield* recorder.linkLost
        yield* TestClock.adjust("1 minute")
      }
      yield* settle
      expect(recordingFlags(store)).toEqual([false])
    })
  )

  recording("has 10 more minutes if its link is lost again within the 10", (recorder, store) =>
    Effect.gen(function* () {
      yield* recorder.record([started()])
      for (let i = 0; i < 3; i++) {
        yield* recorder.linkLost
        yield* TestClock.adjust("9 minutes")
        yield* recorder.record([started()])
      }
      expect(recordingFlags(store)).toEqual([true])
    })
  )

  recording("may be missing: a link that is lost before any session does no harm", (recorder, store) =>
    Effect.gen(function* () {
      yield* recorder.linkLost
      yield* TestClock.adjust("1 hour")
      yield* recorder.record([started()])
      expect(store.sessions.size).toBe(1)
    })
  )
})

/** Session 1 has points until 1009 and a lap from 1000 to 1005. */
const withHistory = (store: MemoryStore) => {
  const id = store.add({ circuit: "Monza" })
  store.rows.set(id, range(1000, 1010))
  const times = { lapTime: null, sector1Time: null, sector2Time: null, sector3Time: null }
  store.laps.push({
    id: 1,
    sessionId: id,
    lapNumber: 6,
    ...times,
    valid: false,
    startTime: 1000,
    endTime: 1005
  })
}

/** Why session 1 cannot be recorded into; a recorder that was not made leaves nothing behind. */
const attempt = (store: MemoryStore) =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    const made = yield* Effect.either(Recorder.make({ ...defaults, sessionId: 1 }).pipe(Scope.extend(scope)))
    yield* Scope.close(scope, Exit.void)
    yield* settle
    return Either.getOrThrow(Either.flip(made))
  }).pipe(Effect.provide(withWriter(store)))

describe("a session that the user names", () => {
  recording(
    "goes on where it left off, whatever names the simulator sends",
    (recorder, store) =>
      Effect.gen(function* () {
        expect(recorder.sessionId()).toBe(1)
        yield* recorder.record([started(), points(range(5, 15))])
        yield* recorder.close
        expect(store.sessions.size).toBe(1)
        expect(store.timesOf(1)).toEqual(range(1000, 1015))
        expect(recorder.counters.points.rejected.get("out_of_order")).toBe(5)
        expect(store.lapsOf(1).map((lap) => lap.lapNumber)).toEqual([6, 7])
        expect(recordingFlags(store)).toEqual([false])
      }),
    { sessionId: 1 },
    withHistory
  )

  recording(
    "takes points even if the simulator sends no session",
    (recorder, store) =>
      Effect.gen(function* () {
        yield* TestClock.setTime(3_000_000)
        yield* recorder.record([points([7, 8])])
        yield* recorder.linkLost
        yield* recorder.record([started({ clockZero: undefined, driver: "Ben" }), points([9])])
        yield* recorder.close
        expect(store.timesOf(1).slice(10)).toEqual([3000, 3001, 3002])
        expect(store.sessions.size).toBe(1)
      }),
    { sessionId: 1 },
    withHistory
  )

  recording(
    "is followed by a session of its own after it has ended",
    (recorder, store) =>
      Effect.gen(function* () {
        yield* recorder.record([started(), ended, started(), points([1])])
        expect(recorder.sessionId()).toBe(2)
        yield* recorder.close
        expect(recordingFlags(store)).toEqual([false, false])
      }),
    { sessionId: 1 },
    withHistory
  )

  it.effect("must exist, and must not be recorded by another", () =>
    Effect.gen(function* () {
      const store = new MemoryStore()
      expect(yield* attempt(store)).toBeInstanceOf(SessionNotFound)
      store.add({}, true)
      expect(yield* attempt(store)).toBeInstanceOf(SessionBeingRecorded)
      expect(recordingFlags(store)).toEqual([true])
    })
  )

  for (const call of ["claimSession", "bounds", "laps"] as const) {
    it.effect(`is given back if the store fails at ${call}`, () =>
      Effect.gen(function* () {
        const store = new MemoryStore()
        withHistory(store)
        store.fail(call, 1)
        expect(yield* attempt(store)).toBeInstanceOf(StoreUnavailable)
        expect(recordingFlags(store)).toEqual([false])
      })
    )
  }
})
