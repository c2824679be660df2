/** What a recorder takes at once, past the fiber that waits: the same as `record` makes of it, and only what needs no waiting. */
import { expect, it } from "@effect/vitest"
import { Effect, FastCheck, Fiber, TestClock } from "effect"
import { SimulatorEvent } from "../../src/domain/SimulatorEvent.ts"
import * as Recorder from "../../src/recording/Recorder.ts"
import { ended, lap, points, range, refused, started } from "./events.ts"
import { MemoryStore } from "./memoryStore.ts"
import { accounted, defaults, recording } from "./recording.ts"
import { withWriter } from "./rig.ts"
import { runs } from "../runner/runs.ts"

const late = SimulatorEvent.Discarded({ reason: "late", points: 2 })
const datagrams = { reliable: false }

recording(
  "takes points of a session that runs, and what was discarded, up to anything else",
  (recorder, store) =>
    Effect.gen(function* () {
      expect(recorder.recordNow([points([0])])).toBe(0)
      yield* recorder.record([started()])
      expect(recorder.recordNow([points([1, 2]), late, points([3]), refused(), points([4])])).toBe(3)
      expect(recorder.recordNow([ended, points([5])])).toBe(0)
      yield* recorder.close
      expect(store.timesOf(1)).toEqual([1001, 1002, 1003])
      expect(store.published.map(([, time]) => time)).toEqual([1001, 1002, 1003])
      expect(recorder.tally.rejected).toEqual(new Map([["out_of_order", 2]]))
      expect(accounted(recorder)).toBe(true)
    }),
  datagrams
)

recording(
  "leaves points to who can wait while the session waits for the simulator's word",
  (recorder) =>
    Effect.gen(function* () {
      yield* recorder.record([started()])
      yield* recorder.linkLost
      expect(recorder.recordNow([points([1])])).toBe(0)
      yield* recorder.record([started()])
      expect(recorder.recordNow([points([1])])).toBe(1)
    }),
  datagrams
)

recording(
  "takes of a feed that can be made to wait what there is room for, and leaves the rest as it was",
  (recorder, store) =>
    Effect.gen(function* () {
      yield* recorder.record([started()])
      const latch = store.hold("write")
      const rest = points(range(6, 11))
      expect(recorder.recordNow([points(range(0, 6)), rest, ended])).toBe(1)
      expect(store.published.length).toBe(6)
      const waiting = yield* Effect.fork(recorder.record([rest]))
      yield* latch.open
      yield* Fiber.join(waiting)
      yield* recorder.close
      expect(store.timesOf(1)).toEqual(range(1000, 1011))
      expect(recorder.tally.dropped).toBe(0)
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
      expect(recorder.recordNow([points(range(0, 8)), points(range(8, 11))])).toBe(2)
      expect(recorder.tally.dropped).toBe(3)
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

/** What is kept and shown of groups of events, each recorded at once as far as that is possible, or not. */
const outcome = Effect.fnUntraced(function* (
  groups: ReadonlyArray<ReadonlyArray<Said>>,
  reliable: boolean,
  atOnce: boolean
) {
  const store = new MemoryStore()
  yield* TestClock.setTime(0)
  return yield* Effect.gen(function* () {
    const recorder = yield* Recorder.make({ ...defaults, reliable })
    const events = eventsOf(groups.flat())
    for (const { length } of groups) {
      const group = events.splice(0, length)
      const heard = group.filter((event) => event !== "lost")
      const taken = atOnce ? recorder.recordNow(heard) : 0
      yield* recorder.record(heard.slice(taken))
      if (group.includes("lost")) yield* recorder.linkLost
      yield* TestClock.adjust("1 second")
    }
    yield* recorder.close
    const { announced, laps, points, published, sessions } = store
    return { announced, laps, points, published, sessions, tally: { ...recorder.tally } }
  }).pipe(Effect.provide(withWriter(store)), Effect.scoped)
})

it.effect.prop(
  "makes of all what it makes of it when nothing is taken at once",
  [FastCheck.array(FastCheck.array(said, { maxLength: 6 }), { maxLength: 8 }), FastCheck.boolean()],
  ([groups, reliable]) =>
    Effect.gen(function* () {
      const begun = [["started" as const], ...groups]
      expect(yield* outcome(begun, reliable, true)).toEqual(yield* outcome(begun, reliable, false))
    }),
  { fastCheck: { numRuns: runs(40) } }
)
