/** Where a lap brakes for a corner, is slowest in it, and opens the throttle after it. */
import type { Alignment, LapOnGrid } from "../place/alignment.ts"
import type { NumberedCorner } from "../circuits/numbering.ts"
import { isAbsent } from "../missing.ts"

/** The two places between which an event happened, m from the line: those of the points around it. */
export type Interval = readonly [from: number, to: number]

/** A pedal further down than this is pressed on purpose, 0..1: sensors rest at some per cent. */
export const BRAKING = 0.1
/** The throttle counts as open from half on; below, the driver balances the car. */
export const OPEN = 0.5
/** Without a brake channel: more slowing than drag and engine give, m/s^2. */
const SLOWING = 4
/** A shorter release belongs to the same braking, m. */
const RELEASE_M = 15
/**
 * A braking that slows the car by less does not count, km/h: the pedal was only touched, or it is the end of the
 * braking before.
 */
const MIN_SLOWED_KMH = 2
/** Where a column rises over (or falls to) a level between nodes n - 1 and n, m. */
const rises = (column: Float64Array, step: number, n: number, level: number): number => {
  if (n === 0) return 0
  const rise = column[n]! - column[n - 1]!
  return step * (n - 1 + (rise === 0 ? 1 : Math.min(1, Math.max(0, (level - column[n - 1]!) / rise))))
}

/**
 * A car that is slowest where a corner begins still leaves the one before. If it falls again by more than this behind, km/h, the corner's
 * slowest place is there.
 */
export const FALLS_AGAIN_KMH = 5

/** How hard a lap brakes at each node, by the pedal or else by the speed; more than BRAKING counts as braking. */
export const brakingOf = (lap: LapOnGrid, step: number): Float64Array => {
  if (lap.brake.some((value) => value > BRAKING)) return lap.brake
  const result = new Float64Array(lap.speed.length)
  for (let n = 1; n + 1 < result.length; n++) {
    const rise = (lap.speed[n + 1]! ** 2 - lap.speed[n - 1]! ** 2) / 3.6 ** 2
    result[n] = Math.max(0, (-rise / (4 * step) / SLOWING) * BRAKING)
  }
  return result
}

export interface Range {
  readonly corner: NumberedCorner
  /** Nodes. Of a corner across the line, only the part on its apex's side is taken. */
  readonly entry: number
  readonly exit: number
  /** The apex: from here on a driver may brake for the next corner. */
  readonly middle: number
  /** Entry and exit exactly, not at the nearest node, m: half a metre is 10 ms. */
  readonly begin: number
  readonly end: number
}

export const rangesOf = (corners: ReadonlyArray<NumberedCorner>, { grid }: Alignment): ReadonlyArray<Range> =>
  corners.map((corner) => {
    const last = grid.distance.length - 1
    const entry = Math.min(last - 1, Math.round(corner.entry / grid.step))
    const exit = Math.min(last, Math.round(corner.exit / grid.step))
    const middle = Math.min(last, Math.round(corner.apex / grid.step))
    const whole = { corner, entry, exit, middle, begin: corner.entry, end: corner.exit }
    if (corner.entry < corner.exit) return { ...whole, exit: Math.max(entry + 1, exit) }
    return corner.apex >= corner.entry
      ? { ...whole, exit: last, end: grid.length }
      : { ...whole, entry: 0, exit: Math.max(1, exit), begin: 0 }
  })

export interface Points {
  /** The lap's speed is known; without it the entry counts as the slowest node. */
  readonly knowsSpeed: boolean
  /** The brake pedal is reported; without it braking is found from the slowing. */
  readonly knowsBrake: boolean
  readonly slowest: number
  readonly braking: number | null
  readonly throttle: number | null
}

/**
 * Where the throttle opens for good in a corner whose slowest node is `slowest`, m: before it, if it is open there already.
 * Null where the throttle was open all along since `entry`, or stays closed until `to`.
 */
const opensAt = (
  throttle: Float64Array,
  slowest: number,
  entry: number,
  to: number,
  step: number
): number | null => {
  let n = slowest
  while (n < to && !(throttle[n]! >= OPEN)) n++
  if (n >= to) return null
  while (n > entry && throttle[n - 1]! >= OPEN) n--
  return n > entry ? rises(throttle, step, n, OPEN) : null
}

const slowestIn = (speed: Float64Array, { entry, exit }: Range): number => {
  let slowest = entry
  for (let n = entry; n <= exit; n++) if (speed[n]! < speed[slowest]!) slowest = n
  if (slowest > entry) return slowest
  let fastest = speed[entry]!
  let falls = FALLS_AGAIN_KMH
  for (let n = entry; n <= exit; n++) {
    fastest = Math.max(fastest, speed[n]!)
    if (fastest - speed[n]! > falls) {
      falls = fastest - speed[n]!
      slowest = n
    }
  }
  return slowest
}

/** A lap's slowest node in a corner, and where it brakes before and opens the throttle after, m. */
export const pointsOf = (
  lap: LapOnGrid,
  braking: Float64Array,
  range: Range,
  from: number,
  to: number,
  step: number
): Points => {
  const slowest = slowestIn(lap.speed, range)
  // Of the brakings since the last apex, the one that slows most: a dab before it, or a second one after, is not the
  // corner's.
  let brakes: number | null = null
  let most = MIN_SLOWED_KMH
  for (let n = from + 1; n <= slowest; n++) {
    if (!(braking[n]! > BRAKING)) continue
    const begin = n
    let end = n
    for (; n <= slowest && (n - end) * step <= RELEASE_M; n++) if (braking[n]! > BRAKING) end = n
    const slowed = lap.speed[begin]! - lap.speed[end]!
    if (slowed > most) {
      brakes = begin
      most = slowed
    }
  }
  const knowsSpeed = !Number.isNaN(lap.speed[slowest])
  return {
    knowsSpeed,
    knowsBrake: !isAbsent(lap.brake),
    slowest,
    braking: brakes === null ? null : rises(braking, step, brakes, BRAKING),
    throttle: opensAt(lap.throttle, knowsSpeed ? slowest : to, range.entry, to, step)
  }
}

/** The places of the lap's points around a distance. */
export const intervalAround = ({ point }: LapOnGrid, distance: number, step: number): Interval => {
  let from = Math.min(point.length - 1, Math.floor(distance / step))
  let to = from
  const before = point[from]!
  while (from > 0 && point[from - 1]! >= before) from--
  while (to < point.length - 1 && point[to]! <= before) to++
  return [from * step, to * step]
}
