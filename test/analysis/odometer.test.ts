import { describe, expect, it } from "vitest"
import { metresOf, Odometer } from "../../src/analysis/place/odometer.ts"
import { needing } from "../support/needing.ts"
import { recordingsHere } from "../support/sharedData.ts"
import { paused } from "./faults.ts"
import { copyOf, drivenLaps, recordedLaps } from "./sessions.ts"

const driven = drivenLaps({ laps: 8, hz: 20 })

describe("distance", () => {
  it("is the circuit's length, however the points are cut into batches", () => {
    const { points } = driven[3]!
    const odometer = new Odometer()
    for (let i = 0; i < points.length; i += 37) odometer.add(points.slice(i, Math.min(points.length, i + 37)))
    expect(odometer.metres).toBe(metresOf(points))
    expect(Math.abs(odometer.metres - 4997)).toBeLessThan(50)
  })

  it("does not grow in a pause, and comes from positions if there is no speed", () => {
    const { points } = driven[3]!
    const stood = paused(driven[3]!, 40, 600).points
    expect(Math.abs(metresOf(stood) - metresOf(points))).toBeLessThan(5)
    const silent = copyOf(driven[3]!).points
    silent.column("speed").fill(0)
    expect(Math.abs(metresOf(silent) - metresOf(points))).toBeLessThan(30)
  })
})

describe("distance in Formula 1, Bahrain", needing(recordingsHere), () => {
  it("is 5320 to 5400 m for a clean lap", () => {
    const pace = recordedLaps("f1-bahrain-2026-ant").filter(
      ({ lap }) => lap.lapTime !== null && lap.lapTime < 1.07 * 93.669
    )
    const metres = pace.map(({ points }) => metresOf(points)).sort((a, b) => a - b)
    expect(metres[metres.length >> 1]).toBeGreaterThan(5320)
    expect(metres[metres.length >> 1]).toBeLessThan(5400)
    expect(metres.filter((way) => way < 5300 || way > 5400)).toEqual([])
  })
})
