import { describe, expect, it } from "vitest"
import { AdaptiveInterval, LEVEL } from "../../../src/analysis/predictions/AdaptiveInterval.ts"

/** The same numbers each time (Park & Miller 1988). */
const uniform = () => {
  let state = 1
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
}

describe("the adaptive interval", () => {
  // A distribution is too narrow if laps lie further out in it than they should, and too wide if they lie further in.
  it.each([
    ["as wide as the laps", 1],
    ["too narrow", 0.4],
    ["too wide", 1.8]
  ])("holds the stated share of laps, in the long run, for a distribution %s", (_, power) => {
    const random = uniform()
    const interval = new AdaptiveInterval()
    const LAPS = 4000
    let inside = 0
    for (let lap = 0; lap < LAPS; lap++) {
      const held = random() ** power <= interval.held(0)
      if (held) inside++
      interval.learn(0, held)
    }
    expect(Math.abs(inside / LAPS - LEVEL)).toBeLessThan(0.02)
  })

  it("begins with its level, and learns separately for each horizon", () => {
    const interval = new AdaptiveInterval()
    expect(interval.held(0)).toBe(LEVEL)
    expect(interval.held(3)).toBe(LEVEL)
    interval.learn(2, false)
    expect(interval.held(1)).toBeGreaterThan(LEVEL)
    expect(interval.held(0)).toBe(LEVEL)
  })

  it("never holds everything, and never less than two of three laps", () => {
    const interval = new AdaptiveInterval()
    for (let lap = 0; lap < 1000; lap++) interval.learn(0, false)
    expect(interval.held(0)).toBeCloseTo(0.99, 9)
    for (let lap = 0; lap < 1000; lap++) interval.learn(0, true)
    expect(interval.held(0)).toBeCloseTo(0.7, 9)
  })
})
