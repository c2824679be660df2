import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { align, type LapData } from "../../src/analysis/place/alignment.ts"
import { comparableLaps, type TimedLap } from "../../src/analysis/compare/comparable.ts"
import { compareTraced, type TracedComparison } from "../../src/analysis/compare/comparison.ts"
import { analyseCorners, type Section } from "../../src/analysis/corners/cornerTimes.ts"
import { microSectors } from "../../src/analysis/compare/microSectors.ts"
import { sectorAnalysis } from "../../src/analysis/compare/sectors.ts"
import { lapsOf } from "./sessions.ts"
import { type Pair, recording, simulated } from "./pairs.ts"
import { stretched } from "./transforms.ts"
import { needing } from "../support/needing.ts"
import { recordingsHere } from "../support/sharedData.ts"

const SECTIONS = ["total", "sector1", "sector2", "sector3"] as const

const factor = fc.double({ min: 0.7, max: 1.4, noNaN: true })

/** The greatest difference between the values of one and `k` times those of the other, s. */
const off = (scaled: ReadonlyArray<number>, plain: ReadonlyArray<number>, k: number): number => {
  expect(scaled.length).toBe(plain.length)
  return scaled.reduce((most, value, n) => Math.max(most, Math.abs(value - k * plain[n]!)), 0)
}

const official = ({ timeDeltas }: TracedComparison) =>
  Object.values(timeDeltas).flatMap((delta) => SECTIONS.map((section) => delta[section] ?? 0))

/** Times along the way, at the lines, and through the corners, s. */
const measured = ({ closure, corners, traces }: TracedComparison) => [
  ...traces.flatMap(({ timeDelta }) => Array.from(timeDelta)),
  ...closure.flatMap((one) => SECTIONS.map((section) => one[section] ?? 0)),
  ...corners.flatMap(({ passes }) => passes.map(({ time }) => time!))
]

/** How far a comparison is from `k` times the original, s. */
const scaling = (laps: ReadonlyArray<LapData>, k: number): number => {
  const plain = compareTraced(laps)
  const scaled = compareTraced(laps.map((lap) => stretched(lap, k)))
  expect(scaled.fastestLapId).toBe(plain.fastestLapId)
  expect(off(official(scaled), official(plain), k)).toBeLessThan(1e-9)
  return off(measured(scaled), measured(plain), k)
}

/** Every lap's sections against the fastest. */
const sectionsOf = (laps: ReadonlyArray<LapData>): ReadonlyArray<ReadonlyArray<Section>> => {
  const alignment = align(laps)!
  return analyseCorners(alignment, alignment.reference).sections
}

const lost = (sections: ReadonlyArray<Section>) => sections.reduce((sum, section) => sum + section.lost, 0)

describe("if all clocks run k times as fast", () => {
  // Guards against figures in seconds that come from a rate, a speed or an index and not from the clock.
  it("deltas, closures and times in corners of simulated drives are k times the original", () => {
    fc.assert(
      fc.property(simulated, factor, (laps, k) => {
        expect(scaling(laps, k)).toBeLessThan(1e-9)
      }),
      { numRuns: 8 }
    )
  })

  // Guards losses: sections cut at the same metres hold k times the seconds. The metres may change with k,
  // if a difference of speed passes the 1 km/h that gives a straight to its corner. Few are concerned, and the sum stays.
  it("losses in corners are k times the original", () => {
    let kept = 0
    let all = 0
    fc.assert(
      fc.property(simulated, factor, (laps, k) => {
        const [plain, scaled] = [sectionsOf(laps), sectionsOf(laps.map((lap) => stretched(lap, k)))]
        plain.forEach((row, l) => {
          expect(Math.abs(lost(scaled[l]!) - k * lost(row))).toBeLessThan(1e-9)
          for (const section of row) {
            all++
            const same = scaled[l]!.find(
              ({ from, to }) => Math.abs(from - section.from) < 1e-6 && Math.abs(to - section.to) < 1e-6
            )
            if (same === undefined) continue
            kept++
            expect(Math.abs(same.lost - k * section.lost)).toBeLessThan(1e-9)
            expect(same.corner?.number).toBe(section.corner?.number)
          }
        })
      }),
      { numRuns: 8 }
    )
    expect(kept / all).toBeGreaterThan(0.5)
  })

  // Guards the analysis of sectors, by lines and by many equal pieces.
  it("sector deltas and micro-sectors are k times the original", () => {
    fc.assert(
      fc.property(simulated, factor, (laps, k) => {
        const changed = laps.map((lap) => stretched(lap, k)) as unknown as Pair
        laps.forEach((lap, l) => {
          const plain = sectorAnalysis(lap, lapsOf(laps)).sectors
          const scaled = sectorAnalysis(changed[l]!, lapsOf(changed)).sectors
          plain.forEach(({ delta, speedAvg, time }, s) => {
            expect(Math.abs((scaled[s]!.delta ?? 0) - k * (delta ?? 0))).toBeLessThan(3e-6)
            expect(scaled[s]!.time).toBeCloseTo(k * time!, 9)
            expect(scaled[s]!.speedAvg! * k).toBeCloseTo(speedAvg!, 2)
          })
        })
        const [plain, scaled] = [microSectors(align(laps, 5)!), microSectors(align(changed, 5)!)]
        expect(scaled === undefined).toBe(plain === undefined)
        plain?.laps.forEach(({ times }, l) =>
          times.forEach((time, p) =>
            expect(Math.abs((scaled!.laps[l]!.times[p] ?? 0) - k * (time ?? 0))).toBeLessThan(3e-6)
          )
        )
      }),
      { numRuns: 6 }
    )
  })

  // The same on real laps. Portland's positions are taken as they are, but where a slower clock makes of a small
  // disagreement with the speed a large one; Automobilista's noise is reported from drift over seconds of the clock, which are
  // more or less of the way by another clock: under 5 ms on laps at pace.
  it("deltas of real laps are k times the original", needing(recordingsHere), () => {
    const portland = recording("portland-gps").filter(({ lap }) => lap.valid)
    const all = recording("ams2-road-america")
    const pace = new Set(comparableLaps(lapsOf(all)))
    const road = all.filter(({ lap }) => pace.has(lap as TimedLap))
    expect(road.length).toBeGreaterThan(10)
    for (const k of [0.7, 0.93]) expect(scaling(portland, k)).toBeLessThan(1e-9)
    expect(scaling(portland, 1.4)).toBeLessThan(0.005)
    for (const k of [0.95, 1.05]) expect(scaling(road, k)).toBeLessThan(0.005)
  })
})
