/** Channels that a lap's points do not tell: what needs them is left out, and said so. */
import { type Channel, channels, PointBatch } from "../domain/PointBatch.ts"

/** Whether none of the values is told. */
export const isAbsent = (column: Float64Array): boolean => column.every(Number.isNaN)

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

/**
 * The points that can be placed on the lap's way: those with a position where some have one, else those with a speed;
 * none where there is neither. The batch itself where that is all of it.
 */
export const placeable = (points: PointBatch): PointBatch => {
  const [speed, x, y] = PLACING.map((channel) => points.column(channel)) as [
    Float64Array,
    Float64Array,
    Float64Array
  ]
  const indexesOf = (told: (i: number) => boolean): ReadonlyArray<number> | undefined => {
    let i = 0
    while (i < points.length && told(i)) i++
    // Nearly always all of them.
    return i === points.length ? undefined : Array.from(speed.keys()).filter(told)
  }
  const placed = indexesOf((i) => !Number.isNaN(x[i]! + y[i]!))
  if (placed === undefined) return points
  if (placed.length > 0) return points.pick(placed)
  const moving = indexesOf((i) => !Number.isNaN(speed[i]!))
  return moving === undefined ? points : points.pick(moving)
}

/** Points whose speed is told, or else is that of the way between their positions: for placing them, not for being told. */
export const withSpeed = (points: PointBatch): PointBatch => {
  if (!points.column("speed").some(Number.isNaN)) return points
  const moving = new PointBatch(points.length, points.data.slice(), points.channels)
  const [t, speed] = [moving.timestamps, moving.column("speed")]
  const [x, y] = [moving.column("position_x"), moving.column("position_y")]
  for (let i = 0; i < speed.length; i++) {
    if (!Number.isNaN(speed[i])) continue
    const a = Math.max(0, i - 1)
    const b = Math.min(speed.length - 1, i + 1)
    const seconds = t[b]! - t[a]!
    speed[i] = seconds > 0 ? (3.6 * Math.hypot(x[b]! - x[a]!, y[b]! - y[a]!)) / seconds : 0
  }
  return moving
}
