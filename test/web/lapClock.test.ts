/** The lap under way against a reference whose times are known beforehand: laps of a circle at even speeds. */
import { describe, expect, it } from "@effect/vitest"
import { LapClock } from "../../web/src/live/LapClock.ts"
import { ReferenceLap } from "../../web/src/live/ReferenceLap.ts"
import { unknownPoint } from "../../web/src/live/Ring.ts"
import type { Point } from "../../web/src/types.ts"

const RADIUS_M = 300
const HZ = 60
const REFERENCE_S = 60
const SECTORS_S = [18, 25] as const
/** Precision of a place on the circle: about the distance between two points. */
const NEARLY = 1 / HZ

/** The place of a car that has driven this share of the lap. */
const at = (share: number) => ({
  position_x: RADIUS_M * Math.cos(2 * Math.PI * share),
  position_y: RADIUS_M * Math.sin(2 * Math.PI * share)
})

const reference = () =>
  new ReferenceLap(
    Array.from({ length: REFERENCE_S * HZ + 1 }, (_, k) => ({
      timestamp: 1000 + k / HZ,
      rpm: 5000,
      ...at(k / (REFERENCE_S * HZ))
    })) as unknown as ReadonlyArray<Point>,
    { lap_time: REFERENCE_S, sector1_time: SECTORS_S[0], sector2_time: SECTORS_S[1] }
  )

/** Drives at an even speed, from one share of a lap to another, and reads each point. */
const drive = (clock: LapClock, begin: number, lapTime: number, from: number, to: number) => {
  let time = begin
  for (let share = from; share < to; share += 1 / (lapTime * HZ)) {
    time = begin + (share - from) * lapTime
    clock.read({ ...unknownPoint(), timestamp: time, ...at(share) })
  }
  return time
}

describe("the lap under way", () => {
  it("has its sectors when they end, and is predicted from its delay", () => {
    const clock = new LapClock()
    clock.follow(reference())
    // A lap of 66 s is a tenth slower everywhere, from shortly before the line.
    drive(clock, 5000, 66, 0.98, 1.25)
    expect(clock.sectors[0]).toBeNaN()
    const line = 5000 + 0.02 * 66
    drive(clock, line, 66, 0, 0.32)
    expect(clock.sectors[0]).toBeCloseTo(1.1 * SECTORS_S[0], 1)
    expect(clock.sectors[1]).toBeNaN()
    drive(clock, line + 0.32 * 66, 66, 0.32, 0.8)
    expect(Math.abs(clock.sectors[1] - 1.1 * SECTORS_S[1])).toBeLessThan(2 * NEARLY)
    expect(Math.abs(clock.delta - 0.8 * 6)).toBeLessThan(2 * NEARLY)
    expect(Math.abs(clock.predicted - (60 + 0.8 * 6))).toBeLessThan(2 * NEARLY)
    // The next lap begins without sectors.
    drive(clock, line + 0.8 * 66, 66, 0.8, 1.02)
    expect(clock.sectors).toEqual([Number.NaN, Number.NaN])
  })

  it("has no time of a sector whose beginning was missed", () => {
    const clock = new LapClock()
    clock.follow(reference())
    clock.beginAt(5000, true)
    // The points begin after the first sector.
    drive(clock, 5000 + 0.4 * 60, 60, 0.4, 0.9)
    expect(clock.sectors).toEqual([Number.NaN, Number.NaN])
    expect(clock.sectorsOver).toBe(2)
    expect(Math.abs(clock.delta)).toBeLessThan(2 * NEARLY)
    // The next lap has none behind it.
    drive(clock, 5000 + 0.9 * 60, 60, 0.9, 1.1)
    expect(clock.sectorsOver).toBe(0)
  })
})
