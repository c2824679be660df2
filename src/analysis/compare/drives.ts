/**
 * The fastest drive made of pieces of laps, where two laps may be joined only at about the same speed: the shortest
 * path over (piece, lap), found by dynamic programming (Bellman 1957).
 */
import type { LapOnGrid } from "../place/alignment.ts"

/**
 * Laps may be joined where their speeds differ by at most this, km/h. Making up for 2 km/h (0.56 m/s) at an easy 3
 * m/s^2 takes 0.19 s, in which 0.05 m are lost: 2.6 ms at 20 m/s, under 1 ms on a straight. That is also added as a
 * cost.
 */
export const JOINT_KMH = 2
const ACCELERATION = 3
/** A joint must gain at least this, s. */
const MIN_GAIN_S = 1e-6

/** The cost of arriving slower than the lap that takes over, s: (dv)^2 / (2 a v), with m/s. */
const jointCost = (difference: number, speed: number): number => {
  const short = Math.max(0, difference) / 3.6
  return (short * short) / (2 * ACCELERATION * Math.max(1, speed / 3.6))
}

/**
 * The cost of a joint in seconds, by the piece that begins (from the second on), the lap that takes over and the lap
 * before; Infinity where a joint is impossible.
 */
export const jointCosts = (
  laps: ReadonlyArray<Pick<LapOnGrid, "speed">>,
  nodes: ReadonlyArray<number>
): Float64Array => {
  const count = laps.length
  const costs = new Float64Array(Math.max(0, nodes.length - 2) * count * count).fill(Infinity)
  for (let k = 1, i = 0; k + 1 < nodes.length; k++) {
    const node = nodes[k]!
    for (let d = 0; d < count; d++) {
      const speed = laps[d]!.speed[node]!
      for (let other = 0; other < count; other++, i++) {
        const before = laps[other]!.speed[node]!
        // Without a speed the cost of a joint is unknown.
        const known = before > 0 && speed > 0
        if (other === d || !known || Math.abs(speed - before) > JOINT_KMH) continue
        costs[i] = jointCost(speed - before, speed)
      }
    }
  }
  return costs
}

/** The lap of each piece, and the seconds from line to line. */
export interface ShortestDrive {
  readonly laps: Int32Array
  readonly time: number
}

/**
 * `times`: seconds of each lap's pieces, Infinity where one cannot be driven. `taken`: the laps that may be used.
 * Undefined where no drive leads around.
 */
export const shortestDrive = (
  times: ReadonlyArray<ArrayLike<number>>,
  costs: Float64Array,
  taken: ReadonlyArray<number>
): ShortestDrive | undefined => {
  const count = times.length
  const pieces = times[0]?.length ?? 0
  const came = new Int32Array(Math.max(0, pieces - 1) * count)
  /** The least time to the end of a piece in each lap. */
  let least = Float64Array.from(times, (row) => row[0]!)
  let next = new Float64Array(count)
  for (let k = 1; k < pieces; k++) {
    for (const d of taken) {
      const at = ((k - 1) * count + d) * count
      let reached = least[d]!
      let from = d
      for (const other of taken) {
        const time = least[other]! + costs[at + other]!
        if (time < reached - MIN_GAIN_S) {
          reached = time
          from = other
        }
      }
      came[(k - 1) * count + d] = from
      next[d] = reached + times[d]![k]!
    }
    ;[least, next] = [next, least]
  }
  let lap = taken[0] ?? 0
  for (const d of taken) if (least[d]! < least[lap]! - MIN_GAIN_S) lap = d
  const time = least[lap]
  if (time === undefined || !(time < Infinity)) return undefined
  const laps = new Int32Array(pieces)
  for (let k = pieces - 1; k >= 0; k--) {
    laps[k] = lap
    if (k > 0) lap = came[(k - 1) * count + lap]!
  }
  return { laps, time }
}

/** The time of a drive with these times, s. */
export const timeOfDrive = (
  laps: Int32Array,
  times: ReadonlyArray<ArrayLike<number>>,
  costs: Float64Array
): number => {
  const count = times.length
  let seconds = 0
  for (let k = 0; k < laps.length; k++) {
    const lap = laps[k]!
    const before = laps[k - 1] ?? lap
    seconds += times[lap]![k]! + (before === lap ? 0 : costs[((k - 1) * count + lap) * count + before]!)
  }
  return seconds
}
