import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { align } from "../../src/analysis/place/alignment.ts"
import { channelTraces, type SamplesAround, valuesAt } from "../../src/analysis/compare/channelTraces.ts"
import type { ChannelKind } from "../../src/domain/Dictionary.ts"
import { ABSENT, RowBatch } from "../../src/domain/RowBatch.ts"
import { drive, drivenLap } from "./lapData.ts"

const at = (
  nodes: ReadonlyArray<number>,
  samples: ReadonlyArray<readonly [time: number, value: number]>,
  kind: ChannelKind
) =>
  [
    ...valuesAt(
      Float64Array.from(nodes),
      Float64Array.from(samples, ([time]) => time),
      Float64Array.from(samples, ([, value]) => value),
      kind
    )
  ].map((value) => (Number.isNaN(value) ? null : value))

const reported = (values: Float64Array) => values.filter((value) => !Number.isNaN(value))

describe("values at nodes", () => {
  it("are linear between samples, null before the first, and hold behind the last", () => {
    expect(
      at(
        [0, 1, 2, 2.5, 4, 9],
        [
          [1, 10],
          [2, 20],
          [4, 0]
        ],
        "continuous"
      )
    ).toEqual([null, 10, 20, 15, 0, 0])
  })

  it("are null between a value and an absent value", () => {
    const samples = [
      [1, 10],
      [2, ABSENT],
      [3, 30],
      [4, 40]
    ] as const
    expect(at([1, 1.5, 2, 2.5, 3, 3.5], samples, "continuous")).toEqual([10, null, null, null, 30, 35])
    expect(at([1, 1.5, 2, 2.5, 3, 3.5], samples, "step")).toEqual([10, 10, null, null, 30, 30])
  })

  it("turn the shorter way", () => {
    expect(
      at(
        [1, 1.25, 1.5, 2],
        [
          [1, 350],
          [2, 10]
        ],
        "angle"
      )
    ).toEqual([350, 355, 0, 10])
    expect(
      at(
        [1.5, 1.75],
        [
          [1, 10],
          [2, 350]
        ],
        "angle"
      )
    ).toEqual([0, 355])
    expect(
      at(
        [1, 2, 2.5],
        [
          [1, -20],
          [2, 360],
          [3, 90]
        ],
        "angle"
      )
    ).toEqual([340, 0, 45])
  })

  it("are held if a channel has steps", () => {
    for (const kind of ["step", "flag"] as const) {
      expect(
        at(
          [0.5, 1, 1.999, 2, 7],
          [
            [1, 1],
            [2, 0]
          ],
          kind
        )
      ).toEqual([null, 1, 1, 0, 0])
    }
  })

  it("are the same as by a search through all samples, whatever these are", () => {
    const times = fc.uniqueArray(fc.integer({ min: 0, max: 50 }), { maxLength: 12 })
    const value = fc.oneof(fc.integer({ min: 0, max: 9 }), fc.constant(ABSENT))
    fc.assert(
      fc.property(
        times.map((all) => all.toSorted((a, b) => a - b)),
        fc.array(value, { minLength: 12, maxLength: 12 }),
        fc.array(fc.integer({ min: -10, max: 220 }).map((n) => n / 4)),
        fc.constantFrom<ChannelKind>("continuous", "step"),
        (all, values, nodes, kind) => {
          const samples = all.map((time, i) => [time, values[i]!] as const)
          const sorted = nodes.toSorted((a, b) => a - b)
          const expected = sorted.map((node) => {
            const before = samples.findLast(([time]) => time <= node)
            const after = samples.find(([time]) => time > node)
            if (before === undefined || Number.isNaN(before[1])) return null
            if (kind === "step" || after === undefined || before[0] === node) return before[1]
            if (Number.isNaN(after[1])) return null
            return before[1] + ((node - before[0]) / (after[0] - before[0])) * (after[1] - before[1])
          })
          expect(at(sorted, samples, kind)).toEqual(expected)
        }
      )
    )
  })
})

describe("traces", () => {
  const driven = drive()
  const lap = drivenLap(driven, 3)
  const alignment = align([drivenLap(driven, 2), lap])!
  const placed = alignment.laps[1]!
  const { endTime, startTime } = lap.lap
  const length = alignment.grid.length

  /** A source's distance from the line, sampled at these times, at an even speed. */
  const lapDistance = (times: ReadonlyArray<number>, name = "lap_distance"): SamplesAround => {
    const batch: RowBatch = RowBatch.allocate(times.length, ["timestamp", name])
    const lapTime = endTime - startTime
    batch.data.set(times)
    times.forEach((time, i) => {
      const laps = (time - startTime) / lapTime
      batch.data[times.length + i] = length * (laps - Math.floor(laps))
    })
    return { batch, kinds: ["continuous"] }
  }
  const every = (step: number, from: number) =>
    Array.from({ length: Math.ceil((endTime - startTime + 8) / step) }, (_, n) => startTime + from + n * step)
  const traced = (around: SamplesAround, name = "lap_distance") =>
    channelTraces({ ...lap, around: [around] }, placed, alignment, [name])[name]!
  const even = placed.time.map((time) => (length * time) / (endTime - startTime))

  it("have no distance across the line, and the source's own everywhere else", () => {
    for (const step of [0.09, 0.7, 2.3]) {
      const values = traced(lapDistance(every(step, -3.1)))
      const off = values.map((value, n) => Math.abs(value - even[n]!))
      expect(Math.max(...reported(off))).toBeLessThan(1e-6)
      // Only a sample's time at each end is lost.
      const lost = placed.time.filter((_, n) => Number.isNaN(values[n]))
      expect(lost.every((time) => time < step || time > endTime - startTime - step)).toBe(true)
      expect(reported(values).length).toBeGreaterThan(0.85 * values.length)
    }
  })

  it("would have a distance across the line without the rule", () => {
    const values = traced(lapDistance(every(2.3, -3.1), "something_else"), "something_else")
    expect(values.some((value, n) => Math.abs(value - even[n]!) > 100)).toBe(true)
  })

  it("have the line where the source has it, late or early, and not where a car goes back a bit", () => {
    const late = lapDistance(every(0.1, -3.05))
    // The source's line is half a second behind the lap's.
    const shifted = late.batch.column("lap_distance")
    const source = shifted.slice()
    shifted.forEach((_, i) => (shifted[i] = source[Math.max(0, i - 5)]!))
    const lapTime = endTime - startTime
    const off = traced(late).map((value, n) => {
      const laps = (placed.time[n]! - 0.5) / lapTime
      return Math.abs(value - length * (laps - Math.floor(laps)))
    })
    expect(Math.max(...reported(off))).toBeLessThan(1e-6)
    expect(reported(off).length).toBeGreaterThan(0.95 * off.length)
    const back = lapDistance(every(0.1, -3.05))
    const column = back.batch.column("lap_distance")
    column.forEach((value, i) => {
      if (i >= 200 && i < 210) column[i] = value - 3
    })
    expect(reported(traced(back))).toHaveLength(reported(traced(lapDistance(every(0.1, -3.05)))).length)
  })

  it("are null for channels that the lap lacks, and have the lap's own place if no source reports it", () => {
    expect(channelTraces(lap, placed, alignment, ["fuel", "lap_distance"])).toEqual({
      fuel: null,
      lap_distance: null
    })
    const derived = channelTraces({ ...lap, isPlaced: true }, placed, alignment, ["lap_distance"])
    expect(derived["lap_distance"]).toEqual(alignment.grid.distance)
  })
})
