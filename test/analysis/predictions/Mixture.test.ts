import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { type Component, Mixture, rankedScore } from "../../../src/analysis/predictions/Mixture.ts"

const normal = (centre: number, scale: number, weight = 1): Component => ({
  kind: "normal",
  weight,
  centre,
  scale
})

describe("a mixture", () => {
  // Tables of the standard normal distribution.
  it.each([
    [0, 0.5],
    [1, 0.841_344_75],
    [-1.644_853_63, 0.05],
    [2.575_829_3, 0.995]
  ])("of one normal distribution is that distribution: %d", (z, share) => {
    const mixture = new Mixture([normal(100, 2, 7)], 0, 200)
    expect(mixture.below(100 + 2 * z)).toBeCloseTo(share, 6)
    expect(mixture.quantile(share)).toBeCloseTo(100 + 2 * z, 4)
  })

  it("has half of its slower component further away than its scale, and nothing on the other side", () => {
    const slower = new Mixture([{ kind: "slower", weight: 1, centre: 100, scale: 3 }], 0, 1e9)
    expect(slower.below(100)).toBe(0)
    expect(slower.below(103)).toBeCloseTo(0.5, 6)
    const faster = new Mixture([{ kind: "faster", weight: 1, centre: 100, scale: 3 }], -1e9, 200)
    expect(faster.below(97)).toBeCloseTo(0.5, 6)
    expect(faster.below(100)).toBeCloseTo(1, 6)
  })

  it("is its part between the limits, scaled to a whole", () => {
    const half = new Mixture([normal(0, 1)], 0, 10)
    expect(half.below(-1)).toBe(0)
    expect(half.below(11)).toBe(1)
    // Half of the upper half: the quantile 0.75 of the whole.
    expect(half.quantile(0.5)).toBeCloseTo(0.674_489_75, 4)
  })

  it("is even between limits where its components have nothing", () => {
    expect(new Mixture([normal(0, 1e-3)], 50, 60).quantile(0.25)).toBeCloseTo(52.5, 4)
    // Eight scales away: less than a double near 1 can represent.
    expect(new Mixture([normal(80, 1.2057316159934461, 0.01)], 90, 110).quantile(0.25)).toBeCloseTo(95, 4)
  })

  it("has quantiles that rise, within the limits, with the right share of values below them", () => {
    const component = fc.record({
      kind: fc.constantFrom<Component["kind"]>("normal", "slower", "faster"),
      weight: fc.double({ min: 0.01, max: 1, noNaN: true }),
      centre: fc.double({ min: 80, max: 120, noNaN: true }),
      scale: fc.double({ min: 0.05, max: 10, noNaN: true })
    })
    const share = fc.double({ min: 0.01, max: 0.99, noNaN: true })
    fc.assert(
      fc.property(
        fc.array(component, { minLength: 1, maxLength: 6 }),
        share,
        share,
        (components, one, two) => {
          const mixture = new Mixture(components, 90, 110)
          const [low, high] = [mixture.quantile(Math.min(one, two)), mixture.quantile(Math.max(one, two))]
          expect(low).toBeGreaterThanOrEqual(90)
          expect(high).toBeLessThanOrEqual(110)
          expect(low).toBeLessThanOrEqual(high + 1e-6)
          expect(mixture.below(mixture.quantile(one))).toBeCloseTo(one, 3)
        }
      )
    )
  })
})

describe("the ranked score", () => {
  // Of a normal distribution it has a closed form (Gneiting & Raftery 2007, equation 21): at its mean 0.23369 deviations.
  it.each([
    [0, 0.233_695],
    [1, 0.602_441],
    [-3, 2.436_595]
  ])("of a normal distribution is that of its closed form, at %d deviations", (value, score) => {
    const mixture = new Mixture([normal(90, 0.5)], 80, 100)
    expect(rankedScore(mixture, 90 + 0.5 * value, 80, 100, 90, 0.5) / (0.5 * score)).toBeCloseTo(1, 2)
  })

  it("of a nearly certain answer is its error, within the range and beyond", () => {
    const mixture = new Mixture([normal(90, 0.001)], 80, 100)
    for (const value of [85, 93, 103])
      expect(rankedScore(mixture, value, 80, 100, 90, 0.001) / Math.abs(value - 90)).toBeCloseTo(1, 1)
  })
})
