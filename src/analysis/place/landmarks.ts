/**
 * Aligns laps without positions by the slowest places of the corners, which their speeds show. A distance integrated
 * from speed drifts with the driven line. Where a corner slows both laps, they were at the same place, within some
 * metres. The drift is a random walk that is observed there through noise (the smoother of fusion.ts).
 */
import { smoothed } from "./fusion.ts"
import type { LapAxis } from "./lapAxis.ts"
import type { UnsoundStretch } from "../compare/stretches.ts"
import { valleysOf } from "../math/valleys.ts"

/** The slowest place of a corner. */
interface Landmark {
  /** m from the line, by the reference's length. */
  readonly distance: number
  /** m/s. */
  readonly speed: number
}

/** A car slows for a corner by more than this, m/s. */
const MIN_SLOWED = 5
/**
 * A corner's place is the middle between the two places where the speed is this far above its least, as a share of the
 * car's slowing.
 */
const ABOVE = 0.4
/** Between corners at which they agree, distances differ by no more, m; a corner further away is another one. */
const NEAR_M = 80
const ALIKE = 0.35
/**
 * Standard deviation of a corner's slowest place from driver to driver and lap to lap, m; and of a distance's drift,
 * m^2/m. Measured with laps of four recordings, with their positions against without them (tools/docs/measureAnalysis.ts).
 */
const PLACE_M = 10
const DRIFT = 0.03
/** Both ends are at the line, m. */
const LINE_M = 0.1
/** A lap that shows a smaller share of the reference's corners cannot be aligned with it. */
const MIN_SHOWN = 0.6

/** The corners that an axis shows, in order. */
const landmarksOf = ({ distance, from, speed, to }: LapAxis, length: number): ReadonlyArray<Landmark> => {
  const found: Array<Landmark> = []
  const place = (k: number): number => ((distance[k]! - from) / (to - from)) * length
  const add = (slowest: number, before: number, after: number): void => {
    const level = speed[slowest]! + ABOVE * (Math.min(speed[before]!, speed[after]!) - speed[slowest]!)
    let left = slowest
    while (left > before && speed[left]! < level) left--
    let right = slowest
    while (right < after && speed[right]! < level) right++
    const crossing = (outer: number, inner: number): number => {
      const share = (level - speed[inner]!) / (speed[outer]! - speed[inner]!)
      return place(inner) + (share >= 0 && share <= 1 ? share : 1) * (place(outer) - place(inner))
    }
    const middle =
      (crossing(left, Math.min(left + 1, slowest)) + crossing(right, Math.max(right - 1, slowest))) / 2
    if (middle > 0 && middle < length) found.push({ distance: middle, speed: speed[slowest]! })
  }
  for (const { after, before, low } of valleysOf(speed, MIN_SLOWED, false)) add(low, before, after)
  return found
}

/** Each of the reference's landmarks with the lap's own landmark there: pairs in which each is the other's nearest. */
const matched = (wanted: ReadonlyArray<Landmark>, own: ReadonlyArray<Landmark>) => {
  const nearest = (one: Landmark, of: ReadonlyArray<Landmark>): Landmark | undefined => {
    let best: Landmark | undefined
    for (const other of of) {
      const off = Math.abs(other.distance - one.distance)
      if (off > NEAR_M || Math.abs(other.speed / one.speed - 1) > ALIKE) continue
      if (best === undefined || off < Math.abs(best.distance - one.distance)) best = other
    }
    return best
  }
  return wanted.flatMap((one) => {
    const other = nearest(one, own)
    return other !== undefined && nearest(other, wanted) === one ? [{ one, other }] : []
  })
}

const warped = (axis: LapAxis, wanted: ReadonlyArray<Landmark>, length: number): LapAxis => {
  const { distance, from, to } = axis
  const size = distance.length
  if (size < 2 || !(to > from)) return axis
  const pairs = matched(wanted, landmarksOf(axis, length))
  const stretch = (to - from) / length
  const offset = new Float64Array(size).fill(Number.NaN)
  const noise = new Float64Array(size).fill(PLACE_M * PLACE_M)
  const step = new Float64Array(size)
  for (let k = 1; k < size; k++) step[k] = (DRIFT * (distance[k]! - distance[k - 1]!)) / stretch
  let k = 0
  for (const { one, other } of pairs) {
    while (k < size - 1 && distance[k]! < from + other.distance * stretch) k++
    offset[k] = other.distance - one.distance
  }
  for (const end of [from, to]) {
    let at = 0
    while (at < size - 1 && distance[at]! < end) at++
    offset[at] = 0
    noise[at] = LINE_M * LINE_M
  }
  const { value, variance } = smoothed(offset, step, noise)
  const unsound: Array<UnsoundStretch> = [...axis.unsound]
  if (pairs.length < MIN_SHOWN * wanted.length || wanted.length === 0) {
    const shown = `${pairs.length} of the reference's ${wanted.length} corners`
    const reason = `it has no positions, and its speed shows ${shown}`
    unsound.push({ from: 0, to: to - from, reason, lacks: "positions" })
  }
  const moved = distance.map((at, n) => at - value[n]! * stretch)
  let rises = true
  for (let n = 1; n < size && rises; n++) rises = moved[n]! > moved[n - 1]!
  return {
    ...axis,
    distance: rises ? moved : distance,
    variance: variance.map((one, n) => axis.variance[n]! + one * stretch * stretch),
    unsound
  }
}

/** Moves the axes of laps without positions so that their corners match those of `reference`, which stays unchanged. */
export const byLandmarks = (axes: ReadonlyArray<LapAxis>, reference: LapAxis): ReadonlyArray<LapAxis> => {
  const length = reference.to - reference.from
  const wanted = landmarksOf(reference, length)
  return axes.map((axis) => (axis === reference ? axis : warped(axis, wanted, length)))
}
