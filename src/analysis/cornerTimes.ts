/**
 * What each lap did in each corner, and where on the lap its time went: sections that add up to the delta.
 */
import type { CircuitDetails } from "../domain/Circuit.ts"
import { alignedCorners } from "./alignedCorners.ts"
import type { Alignment, LapOnGrid } from "./alignment.ts"
import { numberCorners, type NumberedCorner, type Numbering } from "./circuits/numbering.ts"
import { isAbsent } from "./missing.ts"

/** Between which two places something happened, m from the line: those of the points around it. */
export type Interval = readonly [from: number, to: number]

/** A lap in a corner. Distances in m from the line, speeds in km/h, times in s; speeds are null where none is told. */
export interface CornerPass {
  readonly lap_id: number
  /** Speeds at the corner's entry, apex and exit. */
  readonly entry_speed: number | null
  readonly apex_speed: number | null
  readonly exit_speed: number | null
  readonly minimum_speed: number | null
  readonly minimum_speed_at: number | null
  /** Where the braking for the corner begins; null where it does not brake, or no channel says. */
  readonly braking_point: number | null
  /** The points between which that was. */
  readonly braking_interval: Interval | null
  /** Where the throttle is opened again after the slowest place; null where it is not, or no channel says. */
  readonly throttle_point: number | null
  readonly throttle_interval: Interval | null
  /** From the corner's entry to its exit. */
  readonly time: number
  /**
   * Lost (positive) or gained to the fastest from where either brakes to where either brakes for the next; where what was
   * lost in the corner is not carried along the straight after it, to the corner's exit.
   */
  readonly time_lost: number
}

export interface CornerComparison extends NumberedCorner {
  readonly passes: ReadonlyArray<CornerPass>
}

/**
 * A stretch of the lap and what a lap lost on it to the fastest. `corner` is the one that it belongs to; null
 * for a straight whose time went although the corner before it was left no slower.
 */
export interface Section {
  readonly from: number
  readonly to: number
  readonly corner: NumberedCorner | null
  readonly lost: number
}

/** Pedals further down than this are meant, 0..1: sensors rest at some per cent. */
const BRAKING = 0.1
/** The throttle is open when the driver asks for half: below, he balances the car. */
const OPEN = 0.5
/** Without a brake channel: slowing by more than drag and engine do, m/s^2. */
const SLOWING = 4
/** A brake released for less than this is one braking, m. */
const RELEASE_M = 15
/**
 * A braking that takes off less than this is none, km/h: a pedal touched, or the tail of the braking before.
 */
const MIN_SLOWED_KMH = 2
/** A corner left slower by more than this takes the time lost on the straight after it, km/h. */
const SLOWER_KMH = 1

const orNull = (value: number): number | null => (Number.isNaN(value) ? null : value)

/** A column's value at a distance: linear between nodes. */
export const at = (column: Float64Array, step: number, distance: number): number => {
  const place = Math.min(Math.max(0, distance / step), column.length - 1)
  const n = Math.min(Math.floor(place), column.length - 2)
  return column[n]! + (place - n) * (column[n + 1]! - column[n]!)
}

/** Where a column rises over (or falls to) a level between nodes n - 1 and n, m. */
const rises = (column: Float64Array, step: number, n: number, level: number): number => {
  if (n === 0) return 0
  const rise = column[n]! - column[n - 1]!
  return step * (n - 1 + (rise === 0 ? 1 : Math.min(1, Math.max(0, (level - column[n - 1]!) / rise))))
}

/**
 * How hard a lap brakes at each node, so that over BRAKING is braking: by pedal, or else by what the speed
 * says.
 */
const brakingOf = (lap: LapOnGrid, step: number): Float64Array => {
  if (lap.brake.some((value) => value > BRAKING)) return lap.brake
  const result = new Float64Array(lap.speed.length)
  for (let n = 1; n + 1 < result.length; n++) {
    const rise = (lap.speed[n + 1]! ** 2 - lap.speed[n - 1]! ** 2) / 3.6 ** 2
    result[n] = Math.max(0, (-rise / (4 * step) / SLOWING) * BRAKING)
  }
  return result
}

interface Range {
  readonly corner: NumberedCorner
  /** Nodes. A corner across the line is the part of it on its apex's side. */
  readonly entry: number
  readonly exit: number
  /** The apex: from here on one may brake for the next corner. */
  readonly middle: number
  /** Entry and exit as they are, not at the nearest node, m: half a metre is 10 ms. */
  readonly begin: number
  readonly end: number
}

const rangesOf = (corners: ReadonlyArray<NumberedCorner>, { grid }: Alignment): ReadonlyArray<Range> =>
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

interface Points {
  /** The lap says how fast it is: without that there is no slowest node but the entry. */
  readonly knowsSpeed: boolean
  /** The brake pedal is told: else slowing is all that is known. */
  readonly knowsBrake: boolean
  readonly slowest: number
  readonly braking: number | null
  readonly throttle: number | null
}

/** A lap's slowest node in a corner, and where it brakes before and opens the throttle after, m. */
const pointsOf = (
  lap: LapOnGrid,
  braking: Float64Array,
  range: Range,
  from: number,
  to: number,
  step: number
): Points => {
  let slowest = range.entry
  for (let n = range.entry; n <= range.exit; n++) if (lap.speed[n]! < lap.speed[slowest]!) slowest = n
  // Of the brakings since the last apex, the one that slows most: a dab before or a second stab is not the
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
  let throttle: number | null = null
  for (let n = knowsSpeed ? slowest : to; n < to && throttle === null; n++) {
    // Open at the slowest place already: never closed for this corner.
    if (lap.throttle[n]! >= OPEN) throttle = n === slowest ? n * step : rises(lap.throttle, step, n, OPEN)
  }
  return {
    knowsSpeed,
    knowsBrake: !isAbsent(lap.brake),
    slowest,
    braking: brakes === null ? null : rises(braking, step, brakes, BRAKING),
    throttle
  }
}

/** The places of the lap's points around one. */
const around = ({ point }: LapOnGrid, distance: number, step: number): Interval => {
  let from = Math.min(point.length - 1, Math.floor(distance / step))
  let to = from
  const before = point[from]!
  while (from > 0 && point[from - 1]! >= before) from--
  while (to < point.length - 1 && point[to]! <= before) to++
  return [from * step, to * step]
}

export interface CornerAnalysis {
  /** Whose the corners' numbers are; null where they are in the order found. */
  readonly circuit: Numbering["circuit"]
  readonly corners: ReadonlyArray<CornerComparison>
  /** One row per lap, in the alignment's order; each row's losses add up to the lap's delta at the line. */
  readonly sections: ReadonlyArray<ReadonlyArray<Section>>
}

/**
 * The corners of the laps with each lap's pass through them, against `fastest`. The lap is cut
 * where either brakes first for each corner, so that a corner owns its braking, its bend and, if it was left
 * slower, the straight after it; every metre belongs to one section. `edited`: what a user says of the circuit.
 */
export const analyseCorners = (
  alignment: Alignment,
  fastest: LapOnGrid,
  edited?: CircuitDetails
): CornerAnalysis => {
  const { grid, laps } = alignment
  const { length, step } = grid
  const last = grid.distance.length - 1
  const { circuit, corners: found } = numberCorners(alignedCorners(alignment), edited)
  const ranges = rangesOf(found, alignment)
  const passes: Array<Array<CornerPass>> = found.map(() => [])
  const points = laps.map((lap) => {
    const braking = brakingOf(lap, step)
    let from = 0
    return ranges.map((range, c) => {
      const found = pointsOf(lap, braking, range, from, ranges[c + 1]?.entry ?? last, step)
      // Past its slowest place a corner is done with; slowest at its very exit, it is slowed for the next.
      from = found.slowest < range.exit - 1 ? Math.max(range.middle, found.slowest) : range.middle
      return found
    })
  })
  const own = points[laps.indexOf(fastest)]!
  const sections = laps.map((lap, l) => {
    const delta = (distance: number) => at(lap.time, step, distance) - at(fastest.time, step, distance)
    /** Where the section of a corner begins, m: either's braking, else half way from the corner before. */
    const begins = ranges.map((range, c) => {
      const before = c === 0 ? 0 : ranges[c - 1]!.middle * step
      const brakes = [points[l]![c]!.braking, own[c]!.braking].filter((point) => point !== null)
      const wanted =
        brakes.length > 0
          ? Math.min(...brakes) - step
          : ((c === 0 ? 0 : ranges[c - 1]!.exit) + range.entry) * (step / 2)
      return Math.min(Math.max(before, wanted), range.entry * step)
    })
    const row: Array<Section> = []
    const add = (from: number, to: number, corner: NumberedCorner | null): number => {
      const lost = delta(to) - delta(from)
      if (to > from) row.push({ from, to, corner, lost })
      return lost
    }
    add(0, begins[0] ?? length, null)
    ranges.forEach(({ begin, corner, end, entry, exit }, c) => {
      const from = begins[c]!
      const to = begins[c + 1] ?? length
      const out = Math.min(exit * step, to)
      const slower = at(fastest.speed, step, out) - at(lap.speed, step, out)
      const inside = delta(out) - delta(from)
      const beyond = delta(to) - delta(out)
      // The straight after a corner goes with the exit that it was begun with, faster or slower.
      const carried = slower > SLOWER_KMH ? beyond > 0 : slower < -SLOWER_KMH && beyond < 0
      if (carried) add(from, to, corner)
      else {
        add(from, out, corner)
        add(out, to, null)
      }
      const { braking, knowsBrake, knowsSpeed, slowest, throttle } = points[l]![c]!
      passes[c]!.push({
        lap_id: lap.lap.id,
        entry_speed: orNull(lap.speed[entry]!),
        apex_speed: orNull(at(lap.speed, step, corner.apex)),
        exit_speed: orNull(lap.speed[exit]!),
        minimum_speed: orNull(lap.speed[slowest]!),
        minimum_speed_at: knowsSpeed ? slowest * step : null,
        braking_point: knowsBrake ? braking : null,
        braking_interval: knowsBrake && braking !== null ? around(lap, braking, step) : null,
        throttle_point: throttle,
        throttle_interval: throttle === null ? null : around(lap, throttle, step),
        time: at(lap.time, step, end) - at(lap.time, step, begin),
        time_lost: carried ? inside + beyond : inside
      })
    })
    return row
  })
  return { circuit, corners: found.map((corner, c) => ({ ...corner, passes: passes[c]! })), sections }
}
