import { describe, expect, it } from "vitest"
import { align } from "../../src/analysis/place/alignment.ts"
import { analyseCorners } from "../../src/analysis/corners/cornerTimes.ts"
import { circuitNames } from "../../simulator/model/Circuit.ts"
import { drive, drivenLap } from "./lapData.ts"

describe("analyseCorners", () => {
  it.each(circuitNames)("cuts the whole lap of %s, so that losses and gains are the delta", (name) => {
    const from = drive(name)
    const alignment = align([2, 3, 4, 5, 6].map((lap) => drivenLap(from, lap)))!
    const { reference } = alignment
    const { corners, sections } = analyseCorners(alignment, reference)
    expect(corners.length).toBeGreaterThan(4)
    alignment.laps.forEach((lap, l) => {
      const row = sections[l]!
      expect(row[0]!.from).toBe(0)
      expect(row.at(-1)!.to).toBe(alignment.grid.length)
      expect(row.slice(1).map(({ from }) => from)).toEqual(row.slice(0, -1).map(({ to }) => to))
      const delta = lap.time.at(-1)! - reference.time.at(-1)!
      expect(row.reduce((sum, { lost }) => sum + lost, 0)).toBeCloseTo(delta, 9)
    })
  })

  it("measures how each lap goes through each corner", () => {
    const from = drive("Hollin Moor")
    const alignment = align([2, 3, 4].map((lap) => drivenLap(from, lap)))!
    for (const { apex, entry, exit, passes } of analyseCorners(alignment, alignment.reference).corners) {
      expect(passes.map(({ lapId }) => lapId)).toEqual([2, 3, 4])
      expect(passes[alignment.laps.indexOf(alignment.reference)]!.timeLost).toBe(0)
      for (const pass of passes) {
        expect(apex).toBeGreaterThan(entry)
        expect(pass.minimumSpeed).toBeLessThanOrEqual(pass.apexSpeed! + 1e-9)
        expect(pass.minimumSpeed).toBeLessThanOrEqual(Math.min(pass.entrySpeed!, pass.exitSpeed!) + 1e-9)
        expect(pass.minimumSpeedAt).toBeGreaterThan(entry - 1)
        expect(pass.minimumSpeedAt).toBeLessThan(exit + 1)
        expect(pass.brakingPoint ?? 0).toBeLessThan(pass.minimumSpeedAt!)
        expect(pass.throttlePoint ?? Infinity).toBeGreaterThanOrEqual(pass.minimumSpeedAt!)
        expect(pass.time).toBeGreaterThan(0)
      }
    }
  })

  it("finds braking by the speed if there is no pedal", () => {
    const from = drive("Hollin Moor")
    const laps = [2, 3].map((lap) => drivenLap(from, lap))
    const reported = align(laps)!
    const undeclared = align(
      laps.map(({ lap, points }) => {
        const without = points.pick(Array.from(points.timestamps.keys()))
        without.column("brake").fill(0)
        return { lap, points: without }
      })
    )!
    const by = analyseCorners(reported, reported.reference).corners
    const without = analyseCorners(undeclared, undeclared.reference).corners
    expect(without).toHaveLength(by.length)
    const heavy = by.flatMap(({ passes: [pass] }, index) =>
      pass!.entrySpeed! - pass!.minimumSpeed! > 30 ? [{ index, pass: pass! }] : []
    )
    expect(heavy.length).toBeGreaterThan(3)
    for (const { index, pass } of heavy) {
      const other = without[index]!.passes[0]!
      expect(Math.abs(other.brakingPoint! - pass.brakingPoint!)).toBeLessThan(25)
    }
  })
})
