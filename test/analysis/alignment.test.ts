import { describe, expect, it } from "vitest"
import { channels } from "../../src/domain/pointChannels.ts"
import { type PointBatch, RowBatch } from "../../src/domain/RowBatch.ts"
import { align, type Alignment, type LapData } from "../../src/analysis/place/alignment.ts"
import { at } from "../../src/analysis/corners/cornerTimes.ts"
import { drive, drivenLap, recordedLaps } from "./lapData.ts"
import { needing } from "../support/needing.ts"
import { recordingsHere } from "../support/sharedData.ts"

const hollin = drive()
const [two, three] = [2, 3].map((lap) => drivenLap(hollin, lap)) as [LapData, LapData]

const deltas = ({ laps: [a, b] }: Alignment) => a!.time.map((time, n) => time - b!.time[n]!)

const furthest = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  Array.from(a).reduce((most, value, n) => Math.max(most, Math.abs(value - b[n]!)), 0)

/** The same lap with the columns of every point changed. */
const changed = (lap: LapData, change: (points: PointBatch) => void): LapData => {
  const points = RowBatch.concat([lap.points, RowBatch.allocate(0, channels)])
  change(points)
  return { points, lap: lap.lap }
}

describe("align", () => {
  it("lays laps on equal steps of distance from line to line", () => {
    const { grid, laps, method } = align([two, three])!
    expect(method).toBe("positions")
    expect(grid.distance).toHaveLength(Math.floor(grid.length) + 1)
    expect(grid.distance[0]).toBe(0)
    expect(grid.distance.at(-1)).toBe(grid.length)
    // The racing line is a little shorter than the centre line.
    expect(Math.abs(grid.length / hollin.options.circuit.length - 1)).toBeLessThan(0.02)
    for (const lap of laps) {
      expect(lap.unsound).toEqual([])
      expect(lap.time[0]).toBe(0)
      expect(lap.time.at(-1)).toBeCloseTo(lap.lap.lapTime!, 9)
      expect(lap.time.every((time, n) => n === 0 || time > lap.time[n - 1]!)).toBe(true)
    }
  })

  it("finds each lap where its model has it, to within 4 ms, at 60 and at 10 Hz", () => {
    for (const rate of [60, 10]) {
      for (const name of ["Hollin Moor", "Port Averno", "Cinder Bowl"]) {
        const from = drive(name)
        // Laps without a mistake: in one, the car leaves the line, and its place along the line means less.
        const numbers = [2, 3, 4, 5, 6, 7, 8].filter((lap) => from.lap(lap).mistake === undefined)
        const { grid, laps, reference } = align(numbers.map((lap) => drivenLap(from, lap, rate)))!
        const { nodes } = from.options.circuit
        const own = from.trace(reference.lap.lapNumber).time
        for (const lap of laps) {
          const { time } = from.trace(lap.lap.lapNumber)
          let place = 1
          for (let n = 40; n < nodes; n += 40) {
            while (reference.time[place]! < own[16 + n]!) place++
            const rise = reference.time[place]! - reference.time[place - 1]!
            const share = (own[16 + n]! - reference.time[place - 1]!) / rise
            const measured = at(lap.time, grid.step, (place - 1 + share) * grid.step)
            expect(Math.abs(measured - time[16 + n]!)).toBeLessThan(0.004)
          }
        }
      }
    }
  })

  it("needs no points around the lap", () => {
    const bare = [2, 3].map((lap) => drivenLap(hollin, lap, 60, 0))
    expect(furthest(deltas(align(bare)!), deltas(align([two, three])!))).toBeLessThan(0.002)
  })

  it("does not trust a gap in a lap's points, and reports its place", () => {
    const from = two.lap.startTime + 40
    const keep = Array.from(two.points.timestamps.keys()).filter((i) => {
      const time = two.points.timestamps[i]!
      return time < from || time > from + 3
    })
    const { laps } = align([{ ...two, points: two.points.pick(keep) }, three])!
    expect(laps[0]!.unsound).toHaveLength(1)
    const [stretch] = laps[0]!.unsound
    expect(stretch!.reason).toMatch(/^it has no points for 3\.0\d s$/)
    expect(stretch!.to - stretch!.from).toBeGreaterThan(30)
    expect(laps[1]!.unsound).toEqual([])
  })

  it("does not trust a lap that begins elsewhere", () => {
    const half: LapData = {
      points: two.points,
      lap: { ...two.lap, startTime: two.lap.startTime + 30, lapTime: two.lap.lapTime! - 30 }
    }
    const [found] = align([half, { ...three, lap: { ...three.lap, lapTime: 1 } }])!.laps
    expect(found!.complete).toBe(false)
    expect(found!.unsound[0]!.reason).toMatch(/^its positions begin \d+ m from the line$/)
  })

  it("integrates speed if there are no positions", () => {
    const still = [two, three].map((lap) =>
      changed(lap, (points) => {
        points.column("position_x").fill(0)
        points.column("position_y").fill(0)
      })
    )
    const byDriven = align(still)!
    expect(byDriven.method).toBe("speed")
    const byPlace = align([two, three])!
    expect(Math.abs(byDriven.grid.length / byPlace.grid.length - 1)).toBeLessThan(0.005)
    // Some metres of registration are a tenth of a second at the most.
    const delta = deltas(byDriven)
    const stretch = byPlace.grid.length / byDriven.grid.length
    const placed = deltas(byPlace)
    const off = delta.map(
      (value, n) => value - at(placed, byPlace.grid.step, n * byDriven.grid.step * stretch)
    )
    expect(furthest(off, new Float64Array(off.length))).toBeLessThan(0.1)
  })

  it("gives nothing for laps without points", () => {
    const empty = { ...two, points: RowBatch.allocate(0, channels) }
    expect(align([])).toBeUndefined()
    expect(align([empty])).toBeUndefined()
    const { laps } = align([empty, three])!
    expect(laps[0]!.complete).toBe(false)
    expect(laps[0]!.time.every(Number.isFinite)).toBe(true)
  })
})

describe("align on real laps", needing(recordingsHere), () => {
  it("times Automobilista 2's laps by the crossings that their positions show", () => {
    const { ends, laps } = align(recordedLaps("ams2-road-america"))!
    expect(ends).toBe("positions")
    expect(laps[0]!.complete).toBe(false)
    expect(laps.slice(1).every((lap) => lap.complete)).toBe(true)
    // Packets that came twice or late, and nothing else.
    expect(
      laps
        .slice(1)
        .filter((lap) => lap.unsound.length > 0)
        .map(({ lap }) => lap.lapNumber)
    ).toEqual([3])
  })

  it("does not trust Assetto Corsa's pause, nor the lap that begins elsewhere", () => {
    const { laps } = align(recordedLaps("ac-lime-rock"))!
    expect(laps.filter((lap) => !lap.complete).map((lap) => lap.lap.lapNumber)).toEqual([1, 12])
  })

  it("aligns every lap of a Formula 1 car, monotonically, and finds the official sector lines again", () => {
    const { ends, grid, laps } = align(recordedLaps("f1-bahrain-2026-ant"))!
    expect(ends).toBe("clock")
    expect(grid.length).toBeGreaterThan(5320)
    expect(grid.length).toBeLessThan(5400)
    expect(laps).toHaveLength(47)
    for (const { time } of laps) expect(time.every((value, n) => n === 0 || value >= time[n - 1]!)).toBe(true)
    const timed = laps.filter(({ lap }) => lap.valid && lap.lapTime! < 104 && lap.sector1Time !== null)
    // Where on the way each lap's first sector ended: the same place if the laps are aligned.
    const places = timed.map(({ lap, time }) => time.findIndex((value) => value >= lap.sector1Time!))
    const middle = places.toSorted((a, b) => a - b)[places.length >> 1]!
    const off = timed
      .map(({ lap, time }) => Math.abs(time[middle]! - lap.sector1Time!))
      .toSorted((a, b) => a - b)
    expect(off[off.length >> 1]).toBeLessThan(0.02)
    expect(off.at(-1)).toBeLessThan(0.15)
  })
})
