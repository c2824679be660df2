/** The distance that a lap's speed gives, scaled to the length and shifted to the clock of its positions. */
import { roughQuantile } from "../math/robust.ts"

/** A speed may be too high or too low by this share throughout, and still describe the car's movement. */
const MAX_SCALE = 0.1
/** The lag is found from how the offset changes with the speed over this long, s. */
const LAG_OVER_S = 2
/** Number of pairs of points. */
const LAG_PAIRS = 800
/** Two streams that differ by less than this, s, count as simultaneous; more than the second is no lag. */
const MIN_LAG_S = 0.02
const MAX_LAG_S = 1
/** Changes further off than this many times the deviation of three in four have another cause. */
const LAG_OUTLIER = 3
/** Three in four changes are taken as usual. */
const USUAL_SHARE = 0.75

/**
 * By how much the speed is later than the positions, s. A late odometer is behind by its lag times the speed, and so
 * gains on the positions wherever the car slows. By least squares, without the outliers of a first try.
 */
const lagOf = (time: Float64Array, offset: Float64Array, speed: Float64Array): number => {
  const size = time.length
  const every = Math.max(1, Math.floor(size / LAG_PAIRS))
  const rises = new Float64Array(Math.ceil(size / every))
  const shifts = new Float64Array(rises.length)
  const off = new Float64Array(rises.length)
  let count = 0
  for (let i = 0, j = 0; i < size; i += every) {
    while (j < size && time[j]! - time[i]! < LAG_OVER_S) j++
    if (j === size) break
    const shift = offset[j]! - offset[i]!
    if (Number.isNaN(shift)) continue
    rises[count] = speed[j]! - speed[i]!
    shifts[count] = shift
    off[count] = Math.abs(shift)
    count++
  }
  const fit = (lag: number): number => {
    const most = LAG_OUTLIER * roughQuantile(off, USUAL_SHARE, count)
    let product = 0
    let square = 0
    for (let k = 0; k < count; k++) {
      const rise = rises[k]!
      if (Math.abs(shifts[k]! - lag * rise) > most) continue
      product += rise * shifts[k]!
      square += rise * rise
    }
    return square > 0 ? product / square : 0
  }
  const first = fit(0)
  for (let k = 0; k < count; k++) off[k] = Math.abs(shifts[k]! - first * rises[k]!)
  const lag = fit(first)
  return Math.abs(lag) < MIN_LAG_S || Math.abs(lag) > MAX_LAG_S ? 0 : lag
}

/** The distance that the speed gives, on the positions' clock, and the places' difference from it. */
export interface Reported {
  /** m, at each time. */
  readonly way: Float64Array
  /** m: place less way; NaN where the place is unknown. */
  readonly offset: Float64Array
}

/**
 * Compares places (NaN where unknown) with the distance driven, which is scaled to the same total and corrected for its
 * lag. Undefined where the two differ so much that the speed does not describe the way.
 */
export const reportedBy = (
  time: Float64Array,
  place: Float64Array,
  driven: Float64Array,
  speed: Float64Array
): Reported | undefined => {
  let first = 0
  while (first < place.length && Number.isNaN(place[first]!)) first++
  let last = place.length - 1
  while (last > first && Number.isNaN(place[last]!)) last--
  if (!(last > first)) return undefined
  const [way, went] = [place[last]! - place[first]!, driven[last]! - driven[first]!]
  if (!(Math.abs(went - way) <= MAX_SCALE * way)) return undefined
  const scale = way > 0 ? way / went : 1
  const size = place.length
  const reported = new Float64Array(size)
  const offset = new Float64Array(size)
  for (let i = 0; i < size; i++) {
    reported[i] = scale * driven[i]!
    offset[i] = place[i]! - reported[i]!
  }
  const late = lagOf(time, offset, speed)
  if (late === 0) return { way: reported, offset }
  for (let i = 0; i < size; i++) {
    reported[i] = reported[i]! + late * speed[i]!
    offset[i] = place[i]! - reported[i]!
  }
  return { way: reported, offset }
}
