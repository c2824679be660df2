/**
 * How far a lap's delta to another can be believed, place by place: an uncertainty in seconds everywhere, and stretches where
 * something is wrong. Both laps' own faults count, and so does what official times show to be missed.
 */
import type { LapOnGrid } from "./alignment.ts"
import { joined, type Stretch } from "./stretches.ts"

/** Nine in ten errors of a normal distribution lie within this many standard deviations. */
export const NINE_IN_TEN = 1.645
/**
 * Two cars beside each other are abreast along the road's normal, which nobody knows: the line that a car drives crosses the
 * road at some angle. Radians, a standard deviation, by the simulator's lines against its centre lines.
 */
const ROAD_ANGLE = 0.1
/** Beyond this a delta tells of no corner, s. */
const UNCERTAIN_S = 0.25
/** A day: nothing is more uncertain, and sums of such numbers soon have no digits left, s. */
const MOST_S = 86_400
/** Nobody laps so slowly, m/s. */
const SLOWEST_MS = 2

/** A place where official times tell by how much the delta misses them, s; the line and the sectors' lines. */
export interface Missed {
  readonly distance: number
  readonly seconds: number
}

/** Seconds at each node within which the delta of `lap` to `fastest` lies nine times in ten. */
export const deltaUncertainty = (
  lap: LapOnGrid,
  fastest: LapOnGrid,
  step: number,
  missed: ReadonlyArray<Missed>
): Float64Array => {
  const nodes = lap.time.length
  const result = new Float64Array(nodes)
  if (lap === fastest) return result
  for (let n = 0, m = 0; n < nodes; n++) {
    const [a, b] = [Math.max(0, n - 1), Math.min(nodes - 1, n + 1)]
    const pace = Math.max(SLOWEST_MS, ((b - a) * step) / Math.max(1e-9, fastest.time[b]! - fastest.time[a]!))
    const beside = (ROAD_ANGLE * (lap.aside[n]! - fastest.aside[n]!)) / pace
    const own = Math.sqrt(lap.deviation[n]! ** 2 + fastest.deviation[n]! ** 2 + beside ** 2)
    const at = n * step
    while (m < missed.length - 2 && missed[m + 1]!.distance < at) m++
    const [before, after] = [missed[m], missed[m + 1]]
    let off = 0
    if (before !== undefined && after !== undefined && after.distance > before.distance) {
      const share = Math.min(1, Math.max(0, (at - before.distance) / (after.distance - before.distance)))
      const [left, right] = [before, after].map(({ seconds }) => Math.min(MOST_S, Math.abs(seconds)))
      off = left! + share * (right! - left!)
    }
    result[n] = Math.min(MOST_S, Math.hypot(NINE_IN_TEN * own, off))
  }
  return result
}

/** Stretches where the delta is uncertain by more than anything that it could tell of. */
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

/** The reason of the longest stretch; null of none. */
export const mainReason = (stretches: ReadonlyArray<Stretch>): string | null => {
  let longest: Stretch | undefined
  for (const one of stretches) {
    if (longest === undefined || one.to - one.from > longest.to - longest.from) longest = one
  }
  return longest?.reason ?? null
}

/** Whether nothing of the lap is left to be relied on. */
export const isAll = (stretches: ReadonlyArray<Stretch>, length: number): boolean => {
  const [first, second] = joined(stretches)
  return first !== undefined && second === undefined && first.from <= 0 && first.to >= length
}
