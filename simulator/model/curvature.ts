/** Nodes to each side: wide enough to be free of the grid, narrow against the tightest hairpin. */
export const CURVATURE_REACH = 3

/**
 * The signed curvature (1/m, positive to the left) at each node of a row of points: of the circle through the
 * point and two neighbours (Menger). The ends, which lack a neighbour, take the nearest value.
 */
export const curvature = (x: Float64Array, y: Float64Array): Float64Array => {
  const result = new Float64Array(x.length)
  const reach = CURVATURE_REACH
  for (let i = reach; i < x.length - reach; i++) {
    const ax = x[i]! - x[i - reach]!
    const ay = y[i]! - y[i - reach]!
    const bx = x[i + reach]! - x[i]!
    const by = y[i + reach]! - y[i]!
    const sides = Math.hypot(ax, ay) * Math.hypot(bx, by) * Math.hypot(ax + bx, ay + by)
    result[i] = (2 * (ax * by - ay * bx)) / sides
  }
  result.fill(result[reach]!, 0, reach)
  result.fill(result[x.length - reach - 1]!, x.length - reach)
  return result
}
