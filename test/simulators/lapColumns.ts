/** The lap columns of points, a value for each point; NaN if a point has none. */
import type { LapBatch } from "../../src/domain/LapBatch.ts"
import type { PointBatch } from "../../src/domain/RowBatch.ts"

interface WithLap {
  readonly batch: PointBatch
  readonly lap: LapBatch | undefined
}

const column =
  (name: "current_lap" | "lap_distance") =>
  ({ batch, lap }: WithLap): ReadonlyArray<number> =>
    lap === undefined ? Array.from(batch.timestamps, () => Number.NaN) : [...lap.column(name)]

export const lapNumbersOf = column("current_lap")
export const lapDistancesOf = column("lap_distance")
