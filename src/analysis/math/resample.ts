/** Values at the nodes of a grid. */
import { gapAfter, MAX_GAP_S } from "../../domain/lapLimits.ts"
import type { Channel } from "../../domain/pointChannels.ts"
import { ABSENT } from "../../domain/RowBatch.ts"
import type { Grid, LapOnGrid } from "../place/alignment.ts"
import type { SourcedLap } from "../place/projected.ts"
import { timeAt, type LapAxis } from "../place/lapAxis.ts"
import { hasAbsent } from "../missing.ts"
import { medianWithin } from "./select.ts"

/** The error of the crossing is corrected over this distance (m) from each end. */
const HELD_M = 150

/** The time at a place that is passed more slowly than this, m/s, cannot be determined; no lap is driven so slowly. */
const SLOWEST_MS = 2

/** A lap whose first or last point is at most this many of its intervals from the line was recorded up to the line. */
const END_INTERVALS = 3

interface Nodes {
  /** Seconds since the lap began. */
  readonly time: Float64Array
  /** s, a standard deviation. */
  readonly deviation: Float64Array
  /** m to the left of the line. */
  readonly aside: Float64Array
  /** Whether the times come from the lap's places. Without places they are spread evenly. */
  readonly isPlaced: boolean
  /** 1 where the lap was recorded. */
  readonly known: Uint8Array
}

/** The pauses, s, beyond which nothing is known: between two points, and before the first or after the last. */
interface Pauses {
  readonly within: number
  readonly beyond: number
}

const pausesOf = (t: Float64Array): Pauses => {
  const interval = medianWithin(
    Float64Array.from({ length: Math.max(0, t.length - 1) }, (_, i) => t[i + 1]! - t[i]!)
  )
  return { within: gapAfter(interval), beyond: END_INTERVALS * interval }
}

/**
 * Seconds since the lap began at each node: 0 at the first; at the last, the time by clock or crossings. Where the
 * clock begins and ends the lap, the positions' crossing differs from it by their noise around the line. That is
 * corrected evenly over the first and last HELD_M, and the rest of the lap is unchanged. Stretching the whole lap to it
 * made the F1 recording's times at its two sector lines worse: median 12 and 18 ms (by distance) or 11 and 15 ms (by
 * time) against 9 and 12 ms.
 *
 * Their uncertainty comes from the variance of the places around, from the unknown movement between two points, from a
 * noisy clock, and, where the crossing times the lap, from that of its first crossing.
 */
const nodesOf = (
  axis: LapAxis,
  grid: Grid,
  by: "clock" | "positions",
  duration: number,
  clockDeviation: number,
  pauses: Pauses
): Nodes => {
  const { speed, unrest, variance } = axis
  const stretch = (axis.to - axis.from) / grid.length
  const nodes = grid.distance.length
  const time = new Float64Array(nodes)
  const deviation = new Float64Array(nodes)
  const aside = new Float64Array(nodes)
  const known = new Uint8Array(nodes)
  const [start, end] = axis.crossing
  const total = by === "clock" ? duration : end - start
  const zero = by === "clock" ? 0 : start
  const early = start - zero
  const late = end - zero - total
  const held = Math.min(HELD_M, grid.length / 3)
  const last = axis.distance.length - 1
  if (last < 1 || !(stretch > 0)) {
    for (let n = 0; n < nodes; n++) time[n] = (total * n) / (nodes - 1)
    return { time, deviation: deviation.fill(total), aside, isPlaced: false, known }
  }
  for (let n = 0, k = 1; n < nodes; n++) {
    const way = grid.distance[n]!
    const at = axis.from + way * stretch
    while (k < last && axis.distance[k]! < at) k++
    if (n > 0 && n < nodes - 1) {
      const raw = timeAt(axis, at, k) - zero
      const back = early * Math.max(0, 1 - way / held) + late * Math.max(0, 1 - (grid.length - way) / held)
      time[n] = Math.min(total, Math.max(time[n - 1]!, raw - back))
    }
    const from = axis.distance[k - 1]!
    const to = axis.distance[k]!
    const f = Math.min(1, Math.max(0, (at - from) / (to - from)))
    aside[n] = axis.aside[k - 1]! + f * (axis.aside[k]! - axis.aside[k - 1]!)
    // Between two points the place is a bridge of an integrated Wiener process; beyond the last one it is free.
    const pause = axis.time[k]! - axis.time[k - 1]!
    const between = pause * f * (1 - f)
    const beyond = Math.max(0, axis.distance[0]! - at, at - axis.distance[last]!)
    const outside = beyond / Math.max(SLOWEST_MS, speed[k]!)
    const bridge = (unrest * (between * between * between + outside * outside * outside)) / 3
    deviation[n] = variance[k - 1]! + f * (variance[k]! - variance[k - 1]!) + bridge
    // The points around a pause are known themselves.
    const isCovered = beyond > 0 ? outside <= pauses.beyond : pause <= pauses.within || f === 0 || f === 1
    known[n] = isCovered ? 1 : 0
  }
  time[nodes - 1] = total
  let first = 0
  for (let n = 0; n < nodes; n++) {
    const a = n > 0 ? n - 1 : 0
    const b = n + 1 < nodes ? n + 1 : n
    const pace = Math.max(SLOWEST_MS, ((b - a) * grid.step) / Math.max(1e-9, time[b]! - time[a]!))
    const seconds = deviation[n]! / (pace * pace) + clockDeviation * clockDeviation
    if (n === 0 && by === "positions") first = seconds
    // At the line itself all laps begin at 0, and, by the clock, end at the clock's time.
    const way = grid.distance[n]!
    const near = Math.max(0, 1 - way / held)
    const ends = by === "clock" ? Math.max(0, 1 - (grid.length - way) / held) : 0
    deviation[n] = Math.sqrt((seconds + first) * (1 - near) * (1 - ends))
  }
  return { time, deviation, aside, isPlaced: true, known }
}

/**
 * The points around each node: the index of the one before (-1: none is near), and the share of the way to the next.
 */
interface Near {
  readonly before: Int32Array
  readonly share: Float64Array
}

interface Reported {
  readonly column: Float64Array
  readonly near: Near
}

/**
 * Finds the points around nodes. A node between two points more than `most` s apart, or as far beyond the ends, has
 * none near.
 */
const among = (t: Float64Array, time: Float64Array, zero: number, most = Infinity): Near => {
  const before = new Int32Array(time.length)
  const share = new Float64Array(time.length)
  for (let n = 0, k = 0; n < time.length; n++) {
    const when = time[n]! + zero
    while (k < t.length - 2 && t[k + 1]! <= when) k++
    const next = Math.min(k + 1, t.length - 1)
    const isFar =
      when < t[k]! ? t[k]! - when > most : when > t[next]! ? when - t[next]! > most : t[next]! - t[k]! > most
    before[n] = isFar ? -1 : k
    share[n] = t.length < 2 || isFar ? 0 : Math.min(1, Math.max(0, (when - t[k]!) / (t[next]! - t[k]!)))
  }
  return { before, share }
}

/** A lap at the nodes: times from its axis, channels linear in time between its points, gear of the nearest. */
export const onGrid = (
  { clockDeviation, lap, points, sources }: SourcedLap,
  axis: LapAxis,
  grid: Grid,
  by: "clock" | "positions"
): LapOnGrid => {
  const duration = lap.endTime - lap.startTime
  const t = points.timestamps
  const { aside, deviation, isPlaced, known, time } = nodesOf(
    axis,
    grid,
    by,
    duration,
    clockDeviation,
    pausesOf(t)
  )
  const stretch = (axis.to - axis.from) / grid.length
  const zero = lap.startTime + (by === "clock" ? 0 : axis.crossing[0])
  const nodes = time.length
  const all = among(t, time, zero)
  /** Where some points lack the channel, those that have it are used. */
  const reported = (channel: Channel): Reported => {
    const column = points.column(channel)
    if (!hasAbsent(column)) return { column, near: all }
    const index = Int32Array.from(column.keys()).filter((i) => !Number.isNaN(column[i]!))
    if (index.length === 0) return { column, near: all }
    const times = Float64Array.from(index, (i) => t[i]!)
    return { column: Float64Array.from(index, (i) => column[i]!), near: among(times, time, zero, MAX_GAP_S) }
  }
  const linear = (channel: Channel): Float64Array => {
    const { column, near } = reported(channel)
    const result = new Float64Array(nodes)
    for (let n = 0; n < nodes; n++) {
      const k = near.before[n]!
      const value = k < 0 ? ABSENT : (column[k] ?? 0)
      result[n] = near.share[n] === 0 ? value : value + near.share[n]! * (column[k + 1]! - value)
    }
    return result
  }
  // Older feeds send 0 for positions that they do not know.
  const isNowhere =
    t.length > 0 && sources.x.every((value) => value === 0) && sources.y.every((value) => value === 0)
  const gears = reported("gear")
  const gear = new Float64Array(nodes)
  for (let n = 0; n < nodes; n++) {
    const k = gears.near.before[n]!
    gear[n] = k < 0 ? ABSENT : (gears.column[k + (gears.near.share[n]! > 0.5 ? 1 : 0)] ?? 0)
  }
  return {
    lap,
    time,
    point: all.before,
    speed: linear("speed"),
    rpm: linear("rpm"),
    gear,
    throttle: linear("throttle"),
    brake: linear("brake"),
    steering: linear("steering"),
    x: isNowhere ? new Float64Array(nodes).fill(ABSENT) : linear("position_x"),
    y: isNowhere ? new Float64Array(nodes).fill(ABSENT) : linear("position_y"),
    aside,
    deviation,
    // A lap without a way of its own has no places.
    unsound: axis.unsound.map((one) => ({
      ...one,
      from: stretch > 0 ? one.from / stretch : 0,
      to: stretch > 0 ? one.to / stretch : grid.length
    })),
    isPlaced,
    known,
    complete: axis.complete,
    faults: axis.faults,
    line: [axis.crossing[0], axis.crossing[1] - duration]
  }
}
