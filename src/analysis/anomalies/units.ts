/** Channels in a wrong unit: one finding about the channel, and none for each place where it shows. */
import type { Channel } from "../../domain/pointChannels.ts"
import { median, quantile } from "../math/robust.ts"
import { asOne } from "./alike.ts"
import { rounded } from "./anomaly.ts"
import type { Anomaly, Finding } from "../../domain/analysis/anomalies.ts"
import type { LapEvidence, SessionEvidence } from "./evidence.ts"

/** Rounding of feeds may exceed the end of a scale by this. */
const ROUNDING = 0.01
/**
 * Values beyond the scale in this share of the laps, and in this many, are no glitch; nor are those in this share of
 * all points.
 */
const SHARE_OF_LAPS = 0.5
const MIN_LAPS = 3
const SHARE_OF_POINTS = 0.01
/** Points that show how large the values are; nearly the largest counts, so that a glitch does not. */
const SAMPLED = 20_000
const NEARLY_ALL = 0.999
/**
 * No steering wheel turns by more radians, nor has a range of fewer degrees; a larger pedal value is per cent, a
 * smaller one is only badly calibrated.
 */
const MAX_RADIANS = 12
const MIN_PER_CENT = 1.5
const MAX_PER_CENT = 120
/** A speed that exceeds or falls short of the positions' by this share has another unit. */
const OFF_SHARE = 0.15
/** Tolerance of a unit's factor, as a share. */
const NEAR_FACTOR = 0.05
/**
 * Positions this far apart in time show a way and not their noise, s; over more than the second, the way is unknown.
 */
const CHORD_S = 0.5
const MAX_S = 2

const scales = [
  ["throttle", 0],
  ["brake", 0],
  ["steering", -1]
] as const satisfies ReadonlyArray<readonly [Channel, number]>

const unitOf = (channel: Channel, most: number): string => {
  if (channel === "steering") return most <= MAX_RADIANS ? "radians" : "degrees"
  if (most < MIN_PER_CENT) return "a pedal that is calibrated otherwise"
  return most <= MAX_PER_CENT ? "per cent" : "a sensor's own steps"
}

/** The point of a lap that is furthest beyond the scale; undefined where none is. */
const furthest = ({ column, points }: LapEvidence, channel: Channel, low: number) => {
  const values = column(channel)
  let found = -1
  let count = 0
  let most = ROUNDING
  for (let i = 0; i < points.length; i++) {
    const beyond = Math.max(low - values[i]!, values[i]! - 1)
    if (!(beyond > ROUNDING)) continue
    count++
    if (beyond > most) {
      most = beyond
      found = i
    }
  }
  return found < 0 ? undefined : { at: found, count, value: values[found]! }
}

const finding = (
  { distanceAt, lap, points }: LapEvidence,
  channel: Channel,
  at: number,
  value: number,
  expected: number
): Finding => {
  const time = points.timestamps[at]!
  const distance = distanceAt(time)
  return {
    lapId: lap.id,
    lapNumber: lap.lapNumber,
    type: "implausible_value",
    timestamp: time,
    distance: distance === null ? null : rounded(distance),
    value: rounded(value),
    expected: rounded(expected),
    severity: "high",
    description: "",
    channel,
    z: null,
    lapsInBaseline: 0,
    duration: rounded(points.timestamps.at(-1)! - points.timestamps[0]!),
    cost: null,
    costUncertainty: null
  }
}

/** A channel in another unit, before it is reported: the parts of a session (parts.ts) report it together. */
export type WrongUnit =
  | {
      readonly channel: "throttle" | "brake" | "steering"
      readonly found: ReadonlyArray<Finding>
      /** The ids of the laps that were judged. */
      readonly looked: ReadonlyArray<number>
      readonly low: number
      readonly unit: string
    }
  | {
      readonly channel: "speed"
      readonly found: ReadonlyArray<Finding>
      /** The speed over the positions' speed. */
      readonly usual: number
    }

const beyondScale = (
  laps: ReadonlyArray<LapEvidence>,
  channel: (typeof scales)[number][0],
  low: number
): WrongUnit | undefined => {
  const beyond = laps.map((lap) => furthest(lap, channel, low))
  const found = laps.flatMap((lap, l) => {
    const one = beyond[l]
    return one === undefined ? [] : [finding(lap, channel, one.at, one.value, one.value < low ? low : 1)]
  })
  const looked = laps.filter(({ points }) => points.length > 0).map(({ lap }) => lap.id)
  const total = laps.reduce((sum, { points }) => sum + points.length, 0)
  const count = beyond.reduce((sum, one) => sum + (one?.count ?? 0), 0)
  const often = found.length >= MIN_LAPS && found.length >= SHARE_OF_LAPS * looked.length
  if (found.length === 0 || (!often && count < SHARE_OF_POINTS * total)) return undefined
  const every = Math.max(1, Math.floor(total / SAMPLED))
  const sizes: Array<number> = []
  for (const { column } of laps) {
    const values = column(channel)
    for (let i = 0; i < values.length; i += every) {
      if (!Number.isNaN(values[i])) sizes.push(Math.abs(values[i]!))
    }
  }
  return { channel, found, looked, low, unit: unitOf(channel, quantile(sizes, NEARLY_ALL)) }
}

/** Distance by speed over distance by positions, where both are known; NaN where they are not. */
const factorOf = ({ column, points }: LapEvidence): number => {
  const t = points.timestamps
  const [x, y, speed] = [column("position_x"), column("position_y"), column("speed")]
  const said: Array<number> = []
  let driven = 0
  for (let i = 1, from = 0; i < t.length; i++) {
    driven += ((Math.abs(speed[i]!) + Math.abs(speed[i - 1]!)) / 7.2) * (t[i]! - t[i - 1]!)
    const seconds = t[i]! - t[from]!
    if (seconds < CHORD_S) continue
    const way = Math.hypot(x[i]! - x[from]!, y[i]! - y[from]!)
    // Near the largest doubles their sum is infinite, and shows nothing.
    if (seconds <= MAX_S && way > 1 && driven > 0 && driven / way < Infinity) said.push(driven / way)
    from = i
    driven = 0
  }
  return said.length === 0 ? Number.NaN : median(said)
}

const speedUnits = [
  [1 / 3.6, "metres a second"],
  [1 / 1.609_344, "miles an hour"],
  [1 / 1.852, "knots"],
  [1 / 1.097_28, "feet a second"]
] as const

/** A speed that all laps' positions contradict by the same factor. */
const speedFactor = (laps: ReadonlyArray<LapEvidence>): WrongUnit | undefined => {
  const factors = laps.map(factorOf)
  const known = factors.filter((factor) => !Number.isNaN(factor))
  if (known.length === 0) return undefined
  const usual = median(known)
  if (Math.abs(usual - 1) <= OFF_SHARE) return undefined
  const found = laps.flatMap((lap, l) =>
    Number.isNaN(factors[l]!) ? [] : [finding(lap, "speed", 0, factors[l]!, 1)]
  )
  return { channel: "speed", found, usual }
}

/** At most one for each channel; the channel's values are then not reported by themselves. */
export const wrongUnits = ({ laps, positions }: SessionEvidence): ReadonlyArray<WrongUnit> => {
  const found = scales.map(([channel, low]) => beyondScale(laps, channel, low))
  return [...found, positions ? speedFactor(laps) : undefined].filter((one) => one !== undefined)
}

const speedSentence = (usual: number): string => {
  const unit = speedUnits.find(([factor]) => Math.abs(usual / factor - 1) <= NEAR_FACTOR)?.[1]
  return (
    `speed says ${usual.toFixed(2)} times the way that the positions go: the channel is reported in another unit than km/h` +
    (unit === undefined ? "" : `, as it seems in ${unit}`)
  )
}

/** Joins the findings of several parts about one channel; each part has its own laps. */
const reportedAs = (first: WrongUnit, all: ReadonlyArray<WrongUnit>): Anomaly => {
  const found = all.flatMap((one) => one.found)
  if (first.channel === "speed") return asOne(found, () => speedSentence(first.usual))
  const { channel, low, unit } = first
  const laps = all.flatMap((one) => ("looked" in one ? one.looked : [])).length
  return asOne(
    found,
    ({ value }) =>
      `${channel} is beyond ${low} to 1 on ${found.length} of ${laps} laps, up to ${value}: the channel is reported in another ` +
      `unit, as it seems in that of ${unit}`
  )
}

/** One finding for each channel that the first part found to be in another unit. */
export const reportedUnits = (parts: ReadonlyArray<ReadonlyArray<WrongUnit>>): ReadonlyArray<Anomaly> =>
  (parts[0] ?? []).map((first) =>
    reportedAs(
      first,
      parts.flatMap((units) => units.filter(({ channel }) => channel === first.channel))
    )
  )

/** The anomalies of these laps alone. */
export const unitsOf = (
  units: ReadonlyArray<WrongUnit>,
  judged: ReadonlySet<number>
): ReadonlyArray<WrongUnit> =>
  units.map((one) => {
    const found = one.found.filter(({ lapId }) => judged.has(lapId))
    return "looked" in one
      ? { ...one, found, looked: one.looked.filter((id) => judged.has(id)) }
      : { ...one, found }
  })
