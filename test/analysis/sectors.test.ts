import { describe, expect, it } from "vitest"
import { align, type LapData } from "../../src/analysis/place/alignment.ts"
import { bestSectors } from "../../src/analysis/compare/comparable.ts"
import { compare } from "../../src/analysis/compare/comparison.ts"
import { microSectors } from "../../src/analysis/compare/microSectors.ts"
import { sectorAnalysis } from "../../src/analysis/compare/sectors.ts"
import { changed, slower } from "./faults.ts"
import { drivenLaps, lapsOf, recordedLaps, withoutMistake } from "./sessions.ts"
import { needing } from "../support/needing.ts"
import { recordingsHere } from "../support/sharedData.ts"

const session = drivenLaps({ laps: 6, taken: (lap) => lap.lapNumber > 1 && withoutMistake(lap) })
const laps = lapsOf(session)

describe("sectors of a drive", () => {
  it("have the official times, and differences to the best", () => {
    const best = bestSectors(laps)
    for (const data of session) {
      const { sectors, totalTime } = sectorAnalysis(data, laps)
      expect(totalTime).toBe(data.lap.lapTime)
      expect(sectors.map(({ time }) => time)).toEqual(data.driven.sectors)
      sectors.forEach(({ delta, time }, s) => expect(delta).toBeCloseTo(time! - best[s]!, 6))
    }
    const fastest = session.map((data) => sectorAnalysis(data, laps).sectors[1]!.delta!)
    expect(Math.min(...fastest)).toBe(0)
  })

  it("have a speed of distance over time: thirds of the circuit", () => {
    const length = 4997
    for (const data of session) {
      for (const { speedAvg, speedMax, time } of sectorAnalysis(data, laps).sectors) {
        // The driven line is a little shorter or longer than the centre line's third.
        expect(Math.abs((speedAvg! / 3.6) * time! - length / 3)).toBeLessThan(40)
        expect(speedMax).toBeGreaterThan(speedAvg!)
      }
    }
  })

  it("are null if they are not known", () => {
    const [one] = session
    const alone = sectorAnalysis(one!, [one!.lap])
    expect(alone.sectors.map(({ delta }) => delta)).toEqual([null, null, null])
    const untimed = {
      ...one!,
      lap: { ...one!.lap, sector1Time: null, sector2Time: null, sector3Time: null }
    }
    const none = { time: null, delta: null, speedAvg: null, speedMax: null }
    expect(sectorAnalysis(untimed, [untimed.lap])).toMatchObject({
      theoreticalBest: null,
      totalTime: one!.lap.lapTime,
      sectors: [none, none, none]
    })
  })

  it("have a later sector from the lap's end if an earlier one was not timed", () => {
    const [one] = session
    const whole = sectorAnalysis(one!, laps).sectors
    const half = sectorAnalysis({ ...one!, lap: { ...one!.lap, lapTime: null, sector1Time: null } }, laps)
    expect(half.totalTime).toBeNull()
    expect(half.sectors[0]!.speedAvg).toBeNull()
    expect(half.sectors[1]!.speedAvg).toBeCloseTo(whole[1]!.speedAvg!, 3)
    expect(half.sectors[2]!.speedAvg).toBeCloseTo(whole[2]!.speedAvg!, 3)
  })

  it("of a lap that is not valid are compared with the valid ones, and are never the best", () => {
    const [one] = session
    const quick = { ...one!, lap: { ...one!.lap, valid: false, sector1Time: 1 } }
    const all = laps.map((lap) => (lap.id === quick.lap.id ? quick.lap : lap))
    expect(sectorAnalysis(quick, all).sectors[0]!.delta).toBeLessThan(-20)
    expect(sectorAnalysis(session[1]!, all).sectors[0]!.delta).toBeGreaterThanOrEqual(0)
  })
})

describe("micro-sectors", () => {
  const found = microSectors(align(session, 5)!)!

  it("of a lap add up to its time", () => {
    for (const { lapId, times } of found.laps) {
      const lap = laps.find(({ id }) => id === lapId)!
      expect(times.reduce<number>((sum, time) => sum + time!, 0)).toBeCloseTo(lap.lapTime!, 3)
    }
  })

  it("make a best that lies between the sum of the best and the best lap", () => {
    const best = Math.min(...laps.map((lap) => lap.lapTime!))
    expect(found.theoreticalBest).toBeLessThan(found.feasibleBest!.time)
    expect(found.feasibleBest!.time).toBeLessThanOrEqual(best + 1e-6)
    for (const { speedDifference } of found.feasibleBest!.joints) {
      expect(Math.abs(speedDifference)).toBeLessThanOrEqual(2)
    }
  })

  it("join no laps whose speeds never meet", () => {
    const [one] = session
    const apart = changed(slower(one!, [0, one!.lap.lapTime!], 1.001), [0, 200], "speed", (v) => v + 30)
    const two = [one!, { ...apart, lap: { ...apart.lap, id: 999 } }]
    const { feasibleBest, feasibleBestReason } = microSectors(align(two, 5)!)!
    expect(feasibleBest).toBe(null)
    expect(feasibleBestReason).toContain("no piece of another lap shortens it")
  })
})

const real = () => recordedLaps("f1-bahrain-2026-ant")
const records = () => lapsOf(real())
const numbered = (number: number) => real().find(({ lap }) => lap.lapNumber === number)!

describe("Formula 1, Bahrain", needing(recordingsHere), () => {
  it("has the published theoretical best", () => {
    expect(sectorAnalysis(numbered(15), records()).theoreticalBest).toBe(93.657)
  })

  it("compares lap 15 with the best sectors of laps 12 and 15", () => {
    const { sectors, totalTime } = sectorAnalysis(numbered(15), records())
    expect(totalTime).toBe(93.669)
    expect(sectors.map(({ delta }) => delta)).toEqual([0, 0, 0.012])
    const metres = sectors.reduce((sum, { speedAvg, time }) => sum + (speedAvg! / 3.6) * time!, 0)
    expect(metres).toBeGreaterThan(5320)
    expect(metres).toBeLessThan(5400)
  })

  it("has null for the garage lap's first sector, and times for its others", () => {
    const { sectors, totalTime } = sectorAnalysis(numbered(17), records())
    expect(totalTime).toBeNull()
    expect(sectors[0]).toEqual({
      sectorNumber: 1,
      time: null,
      delta: null,
      speedAvg: null,
      speedMax: null
    })
    expect(sectors[1]!.delta).toBeCloseTo(52.969 - 41.042, 6)
    expect(sectors[1]!.speedAvg).toBeGreaterThan(100)
  })
})

const derived = (lap: LapData, moved: number): LapData => {
  const { sector1Time, sector2Time } = lap.lap
  const cut = { sector1Time: sector1Time! + moved, sector2Time: sector2Time! - moved }
  return { ...lap, lap: { ...lap.lap, ...cut, sectorSource: "derived" } }
}

describe("sectors that the service cut itself", () => {
  // Guards a good comparison: a wide line moves these sectors by half a second, and the lap is sound.
  it("take no part in trust", () => {
    const [one, two] = session
    const reported = compare([one!, two!])
    const found = compare([derived(one!, 0.5), derived(two!, -0.4)])
    expect(found.closure.map(({ trusted }) => trusted)).toEqual([true, true])
    expect(found.closure.map(({ sector1, sector2, sector3 }) => [sector1, sector2, sector3])).toEqual(
      session.slice(0, 2).map(() => [null, null, null])
    )
    expect(found.losses).toEqual(reported.losses)
    expect(compare([one!, derived(two!, -0.4)]).closure.every(({ trusted }) => trusted)).toBe(true)
  })

  it("are marked as such, and no part of a best made of the simulator's sectors", () => {
    const all = session.map((lap) => derived(lap, 0))
    const whole = sectorAnalysis(all[0]!, lapsOf(all))
    expect(whole).toMatchObject({ sectorSource: "derived", theoreticalBestSource: "derived" })
    expect(whole.sectors[0]!.delta).not.toBe(null)
    const others = session.slice(1).map(({ lap }) => ({ ...lap, sectorSource: "simulator" as const }))
    const mixed = [derived(session[0]!, -20).lap, ...others]
    const reported = sectorAnalysis(session[1]!, mixed)
    expect(reported.theoreticalBestSource).toBe("simulator")
    expect(reported.theoreticalBest).toBe(sectorAnalysis(session[1]!, others).theoreticalBest)
    expect(sectorAnalysis({ ...session[0]!, lap: mixed[0]! }, mixed).sectors[0]!.delta).toBe(null)
  })
})
