import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { align, type LapData } from "../../src/analysis/place/alignment.ts"
import { consistency, lineSpread, timeSpread } from "../../src/analysis/compare/consistency.ts"
import type { SessionConsistency } from "../../src/domain/analysis/consistency.ts"
import { RowBatch } from "../../src/domain/RowBatch.ts"
import { slower } from "./faults.ts"
import { cleanSession, recording } from "./pairs.ts"
import { copyOf, drivenLaps, lapsOf, withoutMistake } from "./sessions.ts"
import { later, turned } from "./transforms.ts"
import { needing } from "../support/needing.ts"
import { recordings, recordingsHere } from "../support/sharedData.ts"

const of = (laps: ReadonlyArray<LapData>) => consistency(lapsOf(laps), align(laps, 5))

/** Expects the same spreads at the same places, m. */
const like = (found: SessionConsistency["line"], expected: SessionConsistency["line"], within: number) => {
  expect(found === null).toBe(expected === null)
  if (found === null || expected === null) return
  expect(found.laps).toBe(expected.laps)
  expect(found.distance).toHaveLength(expected.distance.length)
  found.spread.forEach((spread, k) => expect(Math.abs(spread - expected.spread[k]!)).toBeLessThan(within))
  expect(Math.abs(found.median - expected.median)).toBeLessThan(within)
}

/** The lap moved this far to its left everywhere, m. */
const beside = (original: LapData, metres: number): LapData => {
  const { lap, points } = copyOf(original)
  const { points: own } = original
  const [x, y] = [own.column("position_x"), own.column("position_y")]
  for (let i = 0; i < points.length; i++) {
    const [a, b] = [Math.max(0, i - 1), Math.min(points.length - 1, i + 1)]
    const [dx, dy] = [x[b]! - x[a]!, y[b]! - y[a]!]
    const way = Math.hypot(dx, dy)
    points.column("position_x")[i] = x[i]! - (metres * dy) / way
    points.column("position_y")[i] = y[i]! + (metres * dx) / way
  }
  return { lap, points }
}

const again = (data: LapData, id: number): LapData => ({
  points: new RowBatch(data.points.length, data.points.data.slice(), data.points.channels),
  lap: { ...data.lap, id, lapNumber: id }
})

describe("consistency", () => {
  // Guards the spread of the line against the map, and both spreads against the clock.
  it("is the same on a map turned and shifted, and at another time", () => {
    const metres = fc.integer({ min: -9000, max: 9000 })
    fc.assert(
      fc.property(cleanSession, fc.double({ min: -4, max: 4, noNaN: true }), metres, (laps, angle, shift) => {
        const plain = of(laps)
        const moved = of(laps.map((lap) => later(turned(lap, angle, shift, -shift), 3600 * shift)))
        expect(moved.times).toEqual(plain.times)
        like(moved.line, plain.line, 2e-4)
      }),
      { numRuns: 8 }
    )
  })

  // Guards zero: identical laps have no spread of any kind, exactly.
  it("of identical laps is zero", () => {
    fc.assert(
      fc.property(cleanSession, ([lap]) => {
        const { line, times } = of([1, 2, 3, 4].map((id) => again(lap!, id)))
        expect(times).toMatchObject({
          laps: 4,
          standardDeviation: 0,
          robustDeviation: 0,
          interquartileRange: 0,
          relative: 0
        })
        expect(line!.spread.every((spread) => spread === 0)).toBe(true)
        expect(line!.widest.spread).toBe(0)
      }),
      { numRuns: 6 }
    )
  })

  // Guards the line's scale: three laps side by side spread by the MAD of their distances.
  it("of laps side by side is their distance", () => {
    const [lap] = drivenLaps({ laps: 1, hz: 30, seed: 3 })
    for (const metres of [0.5, 2]) {
      const laps = [0, metres, -metres].map((aside, l) => again(beside(lap!, aside), l + 1))
      const { line } = of(laps)
      // For three laps at -d, 0 and d the MAD is d; 1.4826 makes a deviation of it, and 1.495 corrects for three values.
      expect(Math.abs(line!.median / (1.4826 * 1.495 * metres) - 1)).toBeLessThan(0.01)
    }
  })

  // Guards the robust measure: one slow lap within 107 % hardly moves it, but does move the plain one.
  it("by the MAD is unmoved by one outlier", () => {
    fc.assert(
      fc.property(cleanSession, fc.double({ min: 1.045, max: 1.06, noNaN: true }), (laps, factor) => {
        fc.pre(laps.length >= 6)
        const best = Math.min(...lapsOf(laps).map((lap) => lap.lapTime!))
        const slow = laps.find(({ lap }) => lap.lapTime !== best)!
        const { lapTime } = slow.lap
        const outlier = laps.map((lap) =>
          lap === slow ? slower(lap, [0, lapTime!], (factor * best) / lapTime!) : lap
        )
        const [plain, spoilt] = [timeSpread(lapsOf(laps)), timeSpread(lapsOf(outlier))]
        expect(spoilt.laps).toBe(plain.laps)
        const off = (factor - 1) * best
        expect(spoilt.robustDeviation! - plain.robustDeviation!).toBeLessThan(off / 6)
        expect(spoilt.standardDeviation! - plain.standardDeviation!).toBeGreaterThan(off / 6)
        expect(Math.abs(spoilt.median! - plain.median!)).toBeLessThan(off / 4)
      }),
      { numRuns: 8 }
    )
  })

  // Guards the line against a single lap: one of seven, 3 m aside, moves the median spread by little.
  it("of the line by the MAD is hardly moved by one lap aside", () => {
    const laps = drivenLaps({ laps: 7, hz: 30, taken: (lap) => lap.lapNumber > 1 && withoutMistake(lap) })
    const aside = laps.map((lap, l) => (l === 3 ? beside(lap, 3) : lap))
    const [plain, spoilt] = [of(laps).line!, of(aside).line!]
    expect(spoilt.laps).toBe(7)
    expect(spoilt.median - plain.median).toBeLessThan(0.15)
  })

  // Guards real sessions: the figures are of the laps at pace, in order of size, and narrower than a road.
  it.each(recordings)("of %s is plausible for a driver", needing(recordingsHere), (name) => {
    const laps = recording(name)
    const { line, times } = of(laps)
    expect(times.laps).toBeGreaterThan(3)
    expect(times.best!).toBeLessThanOrEqual(times.median!)
    expect(times.robustDeviation!).toBeGreaterThan(0.05)
    expect(times.robustDeviation!).toBeLessThan(0.05 * times.best!)
    // Formula 1's positions lie on one line to some centimetres: this is their map's accuracy, and not a driver's.
    expect(line!.median).toBeGreaterThan(0.03)
    expect(line!.median).toBeLessThan(4)
    expect(line!.widest.spread).toBe(Math.max(...line!.spread))
    expect(lineSpread(align(laps.slice(0, 2), 5)!)).toBeNull()
  })
})

describe("consistency", () => {
  const session = drivenLaps({ laps: 8, hz: 30, taken: (lap) => lap.lapNumber > 1 && withoutMistake(lap) })

  it("of lap times, plain and robust", () => {
    const { times } = consistency(lapsOf(session), undefined)
    expect(times.laps).toBe(8)
    expect(times.standardDeviation).toBeGreaterThan(0.05)
    expect(times.robustDeviation).toBeGreaterThan(0.05)
    expect(times.robustDeviation).toBeLessThan(1)
    expect(times.relative).toBeCloseTo(times.robustDeviation! / times.median!, 5)
    expect(consistency([], undefined)).toMatchObject({
      line: null,
      times: { laps: 0, best: null, mean: null }
    })
  })

  it("of the line: the simulator's drivers stray by 0.22 m", () => {
    const line = lineSpread(align(session, 5)!)!
    expect(line.laps).toBe(8)
    expect(line.median).toBeGreaterThan(0.08)
    expect(line.median).toBeLessThan(0.35)
    expect(line.widest.spread).toBe(Math.max(...line.spread))
    expect(lineSpread(align(session.slice(0, 2), 5)!)).toBeNull()
  })
})
