/** Removes from a lap the points at which no car can have been. */
import type { PointBatch } from "../../domain/RowBatch.ts"
import { quantile } from "../math/robust.ts"
import { wayBetween } from "../math/wayBetween.ts"

/** Speeds between two points may exceed those at them by this factor: a late packet, a coarse speed. */
const SPEED_SLACK = 1.1
/**
 * Within this time, s, the highest speed counts, so that a locked wheel or a failing sensor does not make every place
 * unreachable.
 */
const NEAR_S = 1
/**
 * Positions may also be off by this, m. Of the recordings' steps 99 in 100 go no more than 0.6 m (two simulators) and 7
 * m (Formula 1) further than their speed allows; that is the feed's own noise and is added NOISE_TIMES.
 */
const MIN_SLACK_M = 2
const NOISE_SHARE = 0.99
const NOISE_TIMES = 4
/** A jump that does not come back within this, s, is no glitch: it is a reset, a teleport, or a wrong speed. */
const GLITCH_S = 0.5

/** The maximum of `values` within NEAR_S of each point, by a queue of falling candidates. */
const mostNear = (t: Float64Array, values: Float64Array): Float64Array => {
  const most = new Float64Array(values.length)
  const queue = new Int32Array(values.length)
  let head = 0
  let tail = 0
  for (let i = 0, next = 0; i < values.length; i++) {
    for (; next < values.length && t[next]! - t[i]! <= NEAR_S; next++) {
      while (tail > head && values[queue[tail - 1]!]! <= values[next]!) tail--
      queue[tail++] = next
    }
    while (head < tail && t[i]! - t[queue[head]!]! > NEAR_S) head++
    most[i] = head < tail ? values[queue[head]!]! : values[i]!
  }
  return most
}

/**
 * The points whose time increases and whose position can be reached from the one before at their speeds. A point that
 * jumps away and back is left out: its error would bend the line of a reference lap, or move its own lap's times by as
 * many metres. Takes one pass where nothing is wrong, and then returns the batch itself.
 */
export const believable = (points: PointBatch): PointBatch => {
  const t = points.timestamps
  const x = points.column("position_x")
  const y = points.column("position_y")
  let speed = points.column("speed")
  /** By how much (m) the step is longer than the speeds allow; NaN where they, or the positions, are absent. */
  const excess = (a: number, b: number): number =>
    wayBetween(x[a]!, y[a]!, x[b]!, y[b]!) -
    (SPEED_SLACK * Math.max(Math.abs(speed[a]!), Math.abs(speed[b]!)) * (t[b]! - t[a]!)) / 3.6
  let fits = true
  for (let i = 1; i < t.length && fits; i++) fits = t[i]! > t[i - 1]! && !(excess(i - 1, i) > MIN_SLACK_M)
  if (fits) return points
  speed = mostNear(t, speed.map(Math.abs))
  const steps: Array<number> = []
  for (let i = 1; i < t.length; i++) {
    if (t[i]! > t[i - 1]! && !Number.isNaN(excess(i - 1, i))) steps.push(excess(i - 1, i))
  }
  const slack = MIN_SLACK_M + NOISE_TIMES * Math.max(0, steps.length === 0 ? 0 : quantile(steps, NOISE_SHARE))
  const kept: Array<number> = []
  for (let i = 0; i < t.length; i++) {
    const last = kept.at(-1)
    if (last === undefined || (t[i]! > t[last]! && !(excess(last, i) > slack))) {
      kept.push(i)
      continue
    }
    if (!(t[i]! > t[last]!)) continue
    const before = kept.at(-2)
    if (before !== undefined && !(excess(before, i) > slack)) {
      // A backward jump can be within reach although the point after it is not: then the jump itself is wrong.
      kept[kept.length - 1] = i
      continue
    }
    let back = i + 1
    while (back < t.length && t[back]! - t[last]! <= GLITCH_S && excess(last, back) > slack) back++
    if (back < t.length && t[back]! - t[last]! <= GLITCH_S) i = back - 1
    else kept.push(i)
  }
  return kept.length === t.length ? points : points.pick(kept)
}
