/** Missed gears: the engine turns, but does not drive the wheels. */
import { leavingOneOut } from "../math/robust.ts"
import { rounded } from "./anomaly.ts"
import type { Finding } from "../../domain/analysis/anomalies.ts"
import { offGearOf, type Ratios } from "./engineSpeed.ts"
import type { LapEvidence, SessionEvidence } from "./evidence.ts"
import { costFields, severityOf } from "./cost.ts"
import type { CostOf } from "./places.ts"
import { MIN_OTHERS } from "./times.ts"

/** Below this the clutch slips, and a car may be standing in neutral, km/h. */
const DRIVING_KMH = 40
/** A change of gear by hand takes some tenths; a longer time without drive is a missed gear, s. */
const SHIFT_S = 0.35
/** The same where other laps at pace show how long a change takes here. */
const LEAST_S = 0.3
const TIMES_USUAL = 2
const SPREADS = 5
/** No driver is on the throttle without a gear on purpose. */
const ON_THROTTLE = 0.2
/** With the brake down further, a driver may roll in neutral on purpose. */
const BRAKES = 0.05
/** The engine turns this much faster than the gear implies: more than wheels spin on a dry road. */
const OVER_TURNS = 0.3
/** On laps at pace less will do where the car also lacks drive, for no longer than a driver takes to find a gear, s. */
const RACES = 0.15
const FOUND_S = 1.25
/** An engine without load falls when the driver lifts: revolutions that stay too high for longer, s, are wrong. */
const AFTER_LIFT_S = 0.5
/** A car that has a gear gains this, m/s^2. */
const PUSHED_MS2 = 2
/** It lacks drive if it gains less by this than just before and after, m/s^2. */
const LACKS_MS2 = 1
const AROUND_S = 0.5

/** Points from `from` to `to` without drive. */
interface Run {
  readonly from: number
  readonly to: number
  /** From halfway to the point before until halfway to the point after. */
  readonly seconds: number
}

const runsOf = (t: Float64Array, gap: number, undriven: (i: number) => boolean): ReadonlyArray<Run> => {
  const found: Array<Run> = []
  let from = -1
  for (let i = 0; i <= t.length; i++) {
    const goes = i < t.length && undriven(i) && (from < 0 || t[i]! - t[i - 1]! <= gap)
    if (goes && from < 0) from = i
    if (goes || from < 0) continue
    const half = (a: number, b: number) => (t[b]! - t[a]! <= gap ? (t[b]! - t[a]!) / 2 : 0)
    found.push({ from, to: i - 1, seconds: t[i - 1]! - t[from]! + half(from - 1, from) + half(i - 1, i) })
    from = -1
    // A pause ends a run, and another one may begin behind it.
    if (i < t.length && undriven(i)) from = i
  }
  return found
}

/** m/s^2 by which the car gains speed from one point to another; NaN where that is not known. */
const gainOf = ({ column, points }: LapEvidence, from: number, to: number): number => {
  const [t, speed] = [points.timestamps, column("speed")]
  return (speed[to]! - speed[from]!) / 3.6 / (t[to]! - t[from]!)
}

/** Whether the car gains less speed than around the run. */
const lacksDrive = (evidence: LapEvidence, { from, to }: Run): boolean => {
  const t = evidence.points.timestamps
  let before = from
  let after = to
  while (before > 0 && t[from]! - t[before]! < AROUND_S) before--
  while (after < t.length - 1 && t[after]! - t[to]! < AROUND_S) after++
  const around = (gainOf(evidence, before, from) + gainOf(evidence, to, after)) / 2
  return gainOf(evidence, Math.max(0, from - 1), Math.min(t.length - 1, to + 1)) < around - LACKS_MS2
}

type OfPoint = (i: number) => boolean

/** Whether the engine turns too fast before or after the run too, on whatever pedal. */
const goesOn = (t: Float64Array, { from, to }: Run, isFast: OfPoint): boolean => {
  let before = from
  let after = to
  while (before > 0 && t[from]! - t[before]! < AFTER_LIFT_S && isFast(before - 1)) before--
  while (after < t.length - 1 && t[after]! - t[to]! < AFTER_LIFT_S && isFast(after + 1)) after++
  return t[from]! - t[before]! >= AFTER_LIFT_S || t[after]! - t[to]! >= AFTER_LIFT_S
}

/** Without a gear, or with an engine that turns too fast for it by `most`, on the throttle. */
const racing = (
  { column }: LapEvidence,
  offGear: (i: number) => number,
  most: (gear: number) => number
): OfPoint => {
  const [gear, speed, throttle] = [column("gear"), column("speed"), column("throttle")]
  return (i) =>
    speed[i]! >= DRIVING_KMH && throttle[i]! >= ON_THROTTLE && (gear[i] === 0 || offGear(i) > most(gear[i]!))
}

const rolling = ({ column }: LapEvidence): OfPoint => {
  const [brake, gear, speed] = [column("brake"), column("gear"), column("speed")]
  return (i) => gear[i] === 0 && speed[i]! >= DRIVING_KMH && !(brake[i]! > BRAKES)
}

/** Runs that need no other lap to be called missed gears. */
const certainRuns = (
  evidence: LapEvidence,
  offGear: (i: number) => number,
  gap: number
): ReadonlyArray<Run> => {
  const t = evidence.points.timestamps
  const gear = evidence.column("gear")
  return runsOf(
    t,
    gap,
    racing(evidence, offGear, () => OVER_TURNS)
  ).filter(
    (run) =>
      t[run.to]! - t[run.from]! >= SHIFT_S &&
      run.to - run.from >= 2 &&
      !(gainOf(evidence, run.from, run.to) > PUSHED_MS2) &&
      !(evidence.comparable && gear[run.from] !== 0 && goesOn(t, run, (i) => offGear(i) > RACES))
  )
}

/** Shorter ones, of a lap at pace. A single point shows nothing. */
const likelyRuns = (evidence: LapEvidence, offGear: (i: number) => number, ratios: Ratios, gap: number) => {
  if (!evidence.comparable) return []
  const gear = evidence.column("gear")
  const most = (one: number) => Math.max(RACES, ratios[one]?.most ?? Infinity)
  const isFast = (i: number) => offGear(i) > most(gear[i]!)
  const races = racing(evidence, offGear, most)
  const rolls = rolling(evidence)
  const t = evidence.points.timestamps
  return runsOf(t, gap, (i) => races(i) || rolls(i)).filter(
    (run) =>
      run.to > run.from &&
      !(gainOf(evidence, run.from, run.to) > PUSHED_MS2) &&
      (gear[run.from] === 0 ||
        (run.seconds <= FOUND_S && lacksDrive(evidence, run) && !goesOn(t, run, isFast)))
  )
}

export const missedGears = (
  { gap, laps }: SessionEvidence,
  ratios: Ratios,
  costOf: CostOf
): ReadonlyArray<Finding> => {
  // A feed without gears may send 0 all the time, which is not neutral.
  if (!ratios.some((ratio) => ratio !== undefined)) return []
  const offGear = laps.map((lap) => offGearOf(lap, ratios))
  const likely = laps.map((lap, l) => likelyRuns(lap, offGear[l]!, ratios, gap))
  const longest = likely.map((runs) => runs.reduce((most, { seconds }) => Math.max(most, seconds), 0))
  const without = leavingOneOut(longest.filter((_, l) => laps[l]!.comparable))
  return laps.flatMap((evidence, l) => {
    const others = without(evidence.comparable ? longest[l]! : null)
    const least =
      others.count < MIN_OTHERS
        ? Infinity
        : Math.max(LEAST_S, TIMES_USUAL * others.centre, others.centre + SPREADS * others.sigma)
    const runs = likely[l]!.filter(({ seconds }) => seconds >= least)
    const certain = certainRuns(evidence, offGear[l]!, gap).filter(
      ({ from, to }) => !runs.some((one) => one.from <= to && from <= one.to)
    )
    return [...runs, ...certain].map((run) => findingOf(evidence, run, ratios, costOf))
  })
}

const findingOf = (
  { column, distanceAt, lap, points }: LapEvidence,
  { from, seconds, to }: Run,
  ratios: Ratios,
  costOf: CostOf
): Finding => {
  const t = points.timestamps
  const [gear, speed] = [column("gear"), column("speed")]
  const at = distanceAt(t[from]!)
  const cost = costOf(lap.id, t[from]!, t[to]!)
  const neutral = gear[from] === 0
  const implied = (ratios[gear[from]!]?.centre ?? Number.NaN) * speed[from]!
  const throttle = column("throttle")[from]! >= ON_THROTTLE ? "on the throttle " : ""
  return {
    lapId: lap.id,
    lapNumber: lap.lapNumber,
    type: "missed_gear",
    timestamp: t[from]!,
    distance: at === null ? null : rounded(at),
    value: rounded(neutral ? gear[from]! : column("rpm")[from]!),
    expected: rounded(neutral ? (gear[from - 1] ?? 0) : implied),
    severity: severityOf(cost),
    description:
      `Lap ${lap.lapNumber} had no gear for ${seconds.toFixed(2)} s` +
      (at === null ? "" : ` from ${Math.round(at)} m`) +
      `, ${throttle}at ${Math.round(speed[from]!)} km/h`,
    channel: neutral ? "gear" : "rpm",
    z: null,
    lapsInBaseline: cost?.laps ?? 0,
    duration: rounded(t[to]! - t[from]!),
    ...costFields(cost)
  }
}
