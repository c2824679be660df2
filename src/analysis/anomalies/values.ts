/** Values that no car has: outside their range, or jumping away and back. */
import type { Channel } from "../../domain/pointChannels.ts"
import { quantile } from "../math/robust.ts"
import { wayBetween } from "../math/wayBetween.ts"
import { rounded } from "./anomaly.ts"
import type { Finding } from "../../domain/analysis/anomalies.ts"
import { MAX_GEARS, type Ratios } from "./engineSpeed.ts"
import type { LapEvidence, SessionEvidence } from "./evidence.ts"
import { type Leap, speedLeaps, unusualEngineLeaps } from "./leaps.ts"

/** Rounding of feeds may exceed the end of a scale by this. */
const ROUNDING = 0.01
/** Faster than any car on a circuit, and backwards faster than any reverses, km/h. */
export const FASTEST_KMH = 500
const REVERSING_KMH = -60
/** No racing engine turns faster (motorcycles and Formula 1 of 2006: 20,000), 1/min. */
const MAX_RPM = 25_000
/** Nor does an engine turn faster than this times the speed that it hardly ever exceeds in the session. */
const OVER_REV = 1.35
const HARDLY_EVER = 0.999
const SAMPLED = 20_000
const REVERSE = -1
/** A step is a jump when it is this many times what the speed allows, plus some noise, m. */
const JUMP_TIMES = 3
const JUMP_M = 30
/** Wrong values closer together than this, s, are one fault. */
const JOINED_S = 1

interface Bounds {
  readonly low: number
  readonly high: number
}

/** The highest revolutions of the session, from every nth point. */
const mostRpm = (laps: ReadonlyArray<LapEvidence>): number => {
  const total = laps.reduce((sum, { points }) => sum + points.length, 0)
  const every = Math.max(1, Math.floor(total / SAMPLED))
  const values: Array<number> = []
  for (const { column } of laps) {
    const rpm = column("rpm")
    for (let i = 0; i < rpm.length; i += every) if (!Number.isNaN(rpm[i])) values.push(rpm[i]!)
  }
  const usual = values.length === 0 ? 0 : quantile(values, HARDLY_EVER)
  return usual > 0 ? Math.min(MAX_RPM, OVER_REV * usual) : MAX_RPM
}

/** The value at a point, and the one that can be; undefined where nothing is wrong. */
type Rule = (i: number) => readonly [value: number, expected: number] | undefined

/** Points of leaps, which begin at the level that is expected. */
const leapt = (column: Float64Array, leaps: ReadonlyArray<Leap>): Rule => {
  const levels = new Map<number, number>()
  for (const { from, level, to } of leaps) for (let i = from; i < to; i++) levels.set(i, level(i))
  return (i) => (levels.has(i) ? [column[i]!, levels.get(i)!] : undefined)
}

/** Faults of one channel: points for which `wrong` returns a value, with neighbouring ones merged. */
const faults = (
  evidence: LapEvidence,
  channel: string,
  unit: string,
  wrong: Rule
): ReadonlyArray<Finding> => {
  const { distanceAt, lap, points } = evidence
  const t = points.timestamps
  const found: Array<Finding> = []
  let first = -1
  let last = -1
  let count = 0
  let value = 0
  let expected = 0
  const close = (): void => {
    if (first < 0) return
    const at = distanceAt(t[first]!)
    const duration = t[last]! - t[first]!
    const points = count === 1 ? "1 point" : `${count} points`
    found.push({
      lapId: lap.id,
      lapNumber: lap.lapNumber,
      type: "implausible_value",
      timestamp: t[first]!,
      distance: at === null ? null : rounded(at),
      value: rounded(value),
      expected: rounded(expected),
      severity: duration > JOINED_S ? "high" : "medium",
      description:
        `${channel} reached ${rounded(value)}${unit} on lap ${lap.lapNumber}, where ` +
        `${rounded(expected)}${unit} is the ${value < expected ? "least" : "most"} that can be (${points})`,
      channel,
      z: null,
      lapsInBaseline: 0,
      duration: rounded(duration),
      cost: null,
      costUncertainty: null
    })
  }
  for (let i = 0; i < t.length; i++) {
    const fault = wrong(i)
    if (fault === undefined) continue
    if (first < 0 || t[i]! - t[last]! > JOINED_S) {
      close()
      first = i
      count = 0
    }
    if (count === 0 || Math.abs(fault[0] - fault[1]) > Math.abs(value - expected)) [value, expected] = fault
    last = i
    count++
  }
  close()
  return found
}

const outside =
  (column: Float64Array, { high, low }: Bounds) =>
  (i: number): readonly [number, number] | undefined => {
    const value = column[i]!
    // An absent value cannot be wrong.
    return value < low ? [value, low] : value > high ? [value, high] : undefined
  }

const either =
  (one: Rule, other: Rule): Rule =>
  (i) =>
    one(i) ?? other(i)

/** Steps longer than the speed allows, m: the value is the step, the expected value the longest possible one. */
const jumps = ({ column, points }: LapEvidence, gap: number) => {
  const t = points.timestamps
  const x = column("position_x")
  const y = column("position_y")
  const speed = column("speed")
  return (i: number): readonly [number, number] | undefined => {
    if (i === 0 || t[i]! - t[i - 1]! > gap) return undefined
    const way = wayBetween(x[i - 1]!, y[i - 1]!, x[i]!, y[i]!)
    const fastest = Math.max(Math.abs(speed[i]!), Math.abs(speed[i - 1]!)) / 3.6
    const most = JUMP_TIMES * fastest * (t[i]! - t[i - 1]!) + JUMP_M
    // Between places near the largest doubles it may be infinite.
    return way > most ? [Math.min(way, Number.MAX_VALUE), most] : undefined
  }
}

/** Revolutions, or speeds, that leap away from what the other one implies, and back, further than on the other laps. */
export const implausibleLeaps = ({ gap, laps }: SessionEvidence, ratios: Ratios): ReadonlyArray<Finding> => {
  const leaps = unusualEngineLeaps(laps, ratios, gap)
  const found = (channel: "rpm" | "speed", unit: string) =>
    laps.flatMap((evidence, l) => {
      const own = leaps[l]!.filter(({ of }) => of === channel)
      return faults(evidence, channel, unit, leapt(evidence.column(channel), own))
    })
  return [...found("rpm", " 1/min"), ...found("speed", " km/h")]
}

export const implausibleValues = ({ gap, laps, positions }: SessionEvidence): ReadonlyArray<Finding> => {
  const speed: Bounds = { low: REVERSING_KMH, high: FASTEST_KMH }
  const pedal: Bounds = { low: -ROUNDING, high: 1 + ROUNDING }
  const bounds: ReadonlyArray<readonly [Channel, Bounds, unit: string]> = [
    ["rpm", { low: 0, high: mostRpm(laps) }, " 1/min"],
    ["gear", { low: REVERSE, high: MAX_GEARS }, ""],
    ["throttle", pedal, ""],
    ["brake", pedal, ""],
    ["steering", { low: -1 - ROUNDING, high: 1 + ROUNDING }, ""]
  ]
  return laps.flatMap((evidence) => [
    ...bounds.flatMap(([channel, range, unit]) =>
      faults(evidence, channel, unit, outside(evidence.column(channel), range))
    ),
    ...faults(
      evidence,
      "speed",
      " km/h",
      either(
        outside(evidence.column("speed"), speed),
        leapt(evidence.column("speed"), speedLeaps(evidence, gap))
      )
    ),
    ...(positions ? faults(evidence, "position", " m", jumps(evidence, gap)) : [])
  ])
}
