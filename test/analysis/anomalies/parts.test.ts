/** A session that is analysed in parts, compared with the same session analysed at once. */
import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import type { Anomaly } from "../../../src/domain/analysis/anomalies.ts"
import { anomaliesIn, findingsOf, sessionAnomalies } from "../../../src/analysis/anomalies/anomalies.ts"
import { judgedPartsOf } from "../../../src/analysis/anomalies/parts.ts"
import type { LapData } from "../../../src/analysis/place/alignment.ts"
import { comparableLaps } from "../../../src/analysis/compare/comparable.ts"
import type { RecordedLap } from "../../../src/domain/Lap.ts"
import { changed, frozen } from "../faults.ts"
import { drivenLaps } from "../sessions.ts"

/** More than fit: the fewest laps are analysed together. */
const LONG = 1e9

const lapsOf = (times: ReadonlyArray<number | null>): ReadonlyArray<RecordedLap> =>
  times.map((lapTime, n) => ({
    id: n + 1,
    sessionId: 1,
    lapNumber: n + 1,
    lapTime,
    sector1Time: null,
    sector2Time: null,
    sector3Time: null,
    sectorSource: null,
    valid: lapTime !== null,
    startTime: 100 * n,
    endTime: 100 * n + (lapTime ?? 50)
  }))

describe("partsOf", () => {
  it("judges each lap once, and compares all parts with the same laps, and no part has more laps than allowed", () => {
    fc.assert(
      fc.property(
        fc.array(fc.option(fc.double({ min: 60, max: 90, noNaN: true })), { maxLength: 400 }),
        fc.double({ min: 1, max: 100_000, noNaN: true }),
        (times, pointsOfLap) => {
          const laps = lapsOf(times)
          const { baseline, parts } = judgedPartsOf(laps, pointsOfLap)
          const judged = parts.flatMap((part) => part.judged).toSorted((a, b) => a - b)
          expect(judged).toEqual(laps.map(({ id }) => id))
          const most = Math.max(24, 160_000 / pointsOfLap)
          const [first, ...others] = parts
          const ids = new Set(baseline.map(({ id }) => id))
          expect(first!.judged).toEqual([...ids, ...first!.own.map(({ id }) => id)])
          for (const { judged, own } of others) expect(judged).toEqual(own.map(({ id }) => id))
          for (const { own } of parts) {
            expect(baseline.length + own.length).toBeLessThanOrEqual(most)
            expect(own.some(({ id }) => ids.has(id))).toBe(false)
          }
          const [best] = comparableLaps(laps).toSorted((a, b) => a.lapTime - b.lapTime || a.id - b.id)
          expect(others.length === 0 || best === undefined || ids.has(best.id)).toBe(true)
        }
      ),
      { numRuns: 50 }
    )
  })
})

const inParts = (session: ReadonlyArray<LapData>) => {
  const laps = session.map(({ lap }) => lap)
  const { baseline, parts } = judgedPartsOf(laps, LONG)
  expect(parts.length).toBeGreaterThan(2)
  const byId = new Map(session.map((one) => [one.lap.id, one]))
  const [first, ...others] = parts.map(({ judged, own }) => ({
    data: [...baseline, ...own].map(({ id }) => byId.get(id)!),
    judged
  }))
  const found = findingsOf(first!.data, { session: laps, judged: first!.judged })
  return anomaliesIn(1, [
    found,
    ...others.map(({ data, judged }) =>
      findingsOf(data, { session: laps, judged, inWrongUnit: found.units.map(({ channel }) => channel) })
    )
  ])
}

const reported = (anomalies: ReadonlyArray<Anomaly>, worth: (one: Anomaly) => boolean) =>
  anomalies
    .filter(worth)
    .flatMap(({ occurrences, type }) => occurrences.map(({ lapId }) => `${type} ${lapId}`))
    .toSorted()

const isOfData = ({ type }: Anomaly) => ["frozen_channel", "implausible_value"].includes(type)
const isDear = ({ cost }: Anomaly) => (cost ?? 0) >= 0.5

describe("a session in parts", () => {
  const session = drivenLaps({ circuit: "Port Averno", laps: 40, hz: 10, seed: 11 })

  it("has the same faults of the data as one that is analysed at once", () => {
    const spoilt = session.map((lap, l) =>
      l % 7 === 3
        ? frozen(lap, [30, 36], "speed")
        : l % 7 === 5
          ? changed(lap, [20, 23], "rpm", () => 90_000)
          : lap
    )
    const whole = reported(sessionAnomalies(1, spoilt).anomalies, isOfData)
    expect(whole.length).toBeGreaterThan(10)
    expect(reported(inParts(spoilt).anomalies, isOfData)).toEqual(whole)
  })

  it("has the same mistakes of drivers as one that is analysed at once, if they cost half a second", () => {
    const whole = new Set(reported(sessionAnomalies(1, session).anomalies, isDear))
    const parts = reported(inParts(session).anomalies, ({ cost }) => (cost ?? 0) >= 0.3)
    expect(whole.size).toBeGreaterThan(4)
    expect([...whole].filter((one) => !parts.includes(one))).toEqual([])
  })

  it("has one finding about a channel in another unit", () => {
    const degrees = session.map((lap) => changed(lap, [-1, 1e6], "steering", (value) => value * 450))
    const ofSteering = inParts(degrees).anomalies.filter(({ channel }) => channel === "steering")
    expect(ofSteering).toEqual(
      sessionAnomalies(1, degrees).anomalies.filter(({ channel }) => channel === "steering")
    )
    expect(ofSteering).toHaveLength(1)
  })
})
