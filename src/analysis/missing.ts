/** Channels that are absent from a lap's points: the answer names them, and leaves out the parts that need them. */
import { type Channel, channels } from "../domain/pointChannels.ts"
import type { PointBatch } from "../domain/RowBatch.ts"

/** Whether all of the values are absent. */
export const isAbsent = (column: Float64Array): boolean => column.every(Number.isNaN)

/** Whether some are absent. A loop, because `some` makes a call, and a number on the heap, for each value. */
export const hasAbsent = (column: Float64Array): boolean => {
  for (let i = 0; i < column.length; i++) if (Number.isNaN(column[i])) return true
  return false
}

/** Those of the `used` channels for which one of the laps has no value, in the order of a point. */
export const missingChannels = (
  laps: ReadonlyArray<PointBatch>,
  used: ReadonlyArray<Channel>
): ReadonlyArray<Channel> =>
  channels.filter(
    (channel) =>
      used.includes(channel) && laps.some((points) => points.length > 0 && isAbsent(points.column(channel)))
  )

/** The channels that place a lap along its way. */
export const PLACING = ["speed", "position_x", "position_y"] as const satisfies ReadonlyArray<Channel>

/**
 * The points that can be placed along the lap's way: those with a position or a speed. The batch itself where all can.
 */
export const placeable = (points: PointBatch): PointBatch => {
  const speed = points.column("speed")
  const x = points.column("position_x")
  const y = points.column("position_y")
  const isReported = (i: number) => !Number.isNaN(speed[i]) || !Number.isNaN(x[i]! + y[i]!)
  let i = 0
  while (i < points.length && isReported(i)) i++
  // Usually all points can be placed.
  return i === points.length ? points : points.pick(Array.from(speed.keys()).filter(isReported))
}
