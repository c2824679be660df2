import { describe, expect, it } from "vitest"
import { align } from "../../src/analysis/alignment.ts"
import { consistency, lineSpread } from "../../src/analysis/consistency.ts"
import {
  bestLaps,
  circuitStatistics,
  driverStatistics,
  metresOf,
  Odometer
} from "../../src/analysis/statistics.ts"
import type { Session } from "../../src/domain/Session.ts"
import { paused } from "./faults.ts"
import { copyOf, drivenLaps, lapsOf, recordedLaps, withoutMistake } from "./sessions.ts"
import { needing } from "../runner/needing.ts"
import { recordingsHere } from "../runner/sharedData.ts"

const sessionOf = (id: number, driver: string, vehicle: string): Session => ({
  id,
  circuit: "Hollin Moor",
  vehicle,
  driver,
  datetime: "2026-02-13T09:30:00",
  duration: 1,
  total_laps: 1,
  best_lap_time: null
})

const driven = drivenLaps({ laps: 8, hz: 20 })
const laps = lapsOf(driven)
const sessions = [
  { session: sessionOf(1, "B", "Kestrel"), laps },
  {
    session: sessionOf(2, "A", "Kestrel"),
    laps: laps.map((lap) => ({ ...lap, id: lap.id + 100, session_id: 2, lap_time: lap.lap_time! + 1 }))
  },
  { session: sessionOf(3, "A", "Merlin"), laps: [] }
]

describe("statistics", () => {
  it("of a driver: valid laps make best and average, all laps the total", () => {
    const spoilt = laps.map((lap, l) =>
      l === 2 ? { ...lap, valid: false } : l === 3 ? { ...lap, lap_time: null } : lap
    )
    const times = spoilt.flatMap((lap) => (lap.valid && lap.lap_time !== null ? [lap.lap_time] : []))
    const found = driverStatistics("B", [{ ...sessions[0]!, laps: spoilt }], 12_345.6)
    expect(found).toMatchObject({
      total_sessions: 1,
      total_laps: 8,
      best_lap_time: Math.min(...times),
      total_distance: 12.3456
    })
    expect(found.avg_lap_time).toBeCloseTo(times.reduce((sum, time) => sum + time, 0) / times.length, 5)
  })

  it("of nobody's laps are null", () => {
    const none = { best_lap_time: null, avg_lap_time: null, total_laps: 0 }
    expect(driverStatistics("A", [sessions[2]!], 0)).toMatchObject({ ...none, total_distance: 0 })
    expect(circuitStatistics("Hollin Moor", [])).toMatchObject({
      ...none,
      best_lap: null,
      theoretical_best: null,
      drivers: []
    })
  })

  it("of a circuit name whoever was best", () => {
    const found = circuitStatistics("Hollin Moor", sessions)
    const best = Math.min(...laps.filter(({ valid }) => valid).map((lap) => lap.lap_time!))
    expect(found).toMatchObject({
      total_sessions: 3,
      total_laps: 16,
      best_lap_time: best,
      drivers: ["A", "B"],
      vehicles: ["Kestrel", "Merlin"]
    })
    expect(found.best_lap).toMatchObject({ driver: "B", vehicle: "Kestrel" })
    expect(found.theoretical_best).toBeLessThanOrEqual(best)
    expect(circuitStatistics("Hollin Moor", [...sessions].reverse())).toEqual(found)
  })

  // Protects a circuit that was driven on for years: more laps than a call takes arguments.
  it("of very many laps", () => {
    const many = Array.from({ length: 200_000 }, (_, i) => ({
      ...laps[1]!,
      id: i + 1,
      lap_time: 90 + (i % 7)
    }))
    expect(circuitStatistics("Hollin Moor", [{ ...sessions[0]!, laps: many }]).best_lap_time).toBe(90)
  })

  it("rank the best laps", () => {
    const best = bestLaps(sessions, 5)
    expect(best.map(({ rank }) => rank)).toEqual([1, 2, 3, 4, 5])
    expect(best.every(({ valid }) => valid)).toBe(true)
    expect(best.map(({ lap_time }) => lap_time)).toEqual(
      best.map(({ lap_time }) => lap_time).sort((a, b) => a! - b!)
    )
  })
})

describe("distance", () => {
  it("is the circuit's, however the points are cut into batches", () => {
    const { points } = driven[3]!
    const odometer = new Odometer()
    for (let i = 0; i < points.length; i += 37) odometer.add(points.slice(i, Math.min(points.length, i + 37)))
    expect(odometer.metres).toBe(metresOf(points))
    expect(Math.abs(odometer.metres - 4997)).toBeLessThan(50)
  })

  it("does not grow in a pause, and comes from positions where there is no speed", () => {
    const { points } = driven[3]!
    const stood = paused(driven[3]!, 40, 600).points
    expect(Math.abs(metresOf(stood) - metresOf(points))).toBeLessThan(5)
    const silent = copyOf(driven[3]!).points
    silent.column("speed").fill(0)
    expect(Math.abs(metresOf(silent) - metresOf(points))).toBeLessThan(30)
  })
})

describe("consistency", () => {
  const session = drivenLaps({ laps: 8, hz: 30, taken: (lap) => lap.lapNumber > 1 && withoutMistake(lap) })

  it("of lap times, plain and robust", () => {
    const { times } = consistency(lapsOf(session), undefined)
    expect(times.laps).toBe(8)
    expect(times.standard_deviation).toBeGreaterThan(0.05)
    expect(times.robust_deviation).toBeGreaterThan(0.05)
    expect(times.robust_deviation).toBeLessThan(1)
    expect(times.relative).toBeCloseTo(times.robust_deviation! / times.median!, 5)
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

const real = () => recordedLaps("f1-bahrain-2026-ant")

describe("Formula 1, Bahrain", needing(recordingsHere), () => {
  it("has the published average over timed laps and best lap", () => {
    const found = driverStatistics(
      "Kimi Antonelli",
      [{ session: sessionOf(1, "Kimi Antonelli", "W17"), laps: lapsOf(real()) }],
      0
    )
    expect(Math.abs(found.avg_lap_time! - 103.1468)).toBeLessThan(0.001)
    expect(found.best_lap_time).toBe(93.669)
    expect(found.total_laps).toBe(47)
  })

  it("is 5320 to 5400 m a clean lap", () => {
    const pace = real().filter(({ lap }) => lap.lap_time !== null && lap.lap_time < 1.07 * 93.669)
    const metres = pace.map(({ points }) => metresOf(points)).sort((a, b) => a - b)
    expect(metres[metres.length >> 1]).toBeGreaterThan(5320)
    expect(metres[metres.length >> 1]).toBeLessThan(5400)
    expect(metres.filter((way) => way < 5300 || way > 5400)).toEqual([])
  })
})
