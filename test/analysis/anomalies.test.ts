import { describe, expect, it } from "vitest"
import type { AnomalyType } from "../../src/domain/analysis/anomalies.ts"
import type { LapData } from "../../src/analysis/place/alignment.ts"
import { sessionAnomalies } from "../../src/analysis/anomalies/anomalies.ts"
import { changed, frozen, inNeutral, paused, slower, type Span, without } from "./faults.ts"
import { drivenLaps, withoutMistake } from "./sessions.ts"
import { some } from "../support/runs.ts"

/** The laps into which faults are put. */
const HZ = 30
const clean = drivenLaps({
  hz: HZ,
  laps: 14,
  seed: 1,
  taken: (lap) => lap.lapNumber > 1 && withoutMistake(lap)
})
const VICTIM = 8
const victim = clean[VICTIM]!.lap.id

const anomaliesOf = (session: ReadonlyArray<LapData>) => sessionAnomalies(1, session).anomalies
const spoilt = (fault: (lap: LapData) => LapData): ReadonlyArray<LapData> =>
  clean.map((lap, l) => (l === VICTIM ? fault(lap) : lap))

/** The victim's first stretch of so many seconds, well away from the line, in which `holds` is always true. */
const when = (
  seconds: number,
  holds: (channel: (name: "speed" | "throttle" | "brake") => number) => boolean
): Span => {
  const { lap, points } = clean[VICTIM]!
  const from = points.timestamps.findIndex((time, i) => {
    if (time - lap.startTime < 15) return false
    for (let k = i; k <= i + seconds * HZ; k++) if (!holds((name) => points.column(name)[k]!)) return false
    return true
  })
  const start = points.timestamps[from]! - lap.startTime
  return [start, start + seconds]
}
const onStraight = (seconds: number) => when(seconds, (of) => of("throttle") > 0.9 && of("speed") > 150)
const inBraking = (seconds: number) => when(seconds, (of) => of("brake") > 0.5)

describe("a clean session of 20 laps", () => {
  const drives = [
    ["Hollin Moor", 1, 10],
    ["Larkspur Park", 1, 30],
    ["Hollin Moor", 0, 60],
    ["Port Averno", 2, 60],
    ["Sankt Arven", 0, 60]
  ] as const

  it.each(some(drives, 3))("%s, vehicle %i, %i Hz: at most one false alarm", (circuit, vehicle, hz) => {
    for (const seed of [1, 2]) {
      const session = drivenLaps({ circuit, vehicle, hz, seed, laps: 20, taken: withoutMistake })
      expect(anomaliesOf(session).length).toBeLessThanOrEqual(1)
    }
  })
})

describe("an injected fault is found", () => {
  const faults: ReadonlyArray<readonly [string, AnomalyType, string, (lap: LapData) => LapData]> = [
    ["a lap 3 % slow", "slow_lap", "lap_time", (lap) => slower(lap, [0, lap.lap.lapTime!], 1.03)],
    [
      "a second sector 4 % slow",
      "off_pace_sector",
      "sector2_time",
      (lap) => slower(lap, [lap.lap.sector1Time!, lap.lap.sector1Time! + lap.lap.sector2Time!], 1.04)
    ],
    ["20 % less speed for 3 s", "speed_loss", "speed", (lap) => slower(lap, onStraight(3), 1.25)],
    [
      "20 % less in the speed channel alone",
      "implausible_value",
      "speed",
      (lap) => changed(lap, onStraight(3), "speed", (v) => v * 0.8)
    ],
    ["a stop", "lock_up_or_spin", "speed", (lap) => slower(lap, inBraking(0.7), 12)],
    ["0.8 s without points", "data_gap", "timestamp", (lap) => without(lap, onStraight(0.8))],
    ["the first half second missing", "data_gap", "timestamp", (lap) => without(lap, [0, 0.5])],
    [
      "the last half second missing",
      "data_gap",
      "timestamp",
      (lap) => without(lap, [lap.lap.lapTime! - 0.5, lap.lap.lapTime!])
    ],
    ["a pause of 20 s", "pause", "timestamp", (lap) => paused(lap, 30, 20)],
    [
      "a pause with points",
      "pause",
      "position",
      (lap) =>
        frozen(
          lap,
          [30, 33],
          "position_x",
          "position_y",
          "position_z",
          "speed",
          "rpm",
          "throttle",
          "steering"
        )
    ],
    ["speed frozen", "frozen_channel", "speed", (lap) => frozen(lap, [30, 33], "speed")],
    ["rpm frozen", "frozen_channel", "rpm", (lap) => frozen(lap, [30, 33], "rpm")],
    ["steering frozen", "frozen_channel", "steering", (lap) => frozen(lap, [30, 34], "steering")],
    [
      "throttle frozen",
      "frozen_channel",
      "throttle",
      (lap) => changed(lap, [30, 36], "throttle", () => 0.43)
    ],
    ["brake frozen", "frozen_channel", "brake", (lap) => changed(lap, [30, 36], "brake", () => 0.21)],
    ["gear frozen", "frozen_channel", "gear", (lap) => frozen(lap, [20, 75], "gear")],
    [
      "positions frozen",
      "frozen_channel",
      "position",
      (lap) => frozen(lap, [30, 33], "position_x", "position_y")
    ],
    [
      "negative revolutions",
      "implausible_value",
      "rpm",
      (lap) => changed(lap, [30, 30.1], "rpm", () => -1850)
    ],
    [
      "absurd revolutions",
      "implausible_value",
      "rpm",
      (lap) => changed(lap, [30, 30.1], "rpm", (v) => v * 3)
    ],
    [
      "a spike of speed",
      "implausible_value",
      "speed",
      (lap) => changed(lap, [30, 30.05], "speed", (v) => v + 200)
    ],
    [
      "a dropout of speed",
      "implausible_value",
      "speed",
      (lap) => changed(lap, [12, 12.05], "speed", () => 0)
    ],
    [
      "a speed of 900 km/h",
      "implausible_value",
      "speed",
      (lap) => changed(lap, [30, 32], "speed", () => 900)
    ],
    ["a brake of 1.7", "implausible_value", "brake", (lap) => changed(lap, [30, 30.1], "brake", () => 1.7)],
    [
      "a throttle of -0.5",
      "implausible_value",
      "throttle",
      (lap) => changed(lap, [30, 30.1], "throttle", () => -0.5)
    ],
    [
      "steering beyond its stop",
      "implausible_value",
      "steering",
      (lap) => changed(lap, [30, 30.1], "steering", () => -2)
    ],
    ["gear 99", "implausible_value", "gear", (lap) => changed(lap, [30, 30.1], "gear", () => 99)],
    [
      "a jump of 200 m",
      "implausible_value",
      "position",
      (lap) => changed(lap, [30, 30.05], "position_x", (x) => x + 200)
    ],
    ["neutral on the throttle", "missed_gear", "gear", (lap) => inNeutral(lap, onStraight(0.8))],
    [
      "an engine that races in gear",
      "missed_gear",
      "rpm",
      (lap) =>
        changed(
          changed(lap, onStraight(0.8), "rpm", (v) => v * 1.33),
          onStraight(0.8),
          "speed",
          (v, i) => v - i * 0.4
        )
    ]
  ]

  it.each(faults)("%s: %s in %s", (_, type, channel, fault) => {
    const found = anomaliesOf(spoilt(fault))
    const there = found.filter((anomaly) => anomaly.type === type && anomaly.channel === channel)
    expect(there.map(({ lapId }) => lapId)).toEqual([victim])
    // No other lap has an anomaly.
    expect(found.filter(({ lapId }) => lapId !== victim)).toEqual([])
  })

  it("with the right cost and place", () => {
    const span = onStraight(3)
    const { points } = clean[VICTIM]!
    const found = anomaliesOf(spoilt((lap) => slower(lap, span, 1.25))).find(
      ({ type }) => type === "speed_loss"
    )
    // 3 s that take 25 % longer cost 0.75 s.
    expect(found!.cost).toBeGreaterThan(0.75 * 0.85)
    expect(found!.cost).toBeLessThan(0.75 * 1.15)
    const metres = points.column("speed").reduce((sum, speed, i) => {
      const before = points.timestamps[i]! - clean[VICTIM]!.lap.startTime < span[0]
      return before ? sum + speed / 3.6 / HZ : sum
    }, 0)
    expect(Math.abs(found!.distance! - metres)).toBeLessThan(40)
    expect(found!.lapsInBaseline).toBe(clean.length - 1)
    expect(found!.z).toBeLessThan(-3.5)
  })
})

describe("the drivers' own mistakes", () => {
  const drives = ["Hollin Moor", "Port Averno", "Sankt Arven"].flatMap((circuit) =>
    [1, 2].map((seed) => {
      const session = drivenLaps({ circuit, hz: HZ, seed, laps: 30 })
      return { session, found: anomaliesOf(session) }
    })
  )
  const recall = (kind: string, types: ReadonlyArray<AnomalyType>) => {
    let all = 0
    let hit = 0
    for (const { found, session } of drives) {
      for (const { driven, lap } of session) {
        if (driven.mistake !== kind) continue
        all++
        if (found.some(({ lapId, type }) => lapId === lap.id && types.includes(type))) hit++
      }
    }
    return { all, hit }
  }

  it("every spin is reported as one, and every run wide by its loss", () => {
    const spins = recall("spin", ["lock_up_or_spin"])
    const wide = recall("wide", ["speed_loss"])
    expect(spins.all).toBeGreaterThan(5)
    expect(spins.hit).toBe(spins.all)
    expect(wide.hit).toBe(wide.all)
  })

  it("nearly all lock-ups are reported as lock-ups", () => {
    const { all, hit } = recall("lock-up", ["lock_up_or_spin"])
    expect(all).toBeGreaterThan(5)
    expect(hit / all).toBeGreaterThanOrEqual(0.85)
  })

  it("laps without a mistake have hardly an anomaly", () => {
    const laps = drives.flatMap(({ found, session }) =>
      session
        .filter(({ driven }) => driven.mistake === undefined)
        .map(({ lap }) => found.filter(({ lapId }) => lapId === lap.id).length)
    )
    expect(laps.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(laps.length / 20)
  })
})

describe("a session's anomalies", () => {
  it("are only those that need no baseline if there are fewer than 3 valid laps", () => {
    const two = [...clean.slice(0, 2), slower(without(clean[2]!, [20, 22]), [0, 50], 1.5)].map((data, l) => ({
      ...data,
      lap: { ...data.lap, valid: l < 2 }
    }))
    expect(anomaliesOf(two).map(({ type }) => type)).toEqual(["data_gap"])
    expect(anomaliesOf([])).toEqual([])
  })

  it("include one bad lap, which spoils no other", () => {
    const three = [clean[0]!, clean[1]!, slower(clean[2]!, [0, 90], 1.04)]
    const slow = anomaliesOf(three).filter(({ type }) => type === "slow_lap")
    expect(slow.map(({ lapId, lapsInBaseline }) => [lapId, lapsInBaseline])).toEqual([[clean[2]!.lap.id, 2]])
  })

  it("are ranked by cost", () => {
    const costs = anomaliesOf(drivenLaps({ seed: 2, laps: 25 })).map(({ cost }) => cost ?? -1)
    expect(costs).toEqual([...costs].sort((a, b) => b - a))
  })
})
