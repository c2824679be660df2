import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import type { Anomaly } from "../../src/domain/analysis/anomalies.ts"
import type { LapData } from "../../src/analysis/place/alignment.ts"
import { sessionAnomalies } from "../../src/analysis/anomalies/anomalies.ts"
import { copyOf, drivenLaps, recordedLaps } from "./sessions.ts"
import { needing } from "../support/needing.ts"
import { recordingsHere } from "../support/sharedData.ts"

const session = drivenLaps({ laps: 16, seed: 3, hz: 20 })
const found = sessionAnomalies(1, session)
const what = ({ channel, lapId, type }: Anomaly) => `${lapId} ${type} ${channel}`

/** A digit may fall to either side when a value is rounded, and matters no more than the uncertainty. */
const isSameCost = (cost: number | null, { cost: other, costUncertainty }: Anomaly): boolean =>
  Math.abs((cost ?? 0) - (other ?? 0)) <= Math.max(0.01, Math.min(0.1, costUncertainty ?? 0) + 1e-9)

const judged = (anomalies: ReadonlyArray<Anomaly>) => anomalies.filter(({ z }) => z !== null)

const mapped = (change: (lap: LapData) => LapData) =>
  sessionAnomalies(
    1,
    session.map((lap) => change(copyOf(lap)))
  ).anomalies

describe("anomalies", () => {
  it("are numerous enough to compare", () => expect(found.total).toBeGreaterThan(4))

  it("are the same bytes in any order of the laps", () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...session], { minLength: session.length }), (shuffled) => {
        expect(JSON.stringify(sessionAnomalies(1, shuffled))).toBe(JSON.stringify(found))
      }),
      { numRuns: 8 }
    )
  })

  it("are finite numbers, however large the driven values are", () => {
    const large = mapped((lap) => {
      for (const channel of ["rpm", "speed", "throttle", "position_x"] as const) {
        const column = lap.points.column(channel)
        for (let i = 0; i < column.length; i++) column[i] = (i % 2 === 0 ? 1 : -1) * 1.7e308
      }
      return lap
    })
    const values = large.filter(({ channel, type }) => type === "implausible_value" && channel !== "")
    expect(values.map(({ channel }) => channel)).toContain("rpm")
    for (const { description, value } of values) {
      expect(value).toSatisfy(Number.isFinite)
      expect(description).not.toContain("Infinity")
    }
  })

  it("move with the clock", () => {
    // A power of two keeps the times exact as doubles, to the microsecond in which they were given.
    const by = 65_536
    const moved = mapped(({ lap, points }) => {
      const t = points.timestamps
      for (let i = 0; i < t.length; i++) t[i] = t[i]! + by
      return { points, lap: { ...lap, startTime: lap.startTime + by, endTime: lap.endTime + by } }
    })
    expect(moved.map(what)).toEqual(found.anomalies.map(what))
    moved.forEach(({ cost, timestamp }, i) => {
      expect(timestamp - by).toBeCloseTo(found.anomalies[i]!.timestamp, 3)
      expect(isSameCost(cost, found.anomalies[i]!)).toBe(true)
    })
  })

  it("stay the same if the coordinates are turned and shifted", () => {
    fc.assert(
      fc.property(
        fc.double({ min: -3, max: 3, noNaN: true }),
        fc.integer({ min: -5000, max: 5000 }),
        (angle, shift) => {
          const [c, s] = [Math.cos(angle), Math.sin(angle)]
          const turned = mapped((lap) => {
            const [x, y] = [lap.points.column("position_x"), lap.points.column("position_y")]
            for (let i = 0; i < x.length; i++) {
              const [a, b] = [x[i]!, y[i]!]
              x[i] = c * a - s * b + shift
              y[i] = s * a + c * b - shift
            }
            return lap
          })
          expect(turned.map(what)).toEqual(found.anomalies.map(what))
          turned.forEach(({ cost }, i) => expect(isSameCost(cost, found.anomalies[i]!)).toBe(true))
        }
      ),
      { numRuns: 6 }
    )
  })
})

describe("on real sessions", needing(recordingsHere), () => {
  it("f1-bahrain-2026-ant: the garage lap is in no baseline", () => {
    const real = recordedLaps("f1-bahrain-2026-ant")
    const all = sessionAnomalies(1, real).anomalies
    const without = real.filter(({ lap }) => lap.lapNumber !== 17)
    expect(judged(sessionAnomalies(1, without).anomalies)).toEqual(judged(all))
    expect(judged(all).filter(({ lapNumber }) => lapNumber === 17)).toEqual([])
    // Its slow laps end or begin in the pits, or cool down in between.
    expect(all.filter(({ type }) => type === "slow_lap" || type === "speed_loss")).toEqual([])
    const parts = (wanted: string) =>
      all.flatMap(({ occurrences, type }) =>
        type === wanted ? occurrences.map(({ lapNumber }) => lapNumber) : []
      )
    expect(parts("pit_stop")).toEqual([5, 8, 10, 13, 16, 35])
    expect(parts("neutralised")).toEqual([8, 9])
    expect(all.every(({ lapsInBaseline, z }) => z === null || lapsInBaseline <= 30)).toBe(true)
  })

  it("ams2-road-america: losses that read alike are alike severe", () => {
    const losses = sessionAnomalies(1, recordedLaps("ams2-road-america")).anomalies.filter(
      ({ type }) => type === "speed_loss"
    )
    expect(losses.filter(({ cost }) => cost === 0.3).length).toBeGreaterThan(2)
    expect(losses.map(({ severity }) => severity)).toEqual(
      losses.map(({ cost }) => (cost! >= 0.3 ? "medium" : "low"))
    )
  })

  it("ac-lime-rock: the pause of 85 s and the glitches of rpm", () => {
    const { anomalies } = sessionAnomalies(1, recordedLaps("ac-lime-rock"))
    const pauses = anomalies.filter(({ type }) => type === "pause")
    expect(pauses.map(({ duration, lapNumber }) => [lapNumber, Math.round(duration)])).toEqual([[12, 85]])
    const rpm = anomalies.filter(({ channel, type }) => type === "implausible_value" && channel === "rpm")
    const laps = rpm.flatMap(({ occurrences }) => occurrences.map(({ lapNumber }) => lapNumber))
    expect([...new Set(laps)].sort((a, b) => a - b)).toEqual([11, 12, 15])
    expect(rpm.map(({ value }) => value)).toContain(-1850)
  })
})
