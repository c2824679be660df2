/** Whatever a feed sends and however the store fares, every point is accounted for and none is stored twice. */
import { expect, it } from "@effect/vitest"
import { Effect, FastCheck, Fiber, TestClock } from "effect"
import type { SimulatorEvent } from "../../src/domain/SimulatorEvent.ts"
import * as Recorder from "../../src/recording/feed/Recorder.ts"
import { broken, ended, lap, points, refused, started } from "./events.ts"
import { type Call, MemoryStore } from "./memoryStore.ts"
import { accounted, recorderOf } from "./recording.ts"
import { withWriter } from "./rig.ts"
import { runs } from "../support/runs.ts"

/** One event; times are whole numbers, so that many of them collide. */
const times = FastCheck.array(FastCheck.integer({ min: 0, max: 60 }), { maxLength: 6 })
const happening = FastCheck.oneof(
  { weight: 8, arbitrary: times.map((times) => ({ kind: "points" as const, times })) },
  {
    weight: 1,
    arbitrary: FastCheck.integer({ min: 0, max: 60 }).map((time) => ({ kind: "broken" as const, time }))
  },
  {
    weight: 2,
    arbitrary: FastCheck.constantFrom("Anna", "Ben").map((driver) => ({ kind: "started" as const, driver }))
  },
  { weight: 1, arbitrary: FastCheck.constant({ kind: "ended" as const }) },
  { weight: 1, arbitrary: FastCheck.constant({ kind: "lost" as const }) },
  { weight: 1, arbitrary: FastCheck.constant({ kind: "deleted" as const }) },
  {
    weight: 1,
    arbitrary: FastCheck.integer({ min: 0, max: 5 }).map((count) => ({ kind: "refused" as const, count }))
  },
  {
    weight: 2,
    arbitrary: FastCheck.tuple(
      FastCheck.integer({ min: 1, max: 5 }),
      FastCheck.integer({ min: 1, max: 60 })
    ).map(([number, end]) => ({ kind: "lap" as const, number, end }))
  },
  {
    weight: 2,
    arbitrary: FastCheck.constantFrom(50, 1000, 400_000).map((ms) => ({ kind: "wait" as const, ms }))
  },
  {
    weight: 2,
    arbitrary: FastCheck.record({
      kind: FastCheck.constant("fault" as const),
      call: FastCheck.constantFrom<Call>(
        "write",
        "addLaps",
        "seal",
        "endSession",
        "createSession",
        "extendSessions",
        "session"
      ),
      count: FastCheck.integer({ min: 1, max: 4 })
    })
  }
)
type Happening = typeof happening extends FastCheck.Arbitrary<infer A> ? A : never

const eventOf = (happening: Happening): SimulatorEvent | undefined => {
  switch (happening.kind) {
    case "points":
      return points(
        happening.times,
        happening.times.map((time) => Math.floor(time / 10))
      )
    case "broken":
      return broken(happening.time)
    case "started":
      return started({ driver: happening.driver })
    case "ended":
      return ended
    case "refused":
      return refused(happening.count)
    case "lap":
      return lap(happening.number, { end: happening.end, lapTime: 5 })
    case "lost":
    case "deleted":
    case "wait":
    case "fault":
      return undefined
  }
}

/** A feed that can be made to wait, and one that cannot. */
const feeds = ["reliable", "datagrams"] as const
type Feed = (typeof feeds)[number]

/** The session that is recorded is deleted with its points; how many these were. */
const deleteOpen = (recorder: Recorder.Recorder, store: MemoryStore): number => {
  const id = recorder.sessionId()
  if (id === null || !store.sessions.has(id)) return 0
  const { length } = store.timesOf(id)
  store.delete(id)
  store.rows.delete(id)
  store.deleted.set(id, false)
  return length
}

const run = Effect.fnUntraced(function* (happenings: ReadonlyArray<Happening>, feed: Feed) {
  const store = new MemoryStore()
  return yield* Effect.gen(function* () {
    const recorder = yield* recorderOf({ reliable: feed === "reliable" })
    let deleted = 0
    const feeding = yield* Effect.forEach(happenings, (happening) => {
      const event = eventOf(happening)
      if (event !== undefined) return recorder.record([event])
      if (happening.kind === "lost") return recorder.linkLost
      if (happening.kind === "wait") return Effect.sleep(happening.ms)
      if (happening.kind === "deleted") {
        return Effect.sync(() => {
          deleted += deleteOpen(recorder, store)
        })
      }
      return Effect.sync(() => happening.kind === "fault" && store.fail(happening.call, happening.count))
    }).pipe(Effect.zipRight(recorder.close), Effect.fork)
    // Enough time for every wait, every pause of the writer and every fault.
    for (let i = 0; i < 100 && (yield* Fiber.poll(feeding))._tag === "None"; i++) {
      yield* TestClock.adjust(i < 20 ? "1 second" : "5 minutes")
    }
    yield* Fiber.join(feeding)
    return { deleted, recorder, store }
  }).pipe(Effect.provide(withWriter(store, 8)), Effect.scoped)
})

const sequence = FastCheck.array(happening, { maxLength: 40 })

it.effect.prop(
  "received = stored + dropped + rejected, and sessions are closed, ordered and without overlaps",
  [sequence, FastCheck.constantFrom(...feeds)],
  ([happenings, feed]) =>
    Effect.gen(function* () {
      const { deleted, recorder, store } = yield* run(happenings, feed)
      expect(accounted(recorder)).toBe(true)
      expect(feed === "reliable" ? recorder.counters.points.dropped : 0).toBe(0)
      const stored = store.rows.sessionIds().reduce((sum, id) => sum + store.timesOf(id).length, 0)
      expect(stored + deleted).toBe(recorder.counters.points.stored)
      // Nothing is left of a session that is gone.
      expect(store.rows.sessionIds().filter((id) => !store.sessions.has(id))).toEqual([])
      for (const [id, { recording, bounds }] of store.sessions) {
        expect(recording).toBe(false)
        const times = store.timesOf(id)
        expect(times).toEqual([...new Set(times)].sort((a, b) => a - b))
        expect(bounds).toEqual(times.length === 0 ? undefined : { first: times[0], last: times.at(-1) })
        const laps = store.lapsOf(id).toSorted((a, b) => a.startTime - b.startTime)
        const overlaps = laps.filter((lap, i) => i > 0 && lap.startTime < laps[i - 1]!.endTime)
        expect(overlaps).toEqual([])
      }
    }),
  { fastCheck: { numRuns: runs(40) } }
)
