/** Laps as a feed without positions would send them. */
import type { LapData } from "../../src/analysis/place/alignment.ts"
import { ABSENT } from "../../src/domain/RowBatch.ts"
import { copyOf } from "./sessions.ts"

/** `value`: older feeds send 0 for a position that they do not know. */
export const blind = (lap: LapData, value: number = ABSENT): LapData => {
  const copy = copyOf(lap)
  for (const channel of ["position_x", "position_y", "position_z"] as const) {
    copy.points.column(channel).fill(value)
  }
  return copy
}
