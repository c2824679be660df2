/** Channels that a lap's points do not tell: what needs them is left out, and said so. */
import { type Channel, channels, type PointBatch } from "../domain/PointBatch.ts"

/** Whether none of the values is told. */
export const isAbsent = (column: Float64Array): boolean => column.every(Number.isNaN)

/** Whether some are not. A loop: `some` calls for each value, and makes a number of it on the heap. */
export const hasAbsent = (column: Float64Array): boolean => {
  for (let i = 0; i < column.length; i++) if (Number.isNaN(column[i])) return true
  return false
}

/** Those of the `used` channels that one of the laps has no value of, in the order of a point. */
export const missingChannels = (
  laps: ReadonlyArray<PointBatch>,
  used: ReadonlyArray<Channel>
): ReadonlyArray<Channel> =>
  channels.filter(
    (channel) =>
      used.includes(channel) && laps.some((points) => points.length > 0 && isAbsent(points.column(channel)))
  )

/** What places a lap on its way. */
export const PLACING = ["speed", "position_x", "position_y"] as const satisfies ReadonlyArray<Channel>

/** The points that can be placed on the lap's way: those with a position or a speed. The batch itself where that is all of it. */
export const placeable = (points: PointBatch): PointBatch => {
  const speed = points.column("speed")
  const x = points.column("position_x")
  const y = points.column("position_y")
  const isTold = (i: number) => !Number.isNaN(speed[i]) || !Number.isNaN(x[i]! + y[i]!)
  let i = 0
  while (i < points.length && isTold(i)) i++
  // Nearly always all of them.
  return i === points.length ? points : points.pick(Array.from(speed.keys()).filter(isTold))
}
