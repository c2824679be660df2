/** Faults of a few points or a second: revolutions, wheels that lock, and missed gears; and driving that looks like them. */
import { describe, expect, it } from "vitest"
import type { LapData } from "../../../src/analysis/place/alignment.ts"
import { sessionAnomalies } from "../../../src/analysis/anomalies/anomalies.ts"
import { lowerBound } from "../../../src/domain/RowBatch.ts"
import { needing } from "../../support/needing.ts"
import { runs } from "../../support/runs.ts"
import { recordingsHere } from "../../support/sharedData.ts"
import { withWheels } from "../companionChannels.ts"
import { shortKinds, wheelKind } from "../driverKinds.ts"
import type { Kind } from "../faultKinds.ts"
import { changed, frozen, type Span } from "../faults.ts"
import { injected } from "../injected.ts"
import { drive } from "../lapData.ts"
import { drivenLaps, recordedLaps, START, withoutAnyMistake } from "../sessions.ts"

/** Each is put in so often, alone. */
const RUNS = runs(4)
/** A point at a change of gear shows nothing. */
const least = ({ name }: Kind, count: number): number =>
  Math.floor((name.startsWith("revolutions") ? 0.6 : 0.75) * count)

const found = (session: ReadonlyArray<LapData>, kind: Kind, seed: number) => {
  const all = injected(session, kind, RUNS, seed)
  return { all, count: all.filter((one) => one.found).length }
}

const session = drivenLaps({ circuit: "Hollin Moor", vehicle: 1, hz: 10, seed: 72, laps: 6 })

describe("short faults in six laps of a simulated drive", () => {
  it.each(shortKinds.map((kind) => [kind.name, kind] as const))("%s", (_, kind) => {
    const { all, count } = found(session, kind, 41)
    expect(all).toHaveLength(RUNS)
    expect(count).toBeGreaterThanOrEqual(least(kind, RUNS))
    expect(all.reduce((sum, { blamed }) => sum + blamed, 0)).toBe(0)
  })

  it("one wheel that locks", () => {
    const from = drive("Hollin Moor", 1, 72)
    const { count } = found(
      session.map((lap) => withWheels(lap, from, START)),
      wheelKind,
      41
    )
    expect(count).toBe(RUNS)
  })
})

describe.each([
  ["f1-bahrain-2026-ant", 20, 28],
  ["ams2-road-america", 3, 11],
  ["ac-lime-rock", 0, 16]
] as const)("short faults in %s", needing(recordingsHere), (name, first, end) => {
  // Seldom enough to be quick: one kind in three, another one for each recording.
  const turn = name.length % 3
  const some = shortKinds.filter(({ needs }, n) => n % 3 === turn && !needs.includes("brake"))

  it("are found", () => {
    const laps = recordedLaps(name).slice(first, end)
    const all = some.flatMap((kind) => injected(laps, kind, RUNS, 43))
    expect(all.length).toBe(some.length * RUNS)
    expect(all.filter((one) => one.found).length).toBeGreaterThanOrEqual(0.7 * all.length)
  })
})

const of = (laps: ReadonlyArray<LapData>) =>
  sessionAnomalies(1, laps).anomalies.map(({ channel, lapNumber, type }) => [type, channel, lapNumber])

const held = (lap: LapData, seconds: number) => frozen(lap, [20, 20 + seconds], "rpm")
const heldOnTheWayOut = (lap: LapData) => ({
  ...held(lap, 5.5),
  lap: { ...lap.lap, lapTime: null, valid: false }
})
const frozenIn = (laps: ReadonlyArray<LapData>) => of(laps).filter(([type]) => type === "frozen_channel")

/** No gear for so long, at each upshift of a lap. */
const byHand = (seconds: number) => (lap: LapData) => {
  const own = lap.points.column("gear")
  const times = lap.points.timestamps
  const shifts = [...own.keys()].filter((i) => i > 0 && own[i]! > own[i - 1]! && own[i - 1]! > 0)
  return shifts.reduce((copy, i) => {
    const from = times[i]! - lap.lap.startTime - 0.01
    const neutral = changed(copy, [from, from + seconds], "gear", () => 0)
    const lifted = changed(neutral, [from, from + seconds], "throttle", () => 0)
    return changed(lifted, [from, from + seconds], "speed", () => lap.points.column("speed")[i]!)
  }, lap)
}

/** Steps from gear 4 to 2 when braking. */
const skips = (lap: LapData) => {
  const brake = lap.points.column("brake")
  const all: Span = [0, lap.lap.lapTime!]
  const from = lowerBound(lap.points.timestamps, lap.lap.startTime)
  return changed(lap, all, "gear", (value, i) => (value === 3 && brake[from + i]! > 0.05 ? 2 : value))
}

describe("what drivers do", () => {
  const clean = drivenLaps({ circuit: "Larkspur Park", hz: 20, seed: 4, laps: 6, taken: withoutAnyMistake() })
  const VICTIM = 3
  const victim = clean[VICTIM]!
  const spoilt = (change: (lap: LapData) => LapData) =>
    clean.map((lap, l) => (l === VICTIM ? change(lap) : lap))
  const t = victim.points.timestamps
  const gear = victim.points.column("gear")
  const at = (i: number) => t[i]! - victim.lap.startTime
  /** Points on the throttle, in one gear. */
  const LONG = 30
  const isSteady = (_: number, i: number): boolean =>
    at(i) > 15 &&
    victim.points
      .column("throttle")
      .subarray(i, i + LONG)
      .every((value) => value > 0.9) &&
    gear.subarray(i, i + LONG).every((value) => value === gear[i])
  const first = t.findIndex(isSteady)
  const span: Span = [at(first) - 0.01, at(first + LONG) - 0.01]
  const leapt = (factor: (i: number) => number) => (lap: LapData) =>
    changed(lap, span, "rpm", (value, i) => value * factor(i))

  it("has no anomaly by itself", () => {
    expect(first).toBeGreaterThan(0)
    expect(of(clean)).toEqual([])
  })

  it("is not a leap if a wheel hops over a kerb, or spins up and grips again", () => {
    const hops = [0.32, -0.03, 0.06, 0.18, 0]
    expect(of(spoilt(leapt((i) => 1 + (hops[i - 10] ?? 0))))).toEqual([])
    expect(of(spoilt(leapt((i) => 1 + Math.max(0, 0.22 - 0.055 * Math.abs(i - 15)))))).toEqual([])
  })

  it("is a leap if one point stands out", () => {
    const own = ["implausible_value", "rpm", victim.lap.lapNumber]
    expect(of(spoilt(leapt((i) => (i === 15 ? 1.2 : 1))))).toEqual([own])
    expect(of(spoilt(leapt((i) => (i === 15 ? 0.8 : 1))))).toEqual([own])
  })

  it("is not a dip of the speed if the car brakes by five times gravity", () => {
    const braking = [0, 9, 18, 27, 36, 36, 36, 34, 32, 30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2]
    const slowed = (lap: LapData) => changed(lap, span, "speed", (value, i) => value - (braking[i] ?? 0))
    expect(of(spoilt(slowed)).filter(([type]) => type === "implausible_value")).toEqual([])
  })

  it("is no missed gear if it is done on all laps, and is one if it lasts longer", () => {
    expect(of(clean.map(byHand(0.3)))).toEqual([])
    const late = clean.map((lap, l) => byHand(l === VICTIM ? 0.9 : 0.3)(lap))
    const reported = of(late).filter(([type]) => type === "missed_gear")
    expect(reported.length).toBeGreaterThan(0)
    for (const [, , lapNumber] of reported) expect(lapNumber).toBe(victim.lap.lapNumber)
  })

  it("is no frozen channel if all laps hold it nearly as long, or in a lap that is not timed", () => {
    const all = clean.map((lap, l) => held(lap, l === VICTIM ? 5.5 : 3 + l / 100))
    expect(frozenIn(all)).toEqual([])
    expect(frozenIn(spoilt((lap) => held(lap, 5.5)))).toEqual([
      ["frozen_channel", "rpm", victim.lap.lapNumber]
    ])
    expect(frozenIn(spoilt(heldOnTheWayOut))).toEqual([])
  })

  it("is no wrong gear if gears are skipped on the way down", () => {
    expect(of(spoilt(skips)).filter(([type]) => type === "missed_gear")).toEqual([])
  })
})
