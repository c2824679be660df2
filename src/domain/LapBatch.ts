import { ABSENT, PointBatch } from "./PointBatch.ts"

/** What points may say of laps (native-feed.md): the number of the lap that a point is in, and the metres since the line. */
export const lapColumns = ["timestamp", "current_lap", "lap_distance"] as const

/**
 * Samples of the group `lap` that came with points: one for each point, at its time. What the source does not say is absent. A source
 * may declare the group itself, with channels of its choice; its samples are then not of these.
 */
export type LapBatch = PointBatch<(typeof lapColumns)[number]>

/** Of points at these times; undefined where neither column is said. */
export const lapBatch = (
  times: Float64Array,
  currentLap: Float64Array | undefined,
  lapDistance: Float64Array | undefined
): LapBatch | undefined => {
  if (currentLap === undefined && lapDistance === undefined) return undefined
  const batch = PointBatch.allocate(times.length, lapColumns)
  batch.data.fill(ABSENT)
  batch.timestamps.set(times)
  if (currentLap !== undefined) batch.column("current_lap").set(currentLap)
  if (lapDistance !== undefined) batch.column("lap_distance").set(lapDistance)
  return batch
}
