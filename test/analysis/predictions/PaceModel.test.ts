import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import type { OutlierLikelihood } from "../../../src/analysis/predictions/LapTimeModel.ts"
import { type LapFacts, type LapStep, PaceModel } from "../../../src/analysis/predictions/PaceModel.ts"
import { needing } from "../../support/needing.ts"
import { racesHere } from "../../support/sharedData.ts"
import { enduranceRaces, formula1Races, type RaceSeries } from "../raceSeries.ts"

const next: LapStep = { laps: 1 }

const after = (times: ReadonlyArray<number>, model = PaceModel.before(times[0]!)) => {
  for (const time of times) model.observe(time, next)
  return model
}

/** The median error over `laps` of the next running lap, in shares of the lap time. */
const errorsOf = (
  { facts, laps }: RaceSeries,
  given: (at: number) => LapFacts,
  car: Parameters<typeof PaceModel.before>[1]
): ReadonlyArray<number> => {
  let model: PaceModel | undefined
  let before = 0
  const errors: Array<number> = []
  laps.forEach(({ lapTime }, at) => {
    if (lapTime === null || !facts[at]!.running) return
    const missed = at - before - 1
    const step = missed > 0 ? { laps: missed + 1, placeInStint: 1 } : next
    const known = given(at)
    if (model !== undefined) {
      const { time } = model.forecast(step, known)
      if (missed > 0 && missed < 3) errors.push(Math.abs(lapTime / time - 1))
    }
    model ??= PaceModel.before(lapTime, car)
    model.observe(lapTime, step, known)
    before = at
  })
  return errors
}

/** A lap as the model learns it. */
interface Learnt {
  readonly time: number
  readonly facts: LapFacts
  readonly step: LapStep
  readonly judged: OutlierLikelihood
}

const mean = (values: ReadonlyArray<number>) => values.reduce((sum, value) => sum + value, 0) / values.length

const learnt = (some: ReadonlyArray<Learnt>, factor = 1) => {
  const model = PaceModel.before(factor * some[0]!.time, { drivers: 3 })
  for (const one of some) model.observe(factor * one.time, one.step, one.facts, one.judged)
  return model
}

const driverOf =
  ({ facts }: RaceSeries) =>
  (at: number): LapFacts => ({ driver: facts[at]!.driver! })

describe("the model of pace", () => {
  // By the formulas with plain matrices, in another language.
  it.each([
    [
      false,
      [89.974_079_829_9, 89.657_723_693_2, 89.424_694_945_8],
      [0.005_240_494_926, 0.008_408_677_434, 0.009_449_935_443]
    ],
    [
      true,
      [90.031_586_484_4, 90.056_202_786_5, 90.047_461_724_1],
      [0.005_243_620_914, 0.008_486_021_709, 0.009_449_729_588]
    ]
  ])("forecasts a small case as computed elsewhere (refuels: %s)", (refuels, times, deviations) => {
    const model = after([90, 90.4, 89.9], PaceModel.before(90, { refuels }))
    const found = [
      model.forecast(next),
      model.forecast({ laps: 10 }),
      model.forecast({ laps: 3, placeInStint: 1 }, { compound: "hard" })
    ]
    found.forEach(({ deviation, time }, at) => {
      expect(time).toBeCloseTo(times[at]!, 8)
      expect(deviation).toBeCloseTo(deviations[at]!, 10)
    })
  })

  it.each([
    [false, 89.685_507_942, 0.008_262_420_27],
    [true, 89.706_995_506, 0.007_953_826_869]
  ])(
    "uses compound, age and fuel, and takes a far lap for a noisy one (refuels: %s)",
    (refuels, time, deviation) => {
      const model = PaceModel.before(90, { refuels })
      model.observe(90, next, { compound: "soft", tyreAge: 4, fuel: 50.5 })
      model.observe(90.4, next, { compound: "soft", tyreAge: 5, fuel: 49.5 })
      model.observe(96, next, { compound: "soft", tyreAge: 6, fuel: 48.5 })
      model.observe(89.5, { laps: 3, placeInStint: 1 }, { compound: "hard", tyreAge: 1, fuel: 45.5 })
      const found = model.forecast(next, { compound: "hard", tyreAge: 2, fuel: 44.5 })
      expect(found.time).toBeCloseTo(time, 8)
      expect(found.deviation).toBeCloseTo(deviation, 10)
    }
  )

  const time = fc.double({ min: 60, max: 120, noNaN: true })
  const facts = fc.record(
    {
      compound: fc.constantFrom("soft" as const, "medium" as const, "hard" as const),
      tyreAge: fc.integer({ min: 0, max: 60 }),
      fuel: fc.double({ min: 0, max: 80, noNaN: true }),
      driver: fc.nat({ max: 7 }),
      running: fc.boolean()
    },
    { requiredKeys: [] }
  )
  const step = fc.oneof(
    fc.constant(next),
    fc.record({ laps: fc.integer({ min: 1, max: 30 }), placeInStint: fc.integer({ min: 1, max: 10 }) })
  )
  const judged = fc.record({
    outlier: fc.constantFrom(0, 0.3, 1),
    jump: fc.constantFrom(0, 0.5, 1)
  })
  const laps = fc.array(fc.record({ time, facts, step, judged }), { minLength: 1, maxLength: 40 })
  it("is finite, for any laps", () => {
    const any = fc.oneof(fc.double({ min: 1e-3, max: 1e5, noNaN: true }), time)
    fc.assert(
      fc.property(laps, fc.array(any, { minLength: 40, maxLength: 40 }), (some, times) => {
        const model = learnt(some.map((one, at) => ({ ...one, time: times[at]! })))
        for (const ahead of [1, 5, 10]) {
          const found = model.forecast({ laps: ahead })
          expect(Number.isFinite(found.time) && found.deviation > 0 && Number.isFinite(found.deviation)).toBe(
            true
          )
        }
      })
    )
  })

  it("scales with time", () => {
    fc.assert(
      fc.property(laps, fc.double({ min: 0.1, max: 10, noNaN: true }), (some, factor) => {
        const one = learnt(some).forecast(next)
        const two = learnt(some, factor).forecast(next)
        expect(two.time / (factor * one.time)).toBeCloseTo(1, 6)
        expect(two.deviation).toBeCloseTo(one.deviation, 6)
      })
    )
  })

  it("learns nothing from outliers and from laps that do not run, in whatever order they come", () => {
    fc.assert(
      fc.property(fc.array(time, { minLength: 2, maxLength: 8 }), (others) => {
        const [one, two] = [others, others.toReversed()].map((order) => {
          const model = after([90, 90.2, 89.9, 90.1])
          order.forEach((lap, at) => {
            if (at % 2 === 0) model.observe(lap, next, { running: false })
            else model.observe(lap, next, {}, { outlier: 1, jump: 0 })
          })
          return model.forecast(next)
        })
        expect(two).toEqual(one)
      })
    )
  })

  it("follows a jump at once", () => {
    const model = after([90, 90.1, 89.9, 90, 90.1, 89.9])
    const jumped = model.copy()
    model.observe(93, next)
    jumped.observe(93, next, {}, { outlier: 0, jump: 1 })
    expect(model.forecast(next).time).toBeLessThan(92)
    expect(jumped.forecast(next).time).toBeGreaterThan(92)
  })

  it("is not changed by what its copy learns, and less sure the further ahead", () => {
    const model = after([90, 90.1, 89.9, 90])
    const before = model.forecast(next)
    after([100, 100], model.copy())
    expect(model.forecast(next)).toEqual(before)
    const deviations = [1, 2, 5, 10].map((ahead) => model.forecast({ laps: ahead }).deviation)
    expect(deviations).toEqual(deviations.toSorted((a, b) => a - b))
  })
})

describe("on real races", needing(racesHere), () => {
  it("compound and age of the tyres make first laps after a stop more certain", () => {
    const races = formula1Races(["2022"]).filter((_, at) => at % 4 === 0)
    const without = races.flatMap((race) => errorsOf(race, () => ({}), { refuels: false }))
    const told = races.flatMap((race) => errorsOf(race, (at) => race.facts[at]!, { refuels: false }))
    expect(told.length).toBeGreaterThan(100)
    expect(mean(told)).toBeLessThan(mean(without))
  })

  it("drivers make first laps after a change more certain", () => {
    const races = enduranceRaces().filter((_, at) => at % 4 === 0)
    const without = races.flatMap((race) => errorsOf(race, () => ({}), { refuels: true }))
    const told = races.flatMap((race) => errorsOf(race, driverOf(race), { refuels: true, drivers: 4 }))
    expect(told.length).toBeGreaterThan(100)
    expect(mean(told)).toBeLessThan(mean(without))
  })
})
