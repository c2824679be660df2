/**
 * Finds corners in a line alone: the place, angle and side of each bend. Numbered from the start line.
 *
 * The method is that of race engineers' track maps (Segers, Analysis Techniques for Racecar Data Acquisition, 2nd ed.,
 * ch. 7): signed curvature over distance, smoothed, and thresholds on it.
 */
import type { Direction } from "../../domain/analysis/comparison.ts"

/**
 * A bend to one side. Distances in m from the start line; `exit` < `entry` where the line lies within the
 * corner.
 */
export interface PositionCorner {
  /** From 1, by the place of the apex. */
  readonly number: number
  readonly direction: Direction
  readonly entry: number
  /** The centroid of curvature: about half of the turning lies before it, whatever the line's noise. */
  readonly apex: number
  readonly exit: number
  /** By how much the line turns, rad, always positive. */
  readonly angle: number
  /** The radius of its tightest bend after smoothing, m. */
  readonly radius: number
  readonly foundBy: "positions"
}

/**
 * Tuned on the centre lines of six circuits (official numbers of corners: Monza 11, Spa 19, Silverstone 18, Suzuka 18,
 * Sakhir 15, Spielberg 10; found 12, 18, 17, 18, 14, 9). The values lie within a region, not at a point: smoothing 8 to
 * 12 m, bends 200 to 300 m and merging 15 to 30 m keep all six within two. Official numbers count some flat-out kinks
 * and not others, so no threshold meets them all.
 */
export interface CornerOptions {
  /**
   * Standard deviation of the smoothing of directions, m. More smoothing joins the two halves of a chicane (30 m
   * apart); less finds bends in the noise of 10 Hz positions.
   */
  readonly smoothing: number
  /** A bend at least this tight is a corner, 1/m: 225 m, where a GT car on 1.5 g does 200 km/h. */
  readonly bend: number
  /**
   * A corner begins and ends where the line is this straight, 1/m: half of `bend`, so that one corner does not become
   * three.
   */
  readonly straight: number
  /** A corner turns the line by at least this, rad: 9 degrees, less than any numbered corner and more than a kerb. */
  readonly angle: number
  /**
   * Bends to one side that are closer than this are one, m: half a second of driving, too little for a driver to act.
   */
  readonly merge: number
}

export const cornerOptions: CornerOptions = {
  smoothing: 10,
  bend: 1 / 225,
  straight: 1 / 450,
  angle: 0.15,
  merge: 20
}

/**
 * Nodes of this distance are enough for the tightest hairpin and make the cost independent of the grid, m.
 */
const NODE_M = 2
/** Enough for a line of 200 km; no circuit is longer. */
const MAX_NODES = 100_000

/** Points at equal steps of the way along a closed line. */
export const evenly = (
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  distance: ArrayLike<number>,
  length: number
) => {
  const nodes = Math.min(MAX_NODES, Math.max(8, Math.round(length / NODE_M)))
  const ex = new Float64Array(nodes)
  const ey = new Float64Array(nodes)
  const size = distance.length
  for (let n = 0, k = 0; n < nodes; n++) {
    const at = (n * length) / nodes
    while (k < size - 1 && (k + 1 < size ? distance[k + 1]! : length) <= at) k++
    const next = k + 1 < size ? k + 1 : 0
    const way = (k + 1 < size ? distance[k + 1]! : length) - distance[k]!
    const share = way > 0 ? (at - distance[k]!) / way : 0
    ex[n] = x[k]! + share * (x[next]! - x[k]!)
    ey[n] = y[k]! + share * (y[next]! - y[k]!)
  }
  return { nodes, step: length / nodes, x: ex, y: ey }
}

/** Three running means around a closed row: nearly a Gaussian of standard deviation `sigma` nodes. */
const smoothed = (values: Float64Array, sigma: number): Float64Array => {
  const size = values.length
  // A running mean of width w has variance (w^2 - 1) / 12.
  const reach = Math.min(Math.floor((size - 1) / 2), Math.round((Math.sqrt(4 * sigma * sigma + 1) - 1) / 2))
  let row = values
  for (let pass = 0; pass < 3; pass++) {
    const next = new Float64Array(size)
    let sum = 0
    for (let i = -reach; i <= reach; i++) sum += row[(i + size) % size]!
    for (let i = 0; i < size; i++) {
      next[i] = sum / (2 * reach + 1)
      sum += row[(i + reach + 1) % size]! - row[(i - reach + size) % size]!
    }
    row = next
  }
  return row
}

/**
 * The least length of a smoothed direction. A shorter one comes from a line that turns back on itself, where rounding
 * decides the side: the chord that closes half a lap. Around a hairpin of 10 m, tighter than any circuit's, 0.6 is
 * left.
 */
const MIN_DIRECTION = 0.2

/**
 * Signed curvature (1/m, positive to the left) at equal steps around a closed line. Directions are smoothed as vectors:
 * a position that steps back weakens the direction there, and does not turn the line around.
 */
export const signedCurvature = (
  x: Float64Array,
  y: Float64Array,
  step: number,
  smoothing: number
): Float64Array => {
  const size = x.length
  const dx = new Float64Array(size)
  const dy = new Float64Array(size)
  for (let i = 0; i < size; i++) {
    const j = (i + 1) % size
    dx[i] = x[j]! - x[i]!
    dy[i] = y[j]! - y[i]!
  }
  const tx = smoothed(dx, smoothing / step)
  const ty = smoothed(dy, smoothing / step)
  const result = new Float64Array(size)
  const isKnown = (i: number) => Math.hypot(tx[i]!, ty[i]!) >= MIN_DIRECTION * step
  for (let i = 0; i < size; i++) {
    const h = (i + size - 1) % size
    if (!isKnown(h) || !isKnown(i)) continue
    result[i] = Math.atan2(tx[h]! * ty[i]! - ty[h]! * tx[i]!, tx[h]! * tx[i]! + ty[h]! * ty[i]!) / step
  }
  return result
}

interface Bend {
  /** In nodes, counted from the straightest one. */
  from: number
  to: number
  turn: number
}

export const findCorners = (
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  distance: ArrayLike<number>,
  length: number,
  options: CornerOptions = cornerOptions
): ReadonlyArray<PositionCorner> => {
  if (distance.length < 8) return []
  const even = evenly(x, y, distance, length)
  const { nodes, step } = even
  const bend = signedCurvature(even.x, even.y, step, options.smoothing)
  // Begins where the line is straightest, so that no corner is cut in two.
  let origin = 0
  for (let i = 1; i < nodes; i++) if (Math.abs(bend[i]!) < Math.abs(bend[origin]!)) origin = i
  const at = (n: number) => bend[(origin + n) % nodes]!
  const bends: Array<Bend> = []
  for (let n = 0; n < nodes; n++) {
    if (Math.abs(at(n)) < options.bend) continue
    const side = Math.sign(at(n))
    let from = n
    while (from > 0 && at(from - 1) * side >= options.straight) from--
    let to = n
    while (to < nodes - 1 && at(to + 1) * side >= options.straight) to++
    let turn = 0
    for (let i = from; i <= to; i++) turn += at(i) * step
    const before = bends.at(-1)
    if (before !== undefined && before.turn * turn > 0 && (from - before.to) * step < options.merge) {
      before.to = to
      before.turn += turn
    } else bends.push({ from, to, turn })
    n = to
  }
  const metres = (n: number) => ((origin + n) % nodes) * step
  return bends
    .filter(({ turn }) => Math.abs(turn) >= options.angle)
    .map(({ from, to, turn }) => {
      let weight = 0
      let moment = 0
      let tightest = 0
      for (let i = from; i <= to; i++) {
        const k = Math.max(0, at(i) * Math.sign(turn))
        weight += k
        moment += k * i
        tightest = Math.max(tightest, k)
      }
      return {
        number: 0,
        direction: turn > 0 ? ("left" as const) : ("right" as const),
        entry: metres(from),
        apex: (metres(0) + (moment / weight) * step) % length,
        exit: metres(to),
        angle: Math.abs(turn),
        radius: 1 / tightest,
        foundBy: "positions" as const
      }
    })
    .sort((a, b) => a.apex - b.apex)
    .map((corner, index) => ({ ...corner, number: index + 1 }))
}
