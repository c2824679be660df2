/** Laps with pauses in their points: nothing that was not recorded is shown as data. */
import { describe, expect, it } from "vitest"
import type { LapData } from "../../src/analysis/place/alignment.ts"
import { compareTraced, type TracedComparison } from "../../src/analysis/compare/comparison.ts"
import { drive, drivenLap } from "./lapData.ts"
import { lapOf, profileOf } from "./syntheticLap.ts"

const from = drive("Hollin Moor")
const [best, other] = [drivenLap(from, 3), drivenLap(from, 2)]

/** Without the points between two times, s since the lap began. */
const holed = ({ lap, points }: LapData, begin: number, end: number): LapData => ({
  lap,
  points: points.pick(
    [...points.timestamps.keys()].filter((i) => {
      const time = points.timestamps[i]! - lap.startTime
      return time <= begin || time >= end
    })
  )
})

/** When a lap passes a place of the whole lap's traces, s, and where it is at a time, m. */
const wayOf = (whole: TracedComparison, id: number) => {
  const { distance, speed } = whole.traces.find(({ lapId }) => lapId === id)!
  const times = new Float64Array(distance.length)
  for (let n = 1; n < times.length; n++) {
    const metresPerSecond = (speed[n]! + speed[n - 1]!) / 2 / 3.6
    times[n] = times[n - 1]! + (distance[n]! - distance[n - 1]!) / metresPerSecond
  }
  return {
    at: (seconds: number) =>
      distance[
        Math.max(
          0,
          times.findIndex((time) => time >= seconds)
        )
      ]!,
    when: (metres: number) => times[distance.findIndex((at) => at >= metres)]!
  }
}

const columnsOf = ({ traces }: TracedComparison, id: number) => {
  const {
    distance,
    lapId: _lapId,
    channels: _channels,
    ...columns
  } = traces.find(({ lapId }) => lapId === id)!
  return { distance, columns }
}

const SLACK_M = 25

/** The columns that are not absent from `begin` to `end`, m, or are absent elsewhere, with the places. */
const wrongIn = (found: TracedComparison, id: number, begin: number, end: number) => {
  const { columns, distance } = columnsOf(found, id)
  return Object.entries(columns).flatMap(([name, column]) => {
    const wrong = distance.filter((at, n) => {
      const isAbsent = Number.isNaN(column[n]!)
      if (at > begin + SLACK_M && at < end - SLACK_M) return !isAbsent
      return (at < begin - SLACK_M || at > end + SLACK_M) && isAbsent
    })
    return wrong.length === 0 ? [] : [[name, ...wrong]]
  })
}

const id = other.lap.id
const whole = compareTraced([best, other])
const way = wayOf(whole, id)
const duration = other.lap.endTime - other.lap.startTime

describe("a lap with a pause in its points", () => {
  it("has no traces there, and the delta only of where both laps were recorded", () => {
    const [begin, end] = [20, 29.4]
    const found = compareTraced([best, holed(other, begin, end)])
    expect(wrongIn(found, id, way.at(begin), way.at(end))).toEqual([])
    const reference = columnsOf(found, best.lap.id)
    for (const column of Object.values(reference.columns)) expect(column.some(Number.isNaN)).toBe(false)
  })

  it("has none before its first point and after its last", () => {
    const early = compareTraced([best, holed(other, -10, 12)])
    expect(wrongIn(early, id, -SLACK_M, way.at(12))).toEqual([])
    const late = compareTraced([best, holed(other, duration - 15, duration + 10)])
    expect(wrongIn(late, id, way.at(duration - 15), late.traces[0]!.distance.at(-1)! + SLACK_M)).toEqual([])
  })

  it("has no figures of a corner that was not recorded, and those of the others", () => {
    const { entry, exit } = whole.corners[3]!
    const [a, b] = [entry - 150, exit + 50]
    const found = compareTraced([best, holed(other, way.when(a), way.when(b))])
    const inside = found.corners.filter((corner) => corner.entry > a + SLACK_M && corner.exit < b - SLACK_M)
    expect(inside.length).toBeGreaterThan(0)
    for (const { passes } of inside) {
      const { lapId, ...figures } = passes.find((pass) => pass.lapId === id)!
      expect([lapId, ...new Set(Object.values(figures))]).toEqual([id, null])
    }
    const outside = found.corners.filter((corner) => corner.exit < a - 200 || corner.entry > b + 200)
    expect(outside.length).toBeGreaterThan(0)
    for (const { number, passes } of outside) {
      const before = whole.corners.find((corner) => corner.number === number)!.passes
      const now = passes.find((pass) => pass.lapId === id)!
      const then = before.find((pass) => pass.lapId === id)!
      expect(now.minimumSpeed).toBeCloseTo(then.minimumSpeed!, 1)
      expect(now.time).toBeCloseTo(then.time!, 2)
    }
  })

  it("has all of its traces if the pause is no longer than three of its feed's intervals, or a second", () => {
    for (const found of [
      compareTraced([best, holed(other, 20, 20.9)]),
      compareTraced([lapOf(profileOf(from, 3), 1, 2), lapOf(profileOf(from, 2), 2, 2)])
    ]) {
      for (const { speed, timeDelta } of found.traces) {
        expect([...speed, ...timeDelta].filter(Number.isNaN)).toEqual([])
      }
    }
  })
})
