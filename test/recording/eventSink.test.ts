/** What a recorder records at once, and what it keeps: the same comes of both. */
import { expect, it } from "@effect/vitest"
import { Effect, FastCheck, Fiber, TestClock } from "effect"
import { SimulatorEvent } from "../../src/domain/SimulatorEvent.ts"
import { isDone } from "./fibers.ts"
import { ended, lap, points, range, refused, started } from "./events.ts"
import { MemoryStore } from "./memoryStore.ts"
import { accounted, recorderOf, recording } from "./recording.ts"
import { withWriter } from "./rig.ts"
import { runs } from "../support/runs.ts"

const late = SimulatorEvent.Discarded({ reason: "late", points: 2 })
const datagrams = { reliable: false }

recording(
  "records at once up to what has to wait, and keeps the rest in order",
  (recorder, store) =>
    Effect.gen(function* () {
      yield* recorder.record([started()])
      expect(recorder.offer([points([1, 2]), late, points([3]), started({ driver: "Ben" })])).toBe(false)
      expect(store.published.map(([, time]) => time)).toEqual([1001, 1002, 1003])
      // Another link's, while the recorder still has to wait: what is kept before it is recorded first.
      recorder.offer([points([4])])
      expect(recorder.sessionId()).toBe(1)
      yield* recorder.close
      expect(store.timesOf(2)).toEqual([1004])
      expect(store.timesOf(1)).toEqual([1001, 1002, 1003])
      expect(store.published.map(([, time]) => time)).toEqual([1001, 1002, 1003, 1004])
      expect(recorder.counters.points.rejected).toEqual(new Map([["out_of_order", 2]]))
      expect(accounted(recorder)).toBe(true)
    }),
  datagrams
)

recording(
  "waits with points while the session waits for the simulator's word",
  (recorder) =>
    Effect.gen(function* () {
      yield* recorder.record([started()])
      yield* recorder.linkLost
      expect(recorder.offer([points([1])])).toBe(false)
      yield* recorder.ready
      yield* recorder.record([started()])
      expect(recorder.offer([points([2])])).toBe(true)
    }),
  datagrams
)

recording(
  "records of a feed that can be made to wait what there is room for, and is ready when there is more",
  (recorder, store) =>
    Effect.gen(function* () {
      yield* recorder.record([started()])
      const latch = store.hold("write")
      expect(recorder.offer([points(range(0, 6)), points(range(6, 11)), ended])).toBe(false)
      // What waits for room is shown at once: storage never delays what is live.
      expect(store.published.length).toBe(11)
      const waiting = yield* Effect.fork(recorder.ready)
      expect(yield* isDone(waiting)).toBe(false)
      yield* latch.open
      yield* Fiber.join(waiting)
      yield* recorder.close
      expect(store.timesOf(1)).toEqual(range(1000, 1011))
      expect(recorder.counters.points.dropped).toBe(0)
      expect(accounted(recorder)).toBe(true)
    }),
  { reliable: true },
  undefined,
  8
)

recording(
  "counts the points that there is no room for",
  (recorder, store) =>
    Effect.gen(function* () {
      yield* recorder.record([started()])
      const latch = store.hold("write")
      expect(recorder.offer([points(range(0, 8)), points(range(8, 11))])).toBe(true)
      expect(recorder.counters.points.dropped).toBe(3)
      yield* latch.open
      yield* recorder.close
      expect(store.timesOf(1).length).toBe(8)
    }),
  datagrams,
  undefined,
  8
)

type Word = "started" | "lap" | "late" | "refused" | "ended" | "lost"
/** One thing that a simulator says; points go on from those before, at times into the next lap. */
type Said = Word | { readonly steps: ReadonlyArray<number>; readonly next: boolean; readonly missing: number }

const said: FastCheck.Arbitrary<Said> = FastCheck.oneof(
  {
    weight: 12,
    arbitrary: FastCheck.record({
      steps: FastCheck.array(FastCheck.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 6 }),
      next: FastCheck.integer({ min: 0, max: 3 }).map((n) => n === 0),
      missing: FastCheck.constantFrom(0, 0, 0, 2)
    })
  },
  { weight: 2, arbitrary: FastCheck.constantFrom<Word>("started", "lap", "late", "refused") },
  { weight: 1, arbitrary: FastCheck.constantFrom<Word>("ended", "lost") }
)
const eventsOf = (sayings: ReadonlyArray<Said>) => {
  let time = 0
  let number = 1
  return sayings.map((one) => {
    if (one === "lost") return "lost" as const
    if (one === "started") return started()
    if (one === "ended") return ended
    if (one === "late") return late
    if (one === "refused") return refused()
    if (one === "lap") return lap(number, { end: time })
    if (one.next) number++
    const times = one.steps.map((step) => (time += step))
    return points(
      times,
      times.map(() => number),
      one.missing
    )
  })
}

/** What is stored and shown of groups of events, each offered together, or each event by itself after all before was recorded. */
const outcome = Effect.fnUntraced(function* (
  groups: ReadonlyArray<ReadonlyArray<Said>>,
  reliable: boolean,
  together: boolean
) {
  const store = new MemoryStore()
  yield* TestClock.setTime(0)
  return yield* Effect.gen(function* () {
    const recorder = yield* recorderOf({ reliable })
    const events = eventsOf(groups.flat())
    for (const { length } of groups) {
      const group = events.splice(0, length)
      const heard = group.filter((event) => event !== "lost")
      if (together) yield* recorder.record(heard)
      else yield* Effect.forEach(heard, (event) => recorder.record([event]), { discard: true })
      if (group.includes("lost")) yield* recorder.linkLost
      yield* TestClock.adjust("1 second")
    }
    yield* recorder.close
    const { announced, laps, published, rows, sessions } = store
    return { announced, laps, rows, published, sessions, counters: { ...recorder.counters } }
  }).pipe(Effect.provide(withWriter(store)), Effect.scoped)
})

it.effect.prop(
  "makes of events that are offered together what it makes of each by itself",
  [FastCheck.array(FastCheck.array(said, { maxLength: 6 }), { maxLength: 8 }), FastCheck.boolean()],
  ([groups, reliable]) =>
    Effect.gen(function* () {
      const begun = [["started" as const], ...groups]
      expect(yield* outcome(begun, reliable, true)).toEqual(yield* outcome(begun, reliable, false))
    }),
  { fastCheck: { numRuns: runs(15) } }
)
