/** Which channels a lap's points tell. What a source does not say is NaN, and nothing is computed from it as if it were 0. */
import type { Channel, PointBatch } from "../domain/PointBatch.ts"

/** A channel of which less than this share of the points has a value is not told. */
const FEWEST_TOLD = 0.5
/** A car that drove went further than this from where it began, m: older feeds say 0 for positions that they do not know. */
const DRIVEN_M = 20

export const tells = (points: PointBatch, channel: Channel): boolean => {
  let told = 0
  for (const value of points.column(channel)) if (!Number.isNaN(value)) told++
  return told > 0 && told >= FEWEST_TOLD * points.length
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
