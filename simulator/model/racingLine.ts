/** The line of least curvature within the edges, which a driver aims for. */
import { periodicBSpline } from "./spline.ts"

/** The columns of a circuit that the line needs. */
export interface CentreLine {
  readonly nodes: number
  readonly halfWidth: number
  readonly x: Float64Array
  readonly y: Float64Array
  readonly normalX: Float64Array
  readonly normalY: Float64Array
}

/** Half a car and a margin to the kerb, m. */
const EDGE_M = 1.4
/** Spacing of the finest level, m: well below the shortest bend. */
const FINEST_M = 8
const LEVELS = 4
const SWEEPS = 250
/** Over-relaxation of the sweeps; 1 is plain Gauss-Seidel, 2 diverges. */
const OVER = 1.5

/**
 * Metres left of the centre line at each node.
 *
 * Minimises the sum of squared second differences of the positions, each free to move along its normal: the minimum-curvature
 * line (Braghin et al., Race driver model, 2008), by Gauss-Seidel sweeps from a coarse grid to a fine one, because a sweep
 * spreads changes only from neighbour to neighbour.
 */
export const racingLine = (centre: CentreLine): Float64Array => {
  const limit = centre.halfWidth - EDGE_M
  let offsets = new Float64Array(Math.round(centre.nodes / (FINEST_M * 2 ** (LEVELS - 1))))
  for (let level = 0; level < LEVELS; level++) {
    if (level > 0) {
      const coarse = offsets
      offsets = new Float64Array(coarse.length * 2)
      for (let i = 0; i < coarse.length; i++) {
        offsets[2 * i] = coarse[i]!
        offsets[2 * i + 1] = (coarse[i]! + coarse[(i + 1) % coarse.length]!) / 2
      }
    }
    relax(centre, offsets, limit)
  }
  return Float64Array.from({ length: centre.nodes }, (_, n) =>
    periodicBSpline(offsets, (n / centre.nodes) * offsets.length)
  )
}

const relax = (centre: CentreLine, offsets: Float64Array, limit: number): void => {
  const count = offsets.length
  const node = Int32Array.from({ length: count }, (_, i) => Math.round((i / count) * centre.nodes))
  const x = node.map(() => 0)
  const px = Float64Array.from(x, (_, i) => centre.x[node[i]!]! + centre.normalX[node[i]!]! * offsets[i]!)
  const py = Float64Array.from(x, (_, i) => centre.y[node[i]!]! + centre.normalY[node[i]!]! * offsets[i]!)
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (let i = 0; i < count; i++) {
      const a = (i + count - 2) % count
      const b = (i + count - 1) % count
      const d = (i + 1) % count
      const e = (i + 2) % count
      const nx = centre.normalX[node[i]!]!
      const ny = centre.normalY[node[i]!]!
      // The gradient is the fourth difference along the normal; 6 is its own coefficient.
      const gx = px[a]! - 4 * px[b]! + 6 * px[i]! - 4 * px[d]! + px[e]!
      const gy = py[a]! - 4 * py[b]! + 6 * py[i]! - 4 * py[d]! + py[e]!
      const moved = offsets[i]! - (OVER * (nx * gx + ny * gy)) / 6
      const offset = Math.min(limit, Math.max(-limit, moved))
      offsets[i] = offset
      px[i] = centre.x[node[i]!]! + nx * offset
      py[i] = centre.y[node[i]!]! + ny * offset
    }
  }
}
