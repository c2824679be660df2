import { type GroupDeclaration, LAP } from "./Dictionary.ts"
import { ABSENT, RowBatch } from "./RowBatch.ts"

/**
 * The lap data that points may carry (native-feed.md): the number of the lap that a point is in, and the metres since
 * the line.
 */
export const lapColumns = ["timestamp", "current_lap", "lap_distance"] as const

/**
 * Samples of the group `lap` that came with points: one for each point, at its time. A value that the source does not
 * send is absent. A source may also declare the group itself, with channels of its choice; those samples have other
 * columns.
 */
export type LapBatch = RowBatch<(typeof lapColumns)[number]>

/**
 * The group in which these samples are kept, unless the driver declares a group of this name with channels of its own.
 */
export const lapOfPoints: GroupDeclaration = {
  name: LAP,
  channels: lapColumns.filter((name) => name !== "timestamp").map((name) => ({ name }))
}

/** Whether any of the rows has a value. */
export const saysLap = ({ data, length }: LapBatch): boolean => {
  for (let i = length; i < data.length; i++) if (!Number.isNaN(data[i])) return true
  return false
}

/** The samples for points at these times; undefined if the source sends neither column. */
export const lapBatch = (
  times: Float64Array,
  currentLap: Float64Array | undefined,
  lapDistance: Float64Array | undefined
): LapBatch | undefined => {
  if (currentLap === undefined && lapDistance === undefined) return undefined
  const batch = RowBatch.allocate(times.length, lapColumns)
  batch.data.fill(ABSENT)
  batch.timestamps.set(times)
  if (currentLap !== undefined) batch.column("current_lap").set(currentLap)
  if (lapDistance !== undefined) batch.column("lap_distance").set(lapDistance)
  return batch
}
