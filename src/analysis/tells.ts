/** Which channels a lap's points tell. What a source does not say is NaN, and nothing is computed from it as if it were 0. */
import type { Channel, PointBatch } from "../domain/PointBatch.ts"

/** A channel is told that has a value in this share of the points, or steps of at most so many seconds between values as long. */
const MIN_TOLD = 0.5
const MAX_S = 1
/** A car that drove went further than this from where it began, m: older feeds say 0 for positions that they do not know. */
const DRIVEN_M = 20

export const tells = (points: PointBatch, channel: Channel): boolean => {
  const t = points.timestamps
  const column = points.column(channel)
  let told = 0
  let seconds = 0
  let last = -1
  for (let i = 0; i < column.length; i++) {
    if (Number.isNaN(column[i]!)) continue
    if (last >= 0 && t[i]! - t[last]! <= MAX_S) seconds += t[i]! - t[last]!
    last = i
    told++
  }
  if (told === 0) return false
  // Streams of their own rates are merged to points that tell a part each.
  return told >= MIN_TOLD * points.length || seconds >= MIN_TOLD * (t[t.length - 1]! - t[0]!)
}

/** Whether the points move. */
export const hasPositions = (points: PointBatch): boolean => {
  const x = points.column("position_x")
  const y = points.column("position_y")
  if (!tells(points, "position_x") || !tells(points, "position_y")) return false
  let first = 0
  while (Number.isNaN(x[first]! + y[first]!)) first++
  for (let i = first + 1; i < points.length; i++) {
    if (Math.hypot(x[i]! - x[first]!, y[i]! - y[first]!) > DRIVEN_M) return true
  }
  return false
}

/** Whether the car is ever said to be fast: older feeds say 0 for a speed that they do not know. */
export const hasSpeed = (points: PointBatch): boolean =>
  tells(points, "speed") && points.column("speed").some((speed) => Math.abs(speed) > 1)
