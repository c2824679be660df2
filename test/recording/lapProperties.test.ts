import { expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { LapTracker } from "../../src/recording/laps/LapTracker.ts"
import type { LapMessage, TrackFacts } from "../../src/recording/laps/laps.ts"
import { LENGTH, message, type Row, startLine, type Step, track } from "./driving.ts"

/** Numbers that a feed may send, sensible and not. */
const oddNumber = FastCheck.constantFrom(0, -0, 1, 2.5, -5, 1e300, Number.NaN, Infinity, -Infinity)
const lapNumber = FastCheck.oneof(
  { weight: 8, arbitrary: FastCheck.integer({ min: 0, max: 6 }) },
  { weight: 1, arbitrary: oddNumber }
)
const distance = FastCheck.oneof(
  { weight: 8, arbitrary: FastCheck.integer({ min: 0, max: LENGTH }) },
  { weight: 1, arbitrary: oddNumber }
)
const place = FastCheck.oneof(
  FastCheck.integer({ min: -200, max: 200 }),
  FastCheck.constantFrom(159, -0.5, 0.5, 1e308)
)
const speed = FastCheck.constantFrom(0, 1, 180, 300, -20, 1e308)

/** A point with its time since the one before, or a lap message. */
const pointStep = FastCheck.record(
  {
    wait: FastCheck.constantFrom(0.001, 0.1, 0.5, 1, 1.5, 5, 30),
    speed,
    position_x: place,
    position_y: place,
    lap_number: lapNumber,
    lap_distance: distance
  },
  // Channels that are left out are not declared.
  { requiredKeys: ["wait"] }
)
const time = FastCheck.option(FastCheck.integer({ min: 0, max: 200 }), { nil: undefined })
const messageStep = FastCheck.record({
  lapNumber: FastCheck.integer({ min: 0, max: 6 }),
  lapTime: FastCheck.option(FastCheck.integer({ min: 1, max: 100 })),
  valid: FastCheck.option(FastCheck.boolean(), { nil: undefined }),
  start: time,
  end: time
}).map((fields): LapMessage => message(fields.lapNumber, fields))

const step = FastCheck.oneof(
  { weight: 12, arbitrary: pointStep },
  { weight: 1, arbitrary: messageStep },
  { weight: 1, arbitrary: FastCheck.constant("lost" as const) }
)
const facts: FastCheck.Arbitrary<TrackFacts> = FastCheck.record({
  circuitLength: FastCheck.constantFrom(LENGTH, undefined, 0.001),
  startLine: FastCheck.constantFrom(startLine, undefined)
})

/** The steps with their points by time, one point a batch. */
const singly = (steps: ReadonlyArray<typeof step extends FastCheck.Arbitrary<infer A> ? A : never>) => {
  let now = 0
  return steps.map((step): Step => {
    if (step === "lost" || "lapNumber" in step) return step
    const { wait, ...rest } = step
    now += wait
    return [{ timestamp: now, ...rest } satisfies Row]
  })
}

/** Joins neighbouring batches, except before the indexes that `cut` names. */
const joined = (steps: ReadonlyArray<Step>, cut: (index: number) => boolean): ReadonlyArray<Step> => {
  const out: Array<Step> = []
  steps.forEach((step, i) => {
    const last = out.at(-1)
    if (cut(i) || !Array.isArray(step) || !Array.isArray(last)) out.push(step)
    else out[out.length - 1] = [...last, ...step]
  })
  return out
}

const steps = FastCheck.array(step, { maxLength: 80 })

it("laps never overlap, each has a duration, and all their values are numbers", () => {
  FastCheck.assert(
    FastCheck.property(steps, facts, (steps, facts) => {
      const laps = track(new LapTracker(facts), singly(steps), facts)
      let until = -Infinity
      for (const lap of laps) {
        expect(lap.startTime).toBeGreaterThanOrEqual(until)
        expect(lap.endTime).toBeGreaterThan(lap.startTime)
        expect(Number.isSafeInteger(lap.lapNumber)).toBe(true)
        for (const value of [lap.lapTime, lap.sector1Time, lap.sector2Time, lap.sector3Time]) {
          expect(value === null || Number.isFinite(value)).toBe(true)
        }
        until = lap.endTime
      }
    }),
    { numRuns: 2000 }
  )
})

it("a lap that was found in the points has sectors that add up, and none of them is negative", () => {
  FastCheck.assert(
    FastCheck.property(steps, facts, (steps, facts) => {
      for (const lap of track(new LapTracker(facts), singly(steps), facts)) {
        const sectors = [lap.sector1Time, lap.sector2Time, lap.sector3Time]
        if (sectors.includes(null)) continue
        for (const sector of sectors) expect(sector).toBeGreaterThanOrEqual(-0.5)
        expect(sectors.reduce((sum, sector) => sum! + sector!, 0)).toBeCloseTo(lap.lapTime!, 5)
      }
    }),
    { numRuns: 1000 }
  )
})

it("slow motion takes the time of the same lap, whether its points come one by one or together", () => {
  const one = singly([
    { wait: 0.001, position_x: 0, position_y: 0 },
    { wait: 30, speed: -20, position_x: 0, position_y: 159, lap_number: 0 },
    { wait: 30, speed: 300, position_x: 0, position_y: 0, lap_number: 4, lap_distance: 1 },
    { wait: 0.001, lap_number: 5 }
  ])
  const facts = { circuitLength: LENGTH, startLine }
  const together = joined(one, () => false)
  expect(track(new LapTracker(facts), together, facts)).toEqual(track(new LapTracker(facts), one, facts))
})

it("the same points give the same laps however they are cut into batches", () => {
  FastCheck.assert(
    FastCheck.property(steps, facts, FastCheck.func(FastCheck.boolean()), (steps, facts, cut) => {
      const one = singly(steps)
      const laps = track(new LapTracker(facts), one, facts)
      expect(
        track(
          new LapTracker(facts),
          joined(one, () => false),
          facts
        )
      ).toEqual(laps)
      expect(track(new LapTracker(facts), joined(one, cut), facts)).toEqual(laps)
    }),
    { numRuns: 1000 }
  )
})
