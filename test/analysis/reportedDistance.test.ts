/** Laps placed by the distance that their simulator reports: when it is used, and that no other channel is. */
import { describe, expect, it } from "vitest"
import { bell } from "../../simulator/model/random.ts"
import { align, type LapData } from "../../src/analysis/place/alignment.ts"
import { compare } from "../../src/analysis/compare/comparison.ts"
import { quantile } from "../../src/analysis/math/robust.ts"
import { LAP_DISTANCE } from "../../src/analysis/compare/channelTraces.ts"
import { RowBatch } from "../../src/domain/RowBatch.ts"
import { allAnalyses } from "./allAnalyses.ts"
import { drive } from "./lapData.ts"
import { reportedOf } from "./modelDelta.ts"
import {
  withRows,
  drivenSince,
  samples,
  reportedLap,
  withDistance,
  withoutPositions
} from "./companionChannels.ts"

const from = drive("Larkspur Park", 1, 41)
const clean = [2, 3, 4, 5, 6, 7].filter((lap) => from.lap(lap).mistake === undefined).slice(0, 3)
const laps = clean.map((lap) => reportedLap(from, lap, 20))
const alone = ({ lap, points }: LapData): LapData => ({ lap, points })
const distanceOf = (data: LapData) => data.around![0]!.batch.column(LAP_DISTANCE)
/** The laps with a changed distance. */
const withDistances = (change: (distance: Float64Array, lap: LapData, l: number) => Float64Array) =>
  laps.map((data, l) => withDistance(alone(data), change(distanceOf(data), data, l)))

const methodOf = (session: ReadonlyArray<LapData>) => align(session, 5)!.method
const reasons = (session: ReadonlyArray<LapData>) =>
  compare(session, 5).closure.flatMap(({ unsound }) => unsound)
/** The error that nine in ten deltas do not exceed, compared with the model, s. */
const errorOf = (session: ReadonlyArray<LapData>) =>
  quantile(
    reportedOf(from, session, new Set(clean), 5).map(({ error }) => Math.abs(error)),
    0.9
  )

describe("laps whose simulator reports their distance", () => {
  it("are placed by it, with and without positions, as the model drove them", () => {
    expect(compare(laps, 5).method).toBe("distance")
    expect(errorOf(laps)).toBeLessThan(0.001)
    const blind = laps.map(withoutPositions)
    expect(methodOf(blind)).toBe("distance")
    expect(errorOf(blind)).toBeLessThan(0.001)
    expect(errorOf(blind)).toBeLessThan(errorOf(blind.map(alone)) / 5)
  })

  it("are the same laps if the distance has another scale", () => {
    const scaled = withDistances((distance) => distance.map((one) => 1.01 * one))
    expect(methodOf(scaled)).toBe("distance")
    expect(errorOf(scaled)).toBeLessThan(0.001)
  })

  it("have the same corners as by positions, at the places of the distance", () => {
    const [reported, placed] = [compare(laps, 5).corners, compare(laps.map(alone), 5).corners]
    expect(reported.map(({ direction }) => direction)).toEqual(placed.map(({ direction }) => direction))
    reported.forEach(({ angle, apex, foundBy, radius }, c) => {
      expect(foundBy).toBe("positions")
      expect(angle! / placed[c]!.angle!).toBeCloseTo(1, 1)
      expect(radius! / placed[c]!.radius!).toBeCloseTo(1, 1)
      // The line, over the whole circuit, is longer or shorter by some metres.
      expect(Math.abs(apex - placed[c]!.apex)).toBeLessThan(60)
    })
  })

  it("are placed by a coarse distance only if there are no positions", () => {
    const noisy = withDistances((distance, { lap }) =>
      distance.map((one, i) => one + 0.8 * bell(lap.id, i, 5))
    )
    expect(methodOf(noisy)).toBe("positions")
    const blind = noisy.map(withoutPositions)
    expect(methodOf(blind)).toBe("distance")
    expect(errorOf(blind)).toBeLessThan(0.03)
  })

  it("are sound even if positions are wrong, because these are not used", () => {
    const spoilt = laps.map((data, l) => {
      if (l !== 1) return data
      const points = new RowBatch(data.points.length, data.points.data.slice(), data.points.channels)
      points.column("position_x").subarray(300, 400).fill(points.column("position_x")[300]!)
      points.column("position_y").subarray(300, 400).fill(points.column("position_y")[300]!)
      return { ...data, points }
    })
    expect(reasons(spoilt.map(alone)).length).toBeGreaterThan(0)
    expect(reasons(spoilt)).toEqual([])
    expect(errorOf(spoilt)).toBeLessThan(0.001)
    expect(align(spoilt, 5)!.laps[1]!.faults.length).toBeGreaterThan(0)
  })
})

describe("a distance that is not plausible leaves the laps as they are without it", () => {
  const plain = align(laps.map(alone), 10)
  const blind = align(laps.map(alone).map(withoutPositions), 10)

  it.each<readonly [string, ReadonlyArray<LapData>]>([
    ["of the car's own way", withDistances((_, data) => drivenSince(data))],
    ["that begins anew on the way", withDistances((distance) => distance.map((one) => one % 700))],
    ["that stands at 0", withDistances((distance) => distance.map(() => 0))],
    ["that only one lap has", laps.map((data, l) => (l === 0 ? data : alone(data)))],
    [
      "whose laps are not as long",
      withDistances((distance, _, l) => distance.map((one) => one * (1 + l / 100)))
    ],
    [
      "that goes back for a hundred metres",
      withDistances((distance) => distance.map((one) => one - (one > 800 && one < 1000 ? 100 : 0)))
    ],
    [
      "once in two seconds",
      laps.map((data) => {
        const t = data.points.timestamps
        const every = [...t.keys()].filter((i) => i % 40 === 0)
        const distance = distanceOf(data)
        return withDistance(
          alone(data),
          every.map((i) => distance[i]!),
          Float64Array.from(every, (i) => t[i]!)
        )
      })
    ]
  ])("%s", (_name, reported) => {
    expect(align(reported, 10)).toEqual(plain)
    expect(align(reported.map(withoutPositions), 10)).toEqual(blind)
  })

  it("and so does any channel that the analysis does not read", () => {
    const beside = laps.map((data) =>
      withRows(alone(data), samples(data.points.timestamps, { fuel: data.points.timestamps }))
    )
    expect(allAnalyses(beside, 10)).toEqual(allAnalyses(laps.map(alone), 10))
  })
})

it("a stretch in which the distance stands while the car drives is not sound", () => {
  const session = withDistances((distance, _, l) => {
    if (l !== 1) return distance
    const held = distance.slice()
    for (let i = 300; i < 360; i++) held[i] = held[300]!
    return held
  })
  const { closure, method } = compare(session, 5)
  expect(method).toBe("distance")
  expect(closure[1]!.unsound.map(({ reason }) => reason).join()).toMatch(/lap_distance and speed disagree/)
  expect(closure[2]!.trusted || closure[0]!.trusted).toBe(true)
})
