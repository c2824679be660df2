/** The path of a plan on the ground. */
import type { Circuit } from "./Circuit.ts"
import { curvature } from "./curvature.ts"
import { LEAD } from "./plan.ts"

/** Columns over the nodes of a plan; `step[j]` is the distance from node j to j + 1 in space, m. */
export interface Path {
  readonly x: Float64Array
  readonly y: Float64Array
  readonly z: Float64Array
  readonly step: Float64Array
  readonly curvature: Float64Array
  /** Rise over way, from node j to j + 1. */
  readonly slope: Float64Array
}

export const drawPath = (circuit: Circuit, offset: Float64Array): Path => {
  const size = offset.length
  const x = new Float64Array(size)
  const y = new Float64Array(size)
  const z = new Float64Array(size)
  for (let j = 0; j < size; j++) {
    const n = (j - LEAD + circuit.nodes) % circuit.nodes
    x[j] = circuit.x[n]! + circuit.normalX[n]! * offset[j]!
    y[j] = circuit.y[n]! + circuit.normalY[n]! * offset[j]!
    z[j] = circuit.z[n]!
  }
  const step = new Float64Array(size)
  const slope = new Float64Array(size)
  for (let j = 0; j + 1 < size; j++) {
    step[j] = Math.hypot(x[j + 1]! - x[j]!, y[j + 1]! - y[j]!, z[j + 1]! - z[j]!)
    slope[j] = (z[j + 1]! - z[j]!) / step[j]!
  }
  step[size - 1] = step[size - 2]!
  slope[size - 1] = slope[size - 2]!
  return { x, y, z, step, slope, curvature: curvature(x, y) }
}
