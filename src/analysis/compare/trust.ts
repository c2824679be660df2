/**
 * How far a lap's delta to another can be believed, place by place: an uncertainty in seconds everywhere, and stretches
 * where something is wrong. Both laps' own faults count, and so do differences from official times.
 */
import type { Stretch } from "../../domain/analysis/comparison.ts"
import type { LapOnGrid } from "../place/alignment.ts"
import { mergedRanges } from "./stretches.ts"

/** Nine in ten errors of a normal distribution lie within this many standard deviations. */
export const NINE_IN_TEN = 1.645
/**
 * Two cars beside each other are abreast along the road's normal, which is unknown: a car's line crosses the road at
 * some angle. Radians, a standard deviation, measured from the simulator's lines against its centre lines.
 */
export const ROAD_ANGLE = 0.1
/** With a greater uncertainty a delta shows nothing about a corner, s. */
const UNCERTAIN_S = 0.25
/** A day: no uncertainty is greater, and sums of such numbers soon lose their digits, s. */
const MAX_S = 86_400
/** No car laps so slowly, m/s. */
const SLOWEST_MS = 2

/** A place where official times show how far the delta is off, s: the line and the sector lines. */
export interface Missed {
  readonly distance: number
  readonly seconds: number
}

/** Seconds that a lap takes for a metre at each node. */
export const slownessOf = ({ time }: LapOnGrid, step: number): Float64Array => {
  const last = time.length - 1
  const result = new Float64Array(time.length)
  for (let n = 0; n <= last; n++) {
    const a = n > 0 ? n - 1 : 0
    const b = n < last ? n + 1 : n
    result[n] = Math.min(1 / SLOWEST_MS, Math.max(0, time[b]! - time[a]!) / ((b - a) * step))
  }
  return result
}

/**
 * Seconds at each node within which the delta of `lap` to `fastest` lies nine times in ten. `slowness`: the fastest's,
 * s/m.
 */
export const deltaUncertainty = (
  lap: LapOnGrid,
  fastest: LapOnGrid,
  step: number,
  slowness: Float64Array,
  missed: ReadonlyArray<Missed>
): Float64Array => {
  const nodes = lap.time.length
  const result = new Float64Array(nodes)
  if (lap === fastest) return result
  const square = NINE_IN_TEN * NINE_IN_TEN
  // From one place with official times to the next.
  for (let m = 0, n = 0; m + 1 < missed.length; m++) {
    const [before, after] = [missed[m]!, missed[m + 1]!]
    const left = Math.min(MAX_S, Math.abs(before.seconds))
    const way = after.distance - before.distance
    const rise = way > 0 ? (Math.min(MAX_S, Math.abs(after.seconds)) - left) / way : 0
    const until = m + 2 === missed.length ? nodes : Math.min(nodes, Math.ceil(after.distance / step))
    for (; n < until; n++) {
      const beside = ROAD_ANGLE * (lap.aside[n]! - fastest.aside[n]!) * slowness[n]!
      const one = lap.deviation[n]!
      const other = fastest.deviation[n]!
      const off = left + rise * (n * step - before.distance)
      result[n] = Math.min(
        MAX_S,
        Math.sqrt(square * (one * one + other * other + beside * beside) + off * off)
      )
    }
  }
  return result
}

/** Stretches where the uncertainty is greater than any difference worth reporting. */
export const uncertain = (uncertainty: Float64Array, step: number): ReadonlyArray<Stretch> => {
  const found: Array<Stretch> = []
  for (let n = 0; n < uncertainty.length; n++) {
    if (!(uncertainty[n]! > UNCERTAIN_S)) continue
    let to = n
    while (to + 1 < uncertainty.length && uncertainty[to + 1]! > UNCERTAIN_S) to++
    found.push({ from: n * step, to: to * step, reason: `its delta is uncertain by over ${UNCERTAIN_S} s` })
    n = to
  }
  return found
}

/** The reason of the longest stretch; null where there is none. */
export const mainReason = (stretches: ReadonlyArray<Stretch>): string | null => {
  let longest: Stretch | undefined
  for (const one of stretches) {
    if (longest === undefined || one.to - one.from > longest.to - longest.from) longest = one
  }
  return longest?.reason ?? null
}

/** Whether no part of the lap is reliable. */
export const isAll = (stretches: ReadonlyArray<Stretch>, length: number): boolean => {
  const [first, second] = mergedRanges(stretches)
  return first !== undefined && second === undefined && first.from <= 0 && first.to >= length
}
