/** Races: stops, safety cars, flags and starts are events of their own, and none of the driver's. */
import { describe, expect, it } from "vitest"
import {
  anomaliesIn,
  findingsOf,
  kindsIn,
  sessionAnomalies
} from "../../../src/analysis/anomalies/anomalies.ts"
import { paceLevels } from "../../../src/analysis/lapKinds/paceLevel.ts"
import type { LapKind } from "../../../src/analysis/lapKinds/placedLaps.ts"
import type { LapData } from "../../../src/analysis/place/alignment.ts"
import { predictNextLap } from "../../../src/analysis/predictions/predictions.ts"
import type { Anomaly } from "../../../src/domain/analysis/anomalies.ts"
import { RowBatch } from "../../../src/domain/RowBatch.ts"
import { needing } from "../../support/needing.ts"
import { casesHere, sharedFolder } from "../../support/sharedData.ts"
import { drive, lapsIn } from "../lapData.ts"
import { lapOf, type Profile, profileOf } from "../syntheticLap.ts"
import { uniform } from "../uniform.ts"

const DRIVER = new Set([
  "slow_lap",
  "off_pace_sector",
  "speed_loss",
  "lock_up_or_spin",
  "wheelspin",
  "missed_gear"
])
const ofDriver = (anomalies: ReadonlyArray<Anomaly>) => anomalies.filter(({ type }) => DRIVER.has(type))
const lapsOf = (anomalies: ReadonlyArray<Anomaly>, wanted: string) =>
  anomalies
    .filter(({ type }) => type === wanted)
    .map((one) => one.occurrences.map(({ lapNumber }) => lapNumber))

const LAPS = 14
const from = drive("Hollin Moor", 0, 5)
const profiles = Array.from({ length: 40 }, (_, n) => n + 2)
  .filter((lap) => from.lap(lap).mistake === undefined && from.lap(lap - 1).mistake === undefined)
  .slice(0, LAPS)
  .map((lap) => profileOf(from, lap))

/** The speed at a node (about a metre each), m/s. */
type Change = (speed: number, node: number, nodes: number) => number

const changed = (profile: Profile, change: Change): Profile => ({
  ...profile,
  speed: profile.speed.map((speed, j) => change(speed, j, profile.speed.length - 1))
})

/** Laps by number, each begun as the last one ended. */
const raceOf = (changes: Readonly<Record<number, Change>>, rate = 20): ReadonlyArray<LapData> => {
  let start = 5000
  return profiles.map((profile, l) => {
    const change = changes[l + 1]
    const lap = lapOf(change === undefined ? profile : changed(profile, change), l + 1, rate, start)
    start = lap.lap.endTime
    return lap
  })
}

const PIT_MS = 80 / 3.6
/** Into the pits: at the limiter from 350 m before the line, with a stand of some 3 s. */
const intoPits: Change = (speed, node, nodes) =>
  node > nodes - 350 ? Math.min(speed, node === nodes - 100 ? 0.3 : PIT_MS) : speed
/** Out of the pits: at the limiter for 120 m, and faster by and by. */
const outOfPits: Change = (speed, node) =>
  Math.min(speed, node < 120 ? PIT_MS : Math.sqrt(PIT_MS ** 2 + 2 * 4 * (node - 120)))
/** Comes at speed, nearly stops half way round, and drives on. */
const spun: Change = (speed, node, nodes) => {
  const past = node - Math.round(nodes / 2)
  return Math.min(speed, Math.sqrt(9 + 2 * (past < 0 ? -15 * past : 5 * past)))
}
const behindSafetyCar: Change = (speed) => 0.65 * speed

const lost = (laps: ReadonlyArray<LapData>) => laps[6]!.lap.lapTime! + laps[7]!.lap.lapTime!

/** Under a yellow flag for a tenth of the lap. */
const flag: Change = (speed, node, nodes) => (node > 0.4 * nodes && node < 0.5 * nodes ? 0.6 * speed : speed)
const halfWay: Change = (speed, node, nodes) => (node > nodes / 2 ? 0.65 * speed : speed)
const standing: Change = (speed, node) => Math.min(speed, Math.sqrt(1 + 2 * 6 * node))

/** With a channel once a second, by the seconds left of the lap. */
const declaring = (
  { lap, ...data }: LapData,
  channel: string,
  valueAt: (left: number) => number
): LapData => {
  const batch: RowBatch = RowBatch.allocate(Math.floor(lap.lapTime!), ["timestamp", channel])
  for (let i = 0; i < batch.length; i++) {
    batch.column("timestamp")[i] = lap.startTime + i
    batch.column(channel)[i] = valueAt(lap.lapTime! - i)
  }
  return { ...data, lap, around: [{ batch, kinds: ["step"] }] }
}

describe("a stop in the pits", () => {
  const { anomalies } = sessionAnomalies(1, raceOf({ 7: intoPits, 8: outOfPits }))

  it("is one finding, with its cost, and no other", () => {
    expect(
      anomalies.map(({ count, lapNumber, severity, type }) => [type, lapNumber, severity, count])
    ).toEqual([["pit_stop", 7, "low", 1]])
    expect(anomalies[0]!.description).toMatch(
      /^A stop in the pits on laps 7 and 8: \d+\.\d+ s more than at pace$/
    )
    const cost = lost(raceOf({ 7: intoPits, 8: outOfPits })) - lost(raceOf({}))
    expect(Math.abs(anomalies[0]!.cost! - cost)).toBeLessThan(0.5)
  })

  it("does not hide a spin of the same lap elsewhere", () => {
    for (const lap of [7, 8]) {
      const stop = lap === 7 ? intoPits : outOfPits
      const both: Change = (speed, node, nodes) => stop(spun(speed, node, nodes), node, nodes)
      const found = sessionAnomalies(1, raceOf({ 7: intoPits, 8: outOfPits, [lap]: both })).anomalies
      expect(lapsOf(found, "lock_up_or_spin")).toEqual([[lap]])
      expect(lapsOf(found, "pit_stop")).toEqual([[7]])
    }
  })

  it("is one finding for all stops of a session", () => {
    const found = sessionAnomalies(
      1,
      raceOf({ 4: intoPits, 5: outOfPits, 9: intoPits, 10: outOfPits })
    ).anomalies
    expect(found.map(({ count, type }) => [type, count])).toEqual([["pit_stop", 2]])
    expect(lapsOf(found, "pit_stop")).toEqual([[4, 9]])
  })

  it("is the same if its two laps are judged in different parts of a session", () => {
    const race = raceOf({ 7: intoPits, 8: outOfPits })
    const session = race.map(({ lap }) => lap)
    const parts = [race.slice(0, 7), race.slice(7)].map((own) =>
      findingsOf(own, { session, judged: own.map(({ lap }) => lap.id), inWrongUnit: [] })
    )
    const found = anomaliesIn(1, parts).anomalies
    expect(found.map(({ type }) => type)).toEqual(["pit_stop"])
    expect(found[0]!.description).toMatch(/laps 7 and 8/)
  })

  it("is known by its channel where there is one", () => {
    // A lane without a limit: nothing but the channel shows it.
    const race = raceOf({ 7: (speed, node, nodes) => (node > nodes - 200 ? 0.7 * speed : speed) })
    const inPit = race.map((lap) =>
      declaring(lap, "in_pit", (left) => (lap.lap.lapNumber === 7 && left < 4 ? 1 : 0))
    )
    expect(ofDriver(sessionAnomalies(1, race).anomalies)).not.toEqual([])
    const found = sessionAnomalies(1, inPit).anomalies
    expect(found.map(({ channel, lapNumber, type }) => [type, lapNumber, channel])).toEqual([
      ["pit_stop", 7, "in_pit"]
    ])
  })
})

describe("a neutralisation", () => {
  it("is one finding for three laps behind a safety car, of which the first begins half way round", () => {
    const { anomalies } = sessionAnomalies(1, raceOf({ 6: halfWay, 7: behindSafetyCar, 8: behindSafetyCar }))
    expect(anomalies.map(({ severity, type }) => [type, severity])).toEqual([["neutralised", "low"]])
    expect(lapsOf(anomalies, "neutralised")).toEqual([[6, 7, 8]])
  })

  it("is one finding for a flag at one place on two laps", () => {
    const { anomalies } = sessionAnomalies(1, raceOf({ 6: flag, 7: flag }))
    expect(anomalies.map(({ type }) => type)).toEqual(["neutralised"])
    expect(lapsOf(anomalies, "neutralised")).toEqual([[6, 7]])
  })

  it("is known by its channel, which also shows that a slow lap is the driver's", () => {
    const race = raceOf({ 7: flag, 10: (speed) => 0.65 * speed })
    const declared = race.map((lap) =>
      declaring(lap, "f1_safety_car", (left) => (lap.lap.lapNumber === 7 && left > 10 && left < 60 ? 2 : 0))
    )
    const found = sessionAnomalies(1, declared).anomalies
    expect(found.filter(({ type }) => type === "neutralised").map(({ channel }) => channel)).toEqual([
      "f1_safety_car"
    ])
    expect(lapsOf(found, "neutralised")).toEqual([[7]])
    expect(lapsOf(found, "slow_lap")).toEqual([[10]])
  })

  it("is a formation lap, behind which the start is no slow lap", () => {
    const { anomalies } = sessionAnomalies(1, raceOf({ 1: (speed) => 0.4 * speed, 2: standing }))
    // The launch of the next lap goes on with it.
    expect(lapsOf(anomalies, "neutralised")).toEqual([[1, 2]])
    expect(ofDriver(anomalies)).toEqual([])
  })

  it("is no lap that is a few per cent slow, nor a spin on two laps", () => {
    const slow = sessionAnomalies(1, raceOf({ 6: (speed) => 0.95 * speed })).anomalies
    expect(slow.map(({ type }) => type)).toContain("slow_lap")
    expect(lapsOf(slow, "neutralised")).toEqual([])
    const spins = sessionAnomalies(1, raceOf({ 6: spun, 7: spun })).anomalies
    expect(lapsOf(spins, "lock_up_or_spin").flat().toSorted()).toEqual([6, 7])
    expect(lapsOf(spins, "neutralised")).toEqual([])
  })
})

describe("a pace that changes", () => {
  it("makes no lap slow: each is held against the laps around it", () => {
    // Fuel makes the first lap 4 % slower than the last one.
    const changes = Object.fromEntries(
      profiles.map((_, l): [number, Change] => [l + 1, (speed) => speed * (0.96 + (0.04 * l) / (LAPS - 1))])
    )
    expect(sessionAnomalies(1, raceOf(changes)).anomalies).toEqual([])
    const found = sessionAnomalies(1, raceOf({ ...changes, 7: (speed) => 0.94 * speed })).anomalies
    expect(found.map(({ lapNumber }) => lapNumber)).toEqual(found.map(() => 7))
    expect(found.map(({ type }) => type)).toContain("slow_lap")
  })

  it("is one level where laps scatter about it", () => {
    const next = uniform(3)
    const laps = Array.from({ length: 30 }, (_, l) => ({
      ...raceOf({})[0]!.lap,
      id: l,
      lapTime: 90 + next()
    }))
    expect(paceLevels(laps, laps, () => new Set())).toBeUndefined()
  })
})

const found = (name: string) =>
  sessionAnomalies(1, lapsIn(sharedFolder(`data/cases/analysis/${name}.ndjson.gz`))).anomalies

describe("a race of Formula 1", needing(casesHere), () => {
  it("pitstop-monaco: a stop is one finding, and none of the driver's", () => {
    const anomalies = found("pitstop-monaco")
    const atStop = anomalies.filter(({ lapNumber }) => lapNumber === 19 || lapNumber === 20)
    expect(atStop.map(({ type }) => type)).toEqual(["pit_stop"])
  })

  it("race-monaco: two stops, a virtual safety car and flags are three findings, and two more are the driver's", () => {
    const anomalies = found("race-monaco")
    expect(anomalies.length).toBeLessThanOrEqual(5)
    expect(lapsOf(anomalies, "pit_stop")).toEqual([[22, 49]])
    expect(lapsOf(anomalies, "neutralised")).toEqual([
      [2, 3, 4],
      [9, 10, 11]
    ])
    const race = lapsIn(sharedFolder("data/cases/analysis/race-monaco.ndjson.gz"))
    const kinds = kindsIn([findingsOf(race)])
    const numbersOf = (kind: LapKind) =>
      race.flatMap(({ lap }) => (kinds.get(lap.id)?.has(kind) ? [lap.lapNumber] : []))
    expect(numbersOf("in_lap")).toEqual([22, 49])
    expect(numbersOf("out_lap")).toEqual([23, 50])
    expect(numbersOf("neutralised")).toEqual([2, 3, 4, 9, 10, 11])
    // The stints are those between the stops.
    const { lapsLeftOut, stint } = predictNextLap(
      race.map(({ lap }) => lap),
      kinds
    )
    expect(stint!.firstLapNumber).toBe(51)
    expect(lapsLeftOut.flatMap(({ lapNumber, reason }) => (reason === "in_lap" ? [lapNumber] : []))).toEqual([
      22, 49
    ])
    const known = new Set([1, 2, 3, 4, 8, 9, 10, 11, 22, 23, 49, 50])
    expect(ofDriver(anomalies).filter(({ lapNumber }) => known.has(lapNumber))).toEqual([])
  })
})
