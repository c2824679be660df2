import { describe, expect, it } from "vitest"
import type { Closure } from "../../src/domain/analysis/comparison.ts"
import type { LapData } from "../../src/analysis/place/alignment.ts"
import { compareTraced } from "../../src/analysis/compare/comparison.ts"
import { circuitNames } from "../../simulator/model/Circuit.ts"
import { drive, drivenLap, recordedLaps } from "./lapData.ts"
import { needing } from "../support/needing.ts"
import { recordingsHere } from "../support/sharedData.ts"

const hollin = drive()
const laps = [2, 3, 4].map((lap) => drivenLap(hollin, lap))

const worst = (closure: ReadonlyArray<Closure>) =>
  Math.max(
    ...closure
      .flatMap(({ sector1, sector2, sector3, total }) => [total, sector1, sector2, sector3])
      .map((value) => Math.abs(value ?? 0))
  )

describe("compare", () => {
  it("takes deltas from the laps' own times", () => {
    const { fastestLapId, timeDeltas } = compareTraced(laps)
    const fastest = laps.toSorted((a, b) => a.lap.lapTime! - b.lap.lapTime!)[0]!.lap
    expect(fastestLapId).toBe(fastest.id)
    expect(timeDeltas[fastest.id]).toEqual({ total: 0, sector1: 0, sector2: 0, sector3: 0 })
    for (const { lap } of laps) {
      expect(timeDeltas[lap.id]!.total).toBe(lap.lapTime! - fastest.lapTime!)
      expect(timeDeltas[lap.id]!.sector2).toBe(lap.sector2Time! - fastest.sector2Time!)
    }
  })

  it("has null for times that were not measured", () => {
    const untimed = { ...laps[0]!, lap: { ...laps[0]!.lap, lapTime: null, sector1Time: null } }
    const { closure, fastestLapId, timeDeltas } = compareTraced([untimed, laps[1]!])
    expect(fastestLapId).toBe(3)
    expect(timeDeltas["2"]).toMatchObject({ total: null, sector1: null })
    expect(closure[0]).toMatchObject({ total: null, official: null, trusted: true })
  })

  it("traces every lap against the fastest", () => {
    const { fastestLapId, timeDeltas, traces } = compareTraced(laps)
    for (const { distance, lapId, speed, timeDelta } of traces) {
      expect(timeDelta).toHaveLength(distance.length)
      expect(speed).toHaveLength(distance.length)
      expect(timeDelta[0]).toBe(0)
      expect(timeDelta.at(-1)).toBeCloseTo(timeDeltas[lapId]!.total!, 6)
    }
    const own = traces.find(({ lapId }) => lapId === fastestLapId)!
    expect(own.timeDelta.every((delta) => delta === 0)).toBe(true)
  })

  it("explains each lap's delta by its losses and gains", () => {
    const { closure, fastestLapId, losses, timeDeltas } = compareTraced(laps)
    for (const { explained, lapId, total } of closure) {
      const { delta, gained, lost, unnamed, unsound } = explained!
      expect(lost + unnamed + gained + unsound).toBeCloseTo(delta, 9)
      // The closure is the difference between the delta at the line and the official one.
      expect(delta - total!).toBeCloseTo(timeDeltas[lapId]!.total!, 9)
      const named = losses.filter((loss) => loss.lapId === lapId)
      expect(named.reduce((sum, loss) => sum + loss.seconds, 0)).toBeCloseTo(lost, 9)
      expect(lost > 0).toBe(lapId !== fastestLapId)
    }
    const own = closure.find(({ lapId }) => lapId === fastestLapId)!
    expect(own.explained).toEqual({ delta: 0, lost: 0, unnamed: 0, gained: 0, unsound: 0 })
  })

  it("closes on the bundled simulator's laps and sectors to 5 ms, on every circuit", () => {
    for (const name of circuitNames) {
      const from = drive(name)
      const { closure } = compareTraced([2, 3, 4, 5, 6].map((lap) => drivenLap(from, lap)))
      expect(worst(closure)).toBeLessThan(0.005)
      expect(closure.every(({ reason, trusted }) => trusted && reason === null)).toBe(true)
    }
  })

  it("gives the same bytes for the same laps", () => {
    expect(JSON.stringify(compareTraced(laps))).toBe(JSON.stringify(compareTraced(laps)))
  })

  it("reports a lap time that does not fit the telemetry", () => {
    const wrong: LapData = {
      ...laps[0]!,
      lap: { ...laps[0]!.lap, sector1Time: laps[0]!.lap.sector1Time! - 0.4 }
    }
    const { closure, losses } = compareTraced([wrong, laps[1]!])
    const own = closure.find(({ lapId }) => lapId === wrong.lap.id)!
    expect(own.trusted).toBe(false)
    expect(own.sector1).toBeCloseTo(0.4, 2)
    expect(losses).toEqual([])
  })

  it("trusts no lap without points", () => {
    const bare = laps.map((lap) => ({ ...lap, points: lap.points.slice(0, 0) }))
    const { closure, suggestions, timeDeltas, traces } = compareTraced(bare)
    expect(closure.every(({ trusted }) => !trusted)).toBe(true)
    expect([...traces, ...suggestions]).toEqual([])
    expect(Object.keys(timeDeltas)).toHaveLength(3)
  })
})

describe("compare on real laps", needing(recordingsHere), () => {
  it("closes on Automobilista 2's clean laps to 60 ms, each pair of laps", () => {
    const all = recordedLaps("ams2-road-america").filter(({ lap }) => lap.valid)
    const best = Math.min(...all.map(({ lap }) => lap.lapTime!))
    const clean = all.filter(({ lap }) => lap.lapTime! < 1.07 * best)
    expect(clean.length).toBeGreaterThan(10)
    clean.forEach((lap, index) => {
      for (const other of clean.slice(index + 1)) {
        const { closure } = compareTraced([lap, other], 5)
        expect(worst(closure)).toBeLessThan(0.06)
        expect(closure.every(({ trusted }) => trusted)).toBe(true)
      }
    })
  })

  it("does not trust Assetto Corsa's pause", () => {
    const { closure, losses } = compareTraced(recordedLaps("ac-lime-rock"))
    const paused = closure[11]!
    expect(paused).toMatchObject({ trusted: false })
    expect(paused.reason).toBe("its points span 174.319 s, its lap time is 169.380 s")
    expect(losses.some(({ lapId }) => lapId === paused.lapId)).toBe(false)
  })

  it("compares all laps of a Formula 1 car", () => {
    const { closure, fastestLapId, laps: shown } = compareTraced(recordedLaps("f1-bahrain-2026-ant"))
    expect(shown.find(({ id }) => id === fastestLapId)!.lapTime).toBe(93.669)
    // The clock is the official one; the sector lines are off by the positions' noise.
    expect(Math.max(...closure.map(({ total }) => Math.abs(total ?? 0)))).toBeLessThan(0.001)
    expect(closure.filter(({ reason }) => reason?.includes("no points")).length).toBeGreaterThan(10)
  })
})
