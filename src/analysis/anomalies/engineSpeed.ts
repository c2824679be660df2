/** Compares the engine's revolutions with speed and gear. A feed may send gear and revolutions in separate streams. */
import { median, robustSigma } from "../math/robust.ts"
import { type LapEvidence, USUAL_TIMES } from "./evidence.ts"

/** A larger number is a feed's way to say that there is none. */
export const MAX_GEARS = 16
/** A slower car may stand, creep, or slip its clutch, km/h. */
export const DRIVING_KMH = 50
/** Duration of a change of gear, s. */
const SHIFT_S = 0.15
/** A feed reports the gear late by habit if this share of the points shows it in half of the laps. */
const LATE_SHARE = 0.01
/** Revolutions per km/h must differ from the gear's by this share, and by this many spreads, to be another gear's. */
const OFF_GEAR = 0.08
const GEAR_SPREADS = 2
const MIN_FOR_RATIO = 50
const SAMPLED = 20_000

/** Whether a point is odd; undefined where a value is absent. */
export type Odd = (i: number) => boolean | undefined

interface Ratio {
  readonly centre: number
  /** As a share of `centre`. */
  readonly most: number
}

/** By gear; undefined where there are too few points. */
export type Ratios = ReadonlyArray<Ratio | undefined>

/** Revolutions per km/h in each forward gear, and how far they usually deviate. */
export const ratiosOf = (laps: ReadonlyArray<LapEvidence>): Ratios => {
  const total = laps.reduce((sum, { points }) => sum + points.length, 0)
  const every = Math.max(1, Math.floor(total / SAMPLED))
  const rows: Array<Array<number>> = []
  const anyComparable = laps.some(({ comparable }) => comparable)
  for (const { column, comparable } of laps) {
    if (anyComparable && !comparable) continue
    const [speed, rpm, gear] = [column("speed"), column("rpm"), column("gear")]
    for (let i = 0; i < speed.length; i += every) {
      const forward = gear[i]! >= 1 && gear[i]! <= MAX_GEARS
      if (forward && speed[i]! >= DRIVING_KMH && rpm[i]! > 0)
        (rows[gear[i]!] ??= []).push(rpm[i]! / speed[i]!)
    }
  }
  return Array.from(rows, (row) => {
    if (row === undefined || row.length < MIN_FOR_RATIO) return undefined
    const centre = median(row)
    return { centre, most: Math.max(OFF_GEAR, (GEAR_SPREADS * robustSigma(row)) / centre) }
  })
}

/**
 * The least and greatest revolutions per km/h of the gears reported within this many seconds before and after each point: a
 * change takes time.
 */
const ratiosAround = (
  { column, points }: LapEvidence,
  ratios: Ratios,
  late: number
): { readonly least: Float64Array; readonly most: Float64Array } => {
  const t = points.timestamps
  const gear = column("gear")
  const least = new Float64Array(t.length)
  const most = new Float64Array(t.length)
  let from = 0
  let to = 0
  for (let i = 0; i < t.length; i++) {
    while (t[i]! - t[from]! > late) from++
    while (to < t.length && t[to]! - t[i]! <= late) to++
    least[i] = Infinity
    for (let k = from; k < to; k++) {
      const ratio = ratios[gear[k]!]
      if (ratio === undefined) continue
      least[i] = Math.min(least[i]!, ratio.centre * (1 - ratio.most))
      most[i] = Math.max(most[i]!, ratio.centre * (1 + ratio.most))
    }
  }
  return { least, most }
}

/** Revolutions at a point over those that speed and gear imply, less 1; NaN where they imply none. */
export const offGearOf = ({ column }: LapEvidence, ratios: Ratios): ((i: number) => number) => {
  const [gears, revolutions, speeds] = [column("gear"), column("rpm"), column("speed")]
  return (i) => {
    const ratio = ratios[gears[i]!]
    const speed = speeds[i]!
    const rpm = revolutions[i]!
    return ratio === undefined || speed < DRIVING_KMH || !(rpm > 0)
      ? Number.NaN
      : rpm / (ratio.centre * speed) - 1
  }
}

/**
 * Whether revolutions belong to another gear than the one reported; undefined where they fit a gear reported within `late`
 * seconds before or after.
 */
export const isOffGear = (lap: LapEvidence, ratios: Ratios, late: number): Odd => {
  const [gear, rpm, speed] = [lap.column("gear"), lap.column("rpm"), lap.column("speed")]
  const { least, most } = ratiosAround(lap, ratios, late)
  const offGear = offGearOf(lap, ratios)
  return (i) => {
    if (!(Math.abs(offGear(i)) > (ratios[gear[i]!]?.most ?? Infinity))) return false
    const turns = rpm[i]! / speed[i]!
    return turns < least[i]! || turns > most[i]! ? true : undefined
  }
}

/**
 * How late gear and revolutions may be reported, s. Some feeds send them in separate streams, each late by up to one
 * usual interval: then all laps show it around their changes of gear. A fault of one lap does not count as lateness.
 */
export const latenessOf = (laps: ReadonlyArray<LapEvidence>, ratios: Ratios, gap: number): number => {
  const late = SHIFT_S + (2 * gap) / USUAL_TIMES
  const shares = laps.flatMap((lap) => {
    const { length } = lap.points
    if (!lap.comparable || length === 0) return []
    const [apart, together] = [isOffGear(lap, ratios, SHIFT_S), isOffGear(lap, ratios, late)]
    let count = 0
    for (let i = 0; i < length; i++) if (apart(i) === true && together(i) !== true) count++
    return [count / length]
  })
  return shares.length > 0 && median(shares) >= LATE_SHARE ? late : SHIFT_S
}
