import { describe, expect, it } from "vitest"
import { align } from "../../src/analysis/place/alignment.ts"
import { analyseCorners } from "../../src/analysis/corners/cornerTimes.ts"
import { circuitNames } from "../../simulator/model/Circuit.ts"
import { needing } from "../support/needing.ts"
import { casesHere, sharedFolder } from "../support/sharedData.ts"
import { drive, drivenLap, lapsIn } from "./lapData.ts"

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

describe("in a race at Monaco", needing(casesHere), () => {
  const all =
    casesHere.missing === undefined
      ? lapsIn(`${sharedFolder("data/cases")}/analysis/race-monaco.ndjson.gz`)
      : []
  const alignment = () => align(all.filter(({ lap }) => [36, 6, 14].includes(lap.lapNumber)))!

  // Corner 7 begins where the cars still leave the hairpin, slower than they ever are in it.
  it("a corner that begins where the laps leave another one has its own slowest place and braking", () => {
    const placed = alignment()
    const { corners } = analyseCorners(placed, placed.laps.at(-1)!)
    const seven = corners.find(({ label }) => label.startsWith("7"))!
    for (const { brakingPoint, entrySpeed, minimumSpeed, minimumSpeedAt } of seven.passes) {
      expect(minimumSpeedAt).toBeGreaterThan(seven.entry + 20)
      expect(minimumSpeed).toBeGreaterThan(entrySpeed!)
      expect(brakingPoint).toBeGreaterThan(seven.entry)
    }
  })

  // "Between corners 11 and 12: arrives 13 km/h slower" was what a slow corner 11 cost behind it.
  it("a bend that the laps leave a corner through belongs to that corner", () => {
    const placed = alignment()
    const { corners, sections } = analyseCorners(placed, placed.laps.at(-1)!)
    const bend = corners.find(({ label }) => label === "between 11 and 12")!
    for (const row of sections.slice(0, 2)) {
      const section = row.find(({ from, to }) => from <= bend.apex && to > bend.apex)!
      expect(section.corner!.label).toBe("11")
      expect(section.own!.to).toBeLessThan(bend.apex)
      expect(section.own!.lost).toBeLessThan(section.lost)
    }
  })
})
