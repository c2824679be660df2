import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { constants } from "../../../src/analysis/predictions/constants.ts"
import { LapTimeModel } from "../../../src/analysis/predictions/LapTimeModel.ts"

const LOW = 80
const HIGH = 120

const missing = (missed: number) => ({ missed, stood: false })

const after = (times: ReadonlyArray<number>, set = constants) => {
  const model = new LapTimeModel(times[0]!, set)
  for (const time of times.slice(1)) model.observe(time, missing(0))
  return model
}
const medianOf = (model: LapTimeModel, missed = 0) => model.forecast(missing(missed), LOW, HIGH).quantile(0.5)
const width = (model: LapTimeModel, missed = 0) => {
  const forecast = model.forecast(missing(missed), LOW, HIGH)
  return forecast.quantile(0.95) - forecast.quantile(0.05)
}

const steady = [100, 100.2, 99.9, 100.1, 99.8, 100.1, 100, 99.9, 100.2, 100]

describe("the model of lap times", () => {
  // The reference is from elsewhere: Muth 1960, exponential smoothing is the best forecast of a level that walks at random
  // under noise, with the smoothing factor that follows from step and scatter.
  it.each([0.5, 1, 2])("without outliers, jumps and trend is exponential smoothing (step %d)", (step) => {
    const alone = {
      ...constants,
      scatters: [0.003],
      movements: [[step, 1] as const],
      trend: 0,
      outliers: [0],
      jump: 0,
      outlierMissed: 0,
      jumpMissed: 0
    }
    const factor = (step / 2) * (Math.sqrt(step ** 2 + 4) - step)
    const time = fc.double({ min: 98, max: 102, noNaN: true })
    fc.assert(
      fc.property(fc.array(time, { minLength: 4, maxLength: 12 }), (last) => {
        // Enough laps before, so that the start values no longer matter.
        const times = [...Array.from({ length: 60 }, () => 100), ...last]
        const smoothed = times.reduce((level, one) => level + factor * (one - level))
        expect(medianOf(after(times, alone))).toBeCloseTo(smoothed, 4)
      })
    )
  })

  it("follows a trend that goes on", () => {
    const falling = Array.from({ length: 12 }, (_, lap) => 102 - 0.3 * lap + (lap % 2 === 0 ? 0.05 : -0.05))
    expect(Math.abs(medianOf(after(falling)) - (102 - 0.3 * 12))).toBeLessThan(0.1)
  })

  it("lets an outlier barely move the level, and recognises it once later laps are as before", () => {
    const before = medianOf(after(steady))
    const model = after([...steady, 104])
    expect(Math.abs(medianOf(model) - before)).toBeLessThan(0.3)
    expect(width(model)).toBeGreaterThan(width(after(steady)))
    for (const time of [100.1, 99.9]) model.observe(time, missing(0))
    expect(Math.abs(medianOf(model) - before)).toBeLessThan(0.15)
    const judged = model.judgements()
    expect(judged).toHaveLength(13)
    expect(judged[10]!.outlier).toBeGreaterThan(0.9)
    expect(judged.filter(({ outlier }) => outlier > 0.5)).toHaveLength(1)
  })

  it("follows a jump from its second lap on, and recognises it", () => {
    const model = after([...steady, 96])
    model.observe(96.1, missing(0))
    expect(medianOf(model)).toBeCloseTo(96.05, 0)
    model.observe(95.9, missing(0))
    expect(medianOf(model)).toBeCloseTo(96, 0)
    expect(model.judgements()[10]!.jump).toBeGreaterThan(0.9)
  })

  it("is less sure of a lap after missed laps, however many", () => {
    const model = after(steady)
    for (const missed of [1, 2, 5, 10]) expect(width(model, missed)).toBeGreaterThan(width(model) * 1.2)
  })

  it("is wider if laps scatter more, and narrows as they become steadier", () => {
    const wild = Array.from({ length: 14 }, (_, lap) => 100 + (lap % 2 === 0 ? 1 : -1) * (1 + (lap % 3)))
    const calm = wild.map((time) => 100 + (time - 100) / 10)
    expect(width(after(wild))).toBeGreaterThan(5 * width(after(calm)))
    expect(width(after([...wild, ...calm, ...calm, ...calm]))).toBeLessThan(0.5 * width(after(wild)))
  })
})
