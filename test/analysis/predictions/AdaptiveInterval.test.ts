import { describe, expect, it } from "vitest"
import { AdaptiveInterval, LEVEL } from "../../../src/analysis/predictions/AdaptiveInterval.ts"

/** The same numbers each time (Park & Miller 1988). */
const uniform = () => {
  let state = 1
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
}

const directly = { missed: 0, stood: false }

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
      const held = random() ** power <= interval.held(directly)
      if (held) inside++
      interval.learn(directly, held)
    }
    expect(Math.abs(inside / LAPS - LEVEL)).toBeLessThan(0.02)
  })

  it("learns separately for each horizon", () => {
    const interval = new AdaptiveInterval()
    const missed = interval.held({ missed: 3, stood: false })
    interval.learn({ missed: 2, stood: false }, false)
    expect(interval.held({ missed: 1, stood: false })).toBeGreaterThan(missed)
    for (const other of [directly, { missed: 3, stood: true }])
      expect(interval.held(other)).toBe(new AdaptiveInterval().held(other))
  })

  it("never holds everything, and never less than two of three laps", () => {
    const interval = new AdaptiveInterval()
    for (let lap = 0; lap < 1000; lap++) interval.learn(directly, false)
    expect(interval.held(directly)).toBeCloseTo(0.995, 9)
    for (let lap = 0; lap < 1000; lap++) interval.learn(directly, true)
    expect(interval.held(directly)).toBeCloseTo(0.7, 9)
  })
})
