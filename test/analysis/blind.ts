/** Laps as a feed without positions would tell them. */
import type { LapData } from "../../src/analysis/place/alignment.ts"
import { ABSENT } from "../../src/domain/RowBatch.ts"
import { copyOf } from "./sessions.ts"

/** `value`: what older feeds say for a position that they do not know is 0. */
export const blind = (lap: LapData, value: number = ABSENT): LapData => {
  const copy = copyOf(lap)
  for (const channel of ["position_x", "position_y", "position_z"] as const) {
    copy.points.column(channel).fill(value)
  }
  return copy
}
