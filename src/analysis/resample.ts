/** Values at the nodes of a grid. */
import type { Channel } from "../domain/PointBatch.ts"
import type { Grid, LapData, LapOnGrid } from "./alignment.ts"
import { timeAt, type LapAxis } from "./lapAxis.ts"

/** Over this much of the way (m) from each end, what the crossing is off is taken back. */
const HELD_M = 150

/**
 * Seconds since the lap began at each node: 0 at the first, what clock or crossings say at the last. Where
 * the clock begins and ends the lap, the positions' crossing differs from it by their noise around the line;
 * that is taken back evenly over the first and last HELD_M, and leaves the rest of the lap alone. Stretching
 * the whole lap to it made the F1 recording's times at its two sector lines worse: median 12 and 18 ms (by
 * distance) or 11 and 15 ms (by time) against 9 and 12 ms.
 */
const timesOf = (axis: LapAxis, grid: Grid, by: "clock" | "positions", duration: number): Float64Array => {
  const stretch = (axis.to - axis.from) / grid.length
  const nodes = grid.distance.length
  const result = new Float64Array(nodes)
  const [start, end] = axis.crossing
  const total = by === "clock" ? duration : end - start
  const zero = by === "clock" ? 0 : start
  const early = start - zero
  const late = end - zero - total
  const held = Math.min(HELD_M, grid.length / 3)
  const last = axis.distance.length - 1
  if (last < 1 || !(stretch > 0)) return result.map((_, n) => (total * n) / (nodes - 1))
  for (let n = 1, k = 1; n < nodes - 1; n++) {
    const way = grid.distance[n]!
    const at = axis.from + way * stretch
    while (k < last && axis.distance[k]! < at) k++
    const raw = timeAt(axis, at, k) - zero
    const back = early * Math.max(0, 1 - way / held) + late * Math.max(0, 1 - (grid.length - way) / held)
    result[n] = Math.min(total, Math.max(result[n - 1]!, raw - back))
  }
  result[nodes - 1] = total
  return result
}

/**
 * A lap at the nodes: times from its axis, channels linear in time between its points, gear of the nearest.
 */
export const onGrid = (
  { lap, points }: LapData,
  axis: LapAxis,
  grid: Grid,
  by: "clock" | "positions"
): LapOnGrid => {
  const duration = lap.end_time - lap.start_time
  const time = timesOf(axis, grid, by, duration)
  const stretch = (axis.to - axis.from) / grid.length
  const zero = lap.start_time + (by === "clock" ? 0 : axis.crossing[0])
  const nodes = time.length
  const t = points.timestamps
  const before = new Int32Array(nodes)
  const share = new Float64Array(nodes)
  for (let n = 0, k = 0; n < nodes; n++) {
    const when = time[n]! + zero
    while (k < t.length - 2 && t[k + 1]! <= when) k++
    before[n] = k
    share[n] = t.length < 2 ? 0 : Math.min(1, Math.max(0, (when - t[k]!) / (t[k + 1]! - t[k]!)))
  }
  const linear = (channel: Channel): Float64Array => {
    const column = points.column(channel)
    const result = new Float64Array(nodes)
    for (let n = 0; n < nodes; n++) {
      const k = before[n]!
      const value = column[k] ?? 0
      result[n] = share[n] === 0 ? value : value + share[n]! * (column[k + 1]! - value)
    }
    return result
  }
  const gears = points.column("gear")
  const gear = new Float64Array(nodes)
  for (let n = 0; n < nodes; n++) gear[n] = gears[before[n]! + (share[n]! > 0.5 ? 1 : 0)] ?? 0
  return {
    lap,
    time,
    speed: linear("speed"),
    rpm: linear("rpm"),
    gear,
    throttle: linear("throttle"),
    brake: linear("brake"),
    steering: linear("steering"),
    x: linear("position_x"),
    y: linear("position_y"),
    gaps: axis.gaps.map(([from, to]) => [from / stretch, to / stretch]),
    trusted: axis.reason === null,
    reason: axis.reason,
    line: [axis.crossing[0], axis.crossing[1] - duration]
  }
}
