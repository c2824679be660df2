/** Events that a recorder records at once, and events that it keeps for later, have the same result. */
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
  "a recorder records at once up to the first event that has to wait, and keeps the rest in order",
  (recorder, store) =>
    Effect.gen(function* () {
      yield* recorder.record([started()])
      expect(recorder.offer([points([1, 2]), late, points([3]), started({ driver: "Ben" })])).toBe(false)
      expect(store.published.map(([, time]) => time)).toEqual([1001, 1002, 1003])
      // Points of another link, while the recorder has to wait: it records the events that it kept before them first.
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
  "a recorder keeps points waiting while the session waits for the simulator's message",
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
  "a recorder takes as much of a feed that can be made to wait as it has room for, and is ready when there is more",
  (recorder, store) =>
    Effect.gen(function* () {
      yield* recorder.record([started()])
      const latch = store.hold("write")
      expect(recorder.offer([points(range(0, 6)), points(range(6, 11)), ended])).toBe(false)
      // Points that wait for room are shown at once: storage never delays live clients.
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
  "a recorder counts the points that it has no room for",
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

type StepName = "started" | "lap" | "late" | "refused" | "ended" | "lost"
/** One event that a simulator may send; points go on from those before, at times into the next lap. */
type Step =
  | StepName
  | { readonly waits: ReadonlyArray<number>; readonly next: boolean; readonly missing: number }

const step: FastCheck.Arbitrary<Step> = FastCheck.oneof(
  {
    weight: 12,
    arbitrary: FastCheck.record({
      waits: FastCheck.array(FastCheck.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 6 }),
      next: FastCheck.integer({ min: 0, max: 3 }).map((n) => n === 0),
      missing: FastCheck.constantFrom(0, 0, 0, 2)
    })
  },
  { weight: 2, arbitrary: FastCheck.constantFrom<StepName>("started", "lap", "late", "refused") },
  { weight: 1, arbitrary: FastCheck.constantFrom<StepName>("ended", "lost") }
)
const eventsOf = (steps: ReadonlyArray<Step>) => {
  let time = 0
  let number = 1
  return steps.map((one) => {
    if (one === "lost") return "lost" as const
    if (one === "started") return started()
    if (one === "ended") return ended
    if (one === "late") return late
    if (one === "refused") return refused()
    if (one === "lap") return lap(number, { end: time })
    if (one.next) number++
    const times = one.waits.map((wait) => (time += wait))
    return points(
      times,
      times.map(() => number),
      one.missing
    )
  })
}

/** The rows stored and shown of groups of events, offered together, or one by one after all before was recorded. */
const outcome = Effect.fnUntraced(function* (
  groups: ReadonlyArray<ReadonlyArray<Step>>,
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
      const sent = group.filter((event) => event !== "lost")
      if (together) yield* recorder.record(sent)
      else yield* Effect.forEach(sent, (event) => recorder.record([event]), { discard: true })
      if (group.includes("lost")) yield* recorder.linkLost
      yield* TestClock.adjust("1 second")
    }
    yield* recorder.close
    const { announced, laps, published, rows, sessions } = store
    return { announced, laps, rows, published, sessions, counters: { ...recorder.counters } }
  }).pipe(Effect.provide(withWriter(store)), Effect.scoped)
})

it.effect.prop(
  "a recorder makes the same of events that are offered together as of each by itself",
  [FastCheck.array(FastCheck.array(step, { maxLength: 6 }), { maxLength: 8 }), FastCheck.boolean()],
  ([groups, reliable]) =>
    Effect.gen(function* () {
      const begun = [["started" as const], ...groups]
      expect(yield* outcome(begun, reliable, true)).toEqual(yield* outcome(begun, reliable, false))
    }),
  { fastCheck: { numRuns: runs(15) } }
)
