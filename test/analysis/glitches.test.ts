import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { align, type LapData } from "../../src/analysis/place/alignment.ts"
import { sessionAnomalies } from "../../src/analysis/anomalies/anomalies.ts"
import { believable } from "../../src/analysis/place/believable.ts"
import { compare } from "../../src/analysis/compare/comparison.ts"
import { referenceLine } from "../../src/analysis/place/referenceLine.ts"
import { needing } from "../support/needing.ts"
import { recordingsHere } from "../support/sharedData.ts"
import { changed, slower, without } from "./faults.ts"
import { drive, drivenLap } from "./lapData.ts"
import { copyOf, drivenLaps, recordedLaps, withoutMistake } from "./sessions.ts"
import { allAnalyses, unspeakable } from "./allAnalyses.ts"
import { some } from "../support/runs.ts"

const laps = (rate: number) => [2, 3, 4].map((number) => drivenLap(drive(), number, rate))

/** Points `from` to `to` (exclusive) of a lap are reported `metres` away, in the direction `angle`. */
const jumped = (data: LapData, from: number, to: number, metres: number, angle: number): LapData => {
  const copy = copyOf(data)
  const [x, y] = [copy.points.column("position_x"), copy.points.column("position_y")]
  for (let i = from; i < to; i++) {
    x[i] = x[i]! + metres * Math.cos(angle)
    y[i] = y[i]! + metres * Math.sin(angle)
  }
  return copy
}

describe.each(some([10, 60], 1))("positions that jump and come back, at %i Hz", (rate) => {
  const clean = laps(rate)
  const aligned = align(clean)!

  // Guards every lap of a comparison against one wrong sample, above all one in the reference lap.
  it("move no delta of any lap by a millisecond, and cost no trust", () => {
    fc.assert(
      fc.property(
        fc.nat({ max: 2 }),
        fc.double({ min: 0.03, max: 0.97, noNaN: true }),
        fc.double({ min: 20, max: 1e7, noNaN: true }),
        fc.double({ min: 0, max: 2 * Math.PI, noNaN: true }),
        (index, where, metres, angle) => {
          const from = Math.round(where * clean[index]!.points.length)
          const to = from + Math.max(1, Math.round(rate / 20))
          const found = align(
            clean.map((lap, l) => (l === index ? jumped(lap, from, to, metres, angle) : lap))
          )!
          expect(Math.abs(found.grid.length - aligned.grid.length)).toBeLessThan(0.2)
          found.laps.forEach((lap, l) => {
            expect(lap.unsound).toEqual([])
            const { time } = aligned.laps[l]!
            const nodes = Math.min(time.length, lap.time.length)
            let most = 0
            for (let n = 0; n < nodes; n += 7) {
              // The line itself may be a decimetre longer or shorter without a vertex: the deltas of the other laps count.
              const delta = lap.time[n]! - found.reference.time[n]!
              most = Math.max(most, Math.abs(delta - (time[n]! - aligned.reference.time[n]!)))
            }
            expect(most).toBeLessThan(0.001)
          })
        }
      ),
      { numRuns: 20 }
    )
  })
})

describe("a reference line", () => {
  // Guards the line against a small jump aside, after which all later points seemed to lead back and were left out.
  it("stays whole if one point is some metres off", () => {
    for (const rate of some([10, 60], 1)) {
      const lap = laps(rate)[1]!
      const { length } = referenceLine(lap)
      for (let i = 20; i < lap.points.length - 20; i += Math.floor(lap.points.length / 60)) {
        for (const metres of [2.5, 5, 15]) {
          for (const angle of [0, 1.6, 3.1, 4.7]) {
            const found = referenceLine(jumped(lap, i, i + 1, metres, angle)).length
            expect(Math.abs(found - length)).toBeLessThan(2 * metres + 3)
          }
        }
      }
    }
  })
})

describe("believable points", () => {
  // Guards good feeds against any change: the batch itself comes back.
  it("are all points of a simulator", () => {
    for (const rate of [60, 10, 4])
      for (const { points } of laps(rate)) expect(believable(points)).toBe(points)
  })

  it("are nearly all points of a recording", needing(recordingsHere), () => {
    for (const name of ["f1-bahrain-2026-ant", "ams2-road-america", "ac-lime-rock"]) {
      const all = recordedLaps(name).map(({ points }) => points)
      const left = all.reduce((sum, points) => sum + believable(points).length, 0)
      const count = all.reduce((sum, points) => sum + points.length, 0)
      expect(left).toBeGreaterThan(0.999 * count)
    }
  })

  // Guards a true jump: a car put elsewhere stays there, and its lap is not trusted.
  it("include a car that was put elsewhere", () => {
    const session = laps(60)
    session.forEach((lap, index) => {
      const put = jumped(lap, 2500, lap.points.length, 500, 1)
      expect(believable(put.points)).toBe(put.points)
      const { closure } = compare(session.map((other, l) => (l === index ? put : other)))
      // In the fastest lap, to whose line the others are compared, it costs their trust too.
      expect(closure.filter(({ trusted }) => !trusted).length).toBeGreaterThan(0)
      expect(closure.filter(({ trusted }) => trusted).length).toBeLessThan(3)
    })
  })
})

describe("wild numbers", () => {
  const session = drivenLaps({ laps: 6, hz: 20, taken: withoutMistake })

  // Guards the service's memory and event loop: tables by gear or speed could grow to these numbers.
  it.each([
    ["a gear of 2,147,483,647", (lap: LapData) => changed(lap, [5, 60], "gear", () => 2 ** 31 - 1)],
    ["a speed of 50,000,000,000 km/h", (lap: LapData) => changed(lap, [5, 60], "speed", () => 5e10)]
  ] as const)("%s is reported, like any other", (_, fault) => {
    const wild = session.map((lap, l) => (l === 2 ? fault(lap) : lap))
    const { anomalies } = sessionAnomalies(1, wild)
    expect(unspeakable(anomalies)).toEqual([])
    expect(anomalies.map(({ type }) => type)).toContain("implausible_value")
  })

  // Guards memory against a lap whose clock ran on for days, without positions to show that the car stood.
  it("a lap of eleven days does not get a grid of millions of nodes", () => {
    const still = session.map((lap) =>
      changed(
        changed(lap, [-1, 1e9], "position_x", () => 0),
        [-1, 1e9],
        "position_y",
        () => 0
      )
    )
    const endless = still.map(({ lap, points }) => ({
      points,
      lap: { ...lap, endTime: lap.endTime + 1e6 }
    }))
    expect(align(endless)!.grid.distance.length).toBeLessThanOrEqual(100_001)
  })
})

describe("places where the other laps have no points", () => {
  // Guards the sentences: a spin there had "where NaN km/h is usual" in its sentence.
  it("have no expectation that is not a number", () => {
    const clean = drivenLaps({ laps: 8, taken: (lap) => lap.lapNumber > 1 && withoutMistake(lap) })
    for (const at of [27, 27.5, 41]) {
      const session = clean.map((lap, l) =>
        l === 4 ? slower(lap, [at - 0.8, at + 2.2], 3) : without(lap, [at, at + 1.1])
      )
      const { anomalies } = allAnalyses(session)
      expect(unspeakable(anomalies)).toEqual([])
      expect(JSON.stringify(anomalies)).toMatch(/lock_up_or_spin/)
    }
  })
})
