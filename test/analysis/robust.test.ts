import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import {
  baselineOf,
  baselineWithout,
  mad,
  MAD_TO_SIGMA,
  mean,
  median,
  modifiedZ,
  quantile,
  robustSigma,
  standardDeviation,
  theilSen
} from "../../src/analysis/math/robust.ts"

const value = fc.oneof(
  fc.double({ min: -1e6, max: 1e6, noNaN: true }),
  // Zeros have two signs, and half of the smallest number is a zero.
  fc.constantFrom(0, -0, Number.MIN_VALUE, -Number.MIN_VALUE)
)
const row = fc.array(value, { minLength: 1, maxLength: 40 })

describe("median and MAD", () => {
  it("of known rows", () => {
    expect(median([3, 1, 2])).toBe(2)
    expect(median([4, 1, 2, 3])).toBe(2.5)
    expect(median([])).toBeNaN()
    expect(mad([1, 1, 2, 2, 4, 6, 9])).toBe(1)
    expect(mad([5])).toBe(0)
  })

  it("are the middle of the sorted row, also if values repeat, are infinite or are missing", () => {
    const repeated = fc.oneof(
      fc.integer({ min: -3, max: 3 }),
      fc.constantFrom(Infinity, -Infinity, Number.NaN),
      value
    )
    fc.assert(
      fc.property(fc.array(repeated, { maxLength: 60 }), (values) => {
        const ordered = [...new Float64Array(values).sort()]
        const [low, high] = [ordered[(values.length - 1) >> 1], ordered[values.length >> 1]]
        const middle =
          low === undefined || high === undefined ? Number.NaN : low === high ? low : (low + high) / 2
        expect(median(values)).toBe(middle + 0)
      })
    )
  })

  it("allow any values in half of the row", () => {
    expect(median([1, 2, 3, 1e9, 1e9])).toBe(3)
    expect(robustSigma([1, 2, 3, 2, 1e9])).toBeLessThan(3)
  })

  it("estimate the deviation of normal values", () => {
    const normal = Array.from({ length: 2000 }, (_, i) => {
      // Quantiles of the normal distribution by the sum of twelve van der Corput-like uniforms.
      let sum = 0
      for (let k = 1; k <= 12; k++) sum += (i * Math.sqrt(2 + k * k)) % 1
      return sum - 6
    })
    expect(robustSigma(normal)).toBeGreaterThan(0.9)
    expect(robustSigma(normal)).toBeLessThan(1.1)
    expect(standardDeviation(normal)).toBeCloseTo(1, 1)
  })

  it("do not depend on the order", () => {
    fc.assert(
      fc.property(row, (values) => {
        const turned = [...values].reverse()
        expect(median(turned)).toBe(median(values))
        expect(mad(turned)).toBe(mad(values))
        expect(mean(turned)).toBe(mean(values))
      })
    )
  })
})

describe("a baseline without one of its values", () => {
  it("is the baseline of the others", () => {
    fc.assert(
      fc.property(row, fc.nat(), (values, pick) => {
        const sorted = Float64Array.from(values).sort()
        const without = pick % sorted.length
        const others = [...sorted].filter((_, i) => i !== without)
        const expected = baselineOf(others)
        const found = baselineWithout(sorted, sorted.length, without)
        expect(found.count).toBe(others.length)
        if (others.length === 0) return
        expect(found.centre).toBe(expected.centre)
        expect(found.sigma).toBeCloseTo(expected.sigma, 6)
        expect(baselineWithout(sorted, sorted.length, -1).centre).toBe(median(values))
      })
    )
  })
})

describe("the modified z-score", () => {
  it("is 0.6745 (x - median) / MAD", () => {
    const values = Array.from({ length: 1001 }, (_, i) => i)
    const sigma = MAD_TO_SIGMA * mad(values)
    expect(modifiedZ(750, median(values), sigma, 0)).toBeCloseTo((0.6745 * 250) / 250, 4)
  })
  it("takes the floor for any smaller spread", () => {
    expect(modifiedZ(3, 1, 0, 2)).toBe(1)
    expect(modifiedZ(3, 1, 0, 0)).toBe(0)
  })
})

describe("quantiles", () => {
  it("of known rows", () => {
    expect(quantile([1, 2, 3, 4], 0.5)).toBe(2.5)
    expect(quantile([1, 2, 3, 4], 1)).toBe(4)
  })
})

describe("the Theil-Sen line", () => {
  it("is exact on a line, whatever values a quarter of the points have", () => {
    const x = Array.from({ length: 20 }, (_, i) => i)
    const y = x.map((at) => (at % 5 === 0 ? 1e4 : 90 - 0.1 * at))
    const line = theilSen(x, y)
    expect(line.slope).toBeCloseTo(-0.1, 9)
    expect(line.intercept).toBeCloseTo(90, 9)
  })
  it("is level through one point", () => {
    expect(theilSen([3], [5])).toEqual({ slope: 0, intercept: 5 })
  })
})
