/** The corners of aligned laps: from the reference's line, or, without positions, from the laps' speeds. */
import type { Alignment } from "../place/alignment.ts"
import { findCorners } from "./corners.ts"
import type { FoundLine } from "../circuits/matchCircuit.ts"
import { valueAt } from "../place/referenceLine.ts"
import { speedCorners } from "./speedCorners.ts"

/** The way must increase also where the car is standing, m. */
const MIN_STEP_M = 1e-6

/** m along the line that the reference drove, at each node. That line may be longer or shorter than the circuit's. */
const ownWay = ({ reference: { x, y } }: Alignment): Float64Array => {
  const way = new Float64Array(x.length)
  for (let n = 1; n < x.length; n++) {
    const step = Math.hypot(x[n]! - x[n - 1]!, y[n]! - y[n - 1]!)
    way[n] = way[n - 1]! + (step > MIN_STEP_M ? step : MIN_STEP_M)
  }
  return way
}

/** Bends are measured on the driven line; their places are given on the grid. */
const bendsOf = (alignment: Alignment): FoundLine["corners"] => {
  const { grid, method, reference } = alignment
  const { x, y } = reference
  if (method !== "distance") return findCorners(x, y, grid.distance, grid.length)
  const way = ownWay(alignment)
  const at = (metres: number) => valueAt(way, grid.distance, metres)
  return findCorners(x, y, way, way[way.length - 1]!).map((corner) => ({
    ...corner,
    entry: at(corner.entry),
    apex: at(corner.apex),
    exit: at(corner.exit)
  }))
}

export const alignedCorners = (alignment: Alignment): FoundLine => ({
  length: alignment.grid.length,
  corners: alignment.hasPositions ? bendsOf(alignment) : speedCorners(alignment)
})
