/**
 * The way between two places, m, for loops over points: `Math.hypot` takes any number of arguments, and so puts each on the heap, for
 * it guards against squares that overflow. Those of metres do not; where a feed says a number whose square does (beyond 1.3e154 m),
 * this asks `Math.hypot`, so that the way is a number like any other.
 */
export const wayBetween = (fromX: number, fromY: number, toX: number, toY: number): number => {
  const x = toX - fromX
  const y = toY - fromY
  const way = Math.sqrt(x * x + y * y)
  return way === Infinity ? Math.hypot(x, y) : way
}
