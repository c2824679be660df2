import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { align, type LapData } from "../../src/analysis/place/alignment.ts"
import { JOINT_KMH, jointCosts, shortestDrive } from "../../src/analysis/compare/drives.ts"
import { microSectors, type MicroSectors } from "../../src/analysis/compare/microSectors.ts"
import { bells } from "../../src/analysis/math/noise.ts"
import { toMicros } from "../../src/domain/Time.ts"
import { changed, without } from "./faults.ts"
import type { DrivenLap } from "../../simulator/model/lap.ts"
import { drive, drivenLap } from "./lapData.ts"
import { recording, session } from "./pairs.ts"
import { drivenLaps, withoutMistake } from "./sessions.ts"
import { needing } from "../support/needing.ts"
import { recordings, recordingsHere } from "../support/sharedData.ts"

/** Times are given to a microsecond, and a joint that gains less does not count. */
const GIVEN = 2e-6
/** The most that a joint of two laps may cost, s: 2 km/h made up for at 3 m/s^2, from standing. */
const JOINT_S = (JOINT_KMH / 3.6) ** 2 / (2 * 3)

/** Infinity if one of them is not known. */
const sum = (values: ReadonlyArray<number | null>) => values.reduce<number>((a, b) => a + (b ?? Infinity), 0)

/** Conditions that hold for the micro-sectors of any session. */
const consistent = (session: ReadonlyArray<LapData>, pieces?: number): MicroSectors | undefined => {
  const alignment = align(session, 5)
  const found = alignment && microSectors(alignment, pieces)
  if (found === undefined) return undefined
  const { best, bounds, feasibleBest, laps, theoreticalBest } = found
  const donors = new Map(laps.map(({ lapId, times }) => [lapId, times]))
  // Pieces cover the lap, in order, and those of a lap add up to its official time.
  expect(bounds[0]).toBe(0)
  expect(bounds.at(-1)).toBeCloseTo(alignment!.grid.length, 5)
  bounds.slice(1).forEach((bound, k) => expect(bound).toBeGreaterThan(bounds[k]!))
  for (const { lapId, times } of laps) {
    const { lap } = session.find((one) => one.lap.id === lapId)!
    expect(lap.valid).toBe(true)
    expect(times).toHaveLength(bounds.length - 1)
    expect(times.some((time) => time !== null)).toBe(true)
    if (!times.includes(null)) expect(Math.abs(sum(times) - lap.lapTime!)).toBeLessThan(times.length * 1e-6)
  }
  // The best of each piece is the least, and no lap beats their sum.
  best.forEach((one, k) => {
    expect(one?.time ?? Infinity).toBe(Math.min(...laps.map(({ times }) => times[k] ?? Infinity)))
    if (one !== null) expect(donors.get(one.lapId)![k]).toBe(one.time)
  })
  // Every valid lap is there, or is listed as left out.
  const taken = [...laps, ...found.leftOut].map(({ lapId }) => lapId)
  const valid = session.filter(({ lap }) => lap.valid && lap.lapTime !== null)
  expect(taken.toSorted((a, b) => a - b)).toEqual(valid.map(({ lap }) => lap.id).toSorted((a, b) => a - b))
  // Either there is a drive, or a reason for its absence.
  expect(found.feasibleBestReason === null).toBe(feasibleBest !== null)
  expect(found.feasibleBestReason).not.toBe("")
  if (theoreticalBest === null || feasibleBest === null) {
    expect(best.includes(null) || theoreticalBest !== null).toBe(true)
    return found
  }
  expect(Math.abs(theoreticalBest - sum(best.map((one) => one?.time ?? null)))).toBeLessThan(
    best.length * 1e-6
  )
  const fastest = Math.min(...laps.map(({ times }) => sum(times)))
  const { interval, lapIds, piecesTime, time, unused } = feasibleBest
  expect(piecesTime).toBeGreaterThanOrEqual(theoreticalBest - GIVEN)
  expect(time).toBeGreaterThanOrEqual(piecesTime)
  expect(interval[0]).toBeLessThanOrEqual(piecesTime)
  expect(interval[1]).toBeGreaterThanOrEqual(time)
  const lapTimes = laps.map(({ lapId }) => session.find((one) => one.lap.id === lapId)!.lap.lapTime!)
  expect(interval[1]).toBeLessThan(toMicros(Math.min(...lapTimes)))
  // Every lap that could have a part in the drive has one, or is listed as unused.
  expect([...lapIds, ...unused.map(({ lapId }) => lapId)].toSorted((a, b) => a - b)).toEqual(
    [...donors.keys()].toSorted((a, b) => a - b)
  )
  const joined = feasibleBest.joints.flatMap(({ fromLapId, toLapId }) => [fromLapId, toLapId])
  if (joined.length > 0) expect(new Set(lapIds)).toEqual(new Set(joined))
  // The reported drive is possible: its joints fit, within the bound of speed, and the times of its pieces add up.
  let way = 0
  let lap = feasibleBest.joints[0]?.fromLapId
  let seconds = 0
  const parts = [...feasibleBest.joints, undefined].map((joint) => {
    const own = donors.get(lap ?? laps.find(({ times }) => Math.abs(sum(times) - fastest) < 1e-4)!.lapId)!
    const from = way
    way = joint === undefined ? bounds.length - 1 : bounds.indexOf(joint.distance)
    expect(way).toBeGreaterThan(from)
    if (joint !== undefined) {
      expect(joint.fromLapId).toBe(lap)
      expect(joint.toLapId).not.toBe(lap)
      expect(Math.abs(joint.speedDifference)).toBeLessThanOrEqual(JOINT_KMH + 1e-6)
      lap = joint.toLapId
    }
    return sum(own.slice(from, way))
  })
  seconds = sum(parts)
  const short = feasibleBest.joints.filter(({ speedDifference }) => speedDifference > 0).length
  expect(piecesTime).toBeGreaterThanOrEqual(seconds - bounds.length * 1e-6)
  expect(piecesTime).toBeLessThanOrEqual(seconds + short * JOINT_S + bounds.length * 1e-6)
  return found
}

describe("micro-sectors", () => {
  // Guards the bounds: a drive that is possible lies between the sum of the best pieces and the best lap.
  it("of any drive, cut into any number of pieces, are consistent", () => {
    let reported = 0
    fc.assert(
      fc.property(
        session,
        fc.option(fc.integer({ min: 1, max: 200 }), { nil: undefined }),
        (laps, pieces) => {
          if (consistent(laps, pieces) !== undefined) reported++
        }
      ),
      { numRuns: 20 }
    )
    expect(reported).toBeGreaterThan(0)
  })

  // Guards the search: of all ways to drive three pieces by three laps, it must find the shortest.
  it("find the best of all drives that their joints allow", () => {
    fc.assert(
      fc.property(session, fc.integer({ min: 2, max: 5 }), (laps, pieces) => {
        const alignment = align(laps, 5)!
        const found = microSectors(alignment, pieces)
        if (found === undefined) return
        const speeds = new Map(alignment.laps.map(({ lap, speed }) => [lap.id, speed]))
        const nodes = found.bounds.map((bound) => Math.round(bound / alignment.grid.step))
        const drives = (k: number, before: MicroSectors["laps"][number] | undefined): number => {
          if (k === pieces) return 0
          const options = found.laps.map((lap) => {
            const own = lap.times[k] ?? Infinity
            if (before === undefined || before === lap) return own + drives(k + 1, lap)
            const here = speeds.get(lap.lapId)![nodes[k]!]!
            const short = here - speeds.get(before.lapId)![nodes[k]!]!
            if (Math.abs(short) > JOINT_KMH) return Infinity
            const cost = (Math.max(0, short) / 3.6) ** 2 / (6 * Math.max(1, here / 3.6))
            return cost + own + drives(k + 1, lap)
          })
          return Math.min(...options)
        }
        const donors = found.laps.map(({ lapId }) => ({ speed: speeds.get(lapId)! }))
        const times = found.laps.map((lap) => lap.times.map((time) => time ?? Infinity))
        const drive = shortestDrive(times, jointCosts(donors, nodes), [...times.keys()])
        // If no drive is possible, there is none.
        const least = drives(0, undefined)
        expect(drive === undefined).toBe(least === Infinity)
        expect(Math.abs((drive?.time ?? 0) - (drive === undefined ? 0 : least))).toBeLessThan(1e-5)
      }),
      { numRuns: 20 }
    )
  })

  // Guards the smallest session: one lap is its own best, and has nothing to join.
  it("of one lap give that lap's time", () => {
    fc.assert(
      fc.property(session, (laps) => {
        const lap = laps.find((one) => one.lap.valid)
        fc.pre(lap !== undefined)
        const found = microSectors(align([lap], 5)!)!
        expect(found.theoreticalBest!).toBeCloseTo(lap.lap.lapTime!, 5)
        expect(found.feasibleBest).toBe(null)
        expect(found.feasibleBestReason).toContain("no other lap")
      }),
      { numRuns: 6 }
    )
  })

  // Guards against joints without evidence: a feed without speed does not show that two laps were equally fast.
  it("join nothing if no speed is known", () => {
    const silent = drivenLaps({ laps: 6, hz: 20 }).map((lap) => changed(lap, [-1, 1e4], "speed", () => 0))
    const { feasibleBest, feasibleBestReason, laps } = microSectors(align(silent, 5)!)!
    expect(laps.length).toBeGreaterThan(3)
    expect(feasibleBest).toBe(null)
    expect(feasibleBestReason).toContain("no piece of another lap shortens it")
  })

  // Guards against a gain that comes from noise: one lap, sampled again and again by an inexact clock, has none.
  it("promise nothing if one lap was measured many times", () => {
    const once = drivenLap(drive(), 3, 240)
    for (const every of [24, 60]) {
      const random = bells(every)
      const again = Array.from({ length: 8 }, (_, i) => {
        const count = Math.floor(once.points.length / every) - 1
        const points = once.points.pick(Array.from({ length: count }, (_, k) => k * every + 3 * i))
        const t = points.timestamps
        for (let k = 0; k < t.length; k++) t[k] = t[k]! + 0.01 * random()
        return { lap: { ...once.lap, id: i + 1 }, points }
      })
      const found = microSectors(align(again, 5)!)!
      expect(once.lap.lapTime! - found.theoreticalBest!).toBeGreaterThan(0.1)
      expect(found.feasibleBest).toBe(null)
      expect(found.feasibleBestReason).toContain("Noise exceeds the gain")
    }
  })

  // Guards against promises by a slow feed: the same laps at a fast one show how much can be gained.
  it("promise no more from a slow feed than a fast one shows", () => {
    const wish = { laps: 6, taken: (lap: DrivenLap) => lap.lapNumber > 1 && lap.valid && withoutMistake(lap) }
    const gains = ["Hollin Moor", "Cinder Bowl"].flatMap((circuit) => {
      const at = (hz: number) => microSectors(align(drivenLaps({ ...wish, circuit, hz }), 5)!)!
      const fast = at(60).feasibleBest!
      return [4, 8].map((hz) => {
        const { feasibleBest, laps } = at(hz)
        const best = Math.min(...laps.map(({ times }) => sum(times)))
        const [least, most] = feasibleBest?.interval ?? [0, best]
        return { there: best - fast.piecesTime, sure: best - most, possible: best - least }
      })
    })
    for (const { possible, sure, there } of gains) {
      expect(sure).toBeLessThan(there)
      expect(possible).toBeGreaterThan(there - 0.005)
    }
    expect(gains.filter(({ sure }) => sure > 0).length).toBeGreaterThan(0)
  })

  // Guards the best lap, which is not left out for a second that it lacks; and the missing part is not made up.
  it("include the sound pieces of a lap with a gap, even of the best one", () => {
    const laps = drivenLaps({ laps: 4, hz: 20, taken: withoutMistake })
    const plain = consistent(laps, 100)!
    const fastest = plain.laps[0]!.lapId
    const spoilt = laps.map((lap) => (lap.lap.id === fastest ? without(lap, [30, 31.4]) : lap))
    const found = consistent(spoilt, 100)!
    const row = found.laps.find(({ lapId }) => lapId === fastest)!.times
    expect(found.leftOut).toEqual([])
    const missing = row.filter((time) => time === null).length
    expect(missing).toBeGreaterThan(0)
    expect(missing).toBeLessThan(6)
    const moved = row.map((time, k) => (time === null ? 0 : Math.abs(time - plain.laps[0]!.times[k]!)))
    expect(Math.max(...moved)).toBeLessThan(0.01)
    expect(found.best.filter((one) => one?.lapId === fastest).length).toBeGreaterThan(0)
    expect(found.theoreticalBest).not.toBe(null)
  })

  it("list the laps that they leave out", () => {
    const laps = drivenLaps({ laps: 3, hz: 20, taken: withoutMistake })
    const [first, ...others] = laps
    const away = changed(first!, [-1, 1e4], "position_x", (x) => x + 9000)
    const found = consistent([away, ...others])!
    expect(found.leftOut.map(({ lapId }) => lapId)).toEqual([first!.lap.id])
    expect(found.leftOut[0]!.reason).not.toBe("")
  })

  // The same on real sessions, where the gain of joints is real, or less than the positions' noise.
  it("of real sessions are consistent", needing(recordingsHere), () => {
    const gained = recordings.map((name) => {
      const found = consistent(recording(name))!
      const best = Math.min(...found.laps.map(({ times }) => sum(times)))
      expect(found.laps.length).toBeGreaterThan(3)
      expect(found.feasibleBestReason ?? "Noise exceeds the gain").toContain("Noise exceeds the gain")
      return found.feasibleBest === null ? [] : [best - found.feasibleBest.time]
    })
    expect(gained.flat().length).toBeGreaterThan(0)
    for (const seconds of gained.flat()) expect(seconds).toBeGreaterThan(0.05)
  })
})
