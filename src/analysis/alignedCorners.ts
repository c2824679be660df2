/** The corners of laps that are laid over each other: by the reference's line, or, without positions, by the laps' speeds. */
import type { Alignment } from "./alignment.ts"
import { findCorners } from "./corners.ts"
import type { FoundLine } from "./circuits/matchCircuit.ts"
import { speedCorners } from "./speedCorners.ts"

export const alignedCorners = (alignment: Alignment): FoundLine => {
  const { grid, method, reference } = alignment
  const corners =
    method === "positions"
      ? findCorners(reference.x, reference.y, grid.distance, grid.length)
      : speedCorners(alignment)
  return { length: grid.length, corners }
}
