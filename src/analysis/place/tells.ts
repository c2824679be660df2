/**
 * Which channels a lap's points have. A value that a source does not send is NaN, and never counts as 0.
 */
import type { Channel } from "../../domain/pointChannels.ts"
import type { PointBatch } from "../../domain/RowBatch.ts"

/**
 * A channel counts as reported when it has a value in this share of the points, or when steps between its values of at most
 * so many seconds cover this share of the time.
 */
const MIN_TOLD = 0.5
const MAX_S = 1
/** A car that drove went further than this from where it began, m: older feeds send 0 for unknown positions. */
const DRIVEN_M = 20

export const tells = (points: PointBatch, channel: Channel): boolean => {
  const t = points.timestamps
  const column = points.column(channel)
  let reported = 0
  let seconds = 0
  let last = -1
  for (let i = 0; i < column.length; i++) {
    if (Number.isNaN(column[i]!)) continue
    if (last >= 0 && t[i]! - t[last]! <= MAX_S) seconds += t[i]! - t[last]!
    last = i
    reported++
  }
  if (reported === 0) return false
  // Streams with different rates are merged to points that each have a part of the channels.
  return reported >= MIN_TOLD * points.length || seconds >= MIN_TOLD * (t[t.length - 1]! - t[0]!)
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

/** Whether the car is ever fast: older feeds send 0 for an unknown speed. */
export const hasSpeed = (points: PointBatch): boolean =>
  tells(points, "speed") && points.column("speed").some((speed) => Math.abs(speed) > 1)
