/**
 * The way between two places, m, for loops over points. `Math.hypot` takes any number of arguments, and so puts each on
 * the heap; in return it guards against squares that overflow. Squares of metres do not. Where a feed sends a number
 * whose square does (beyond 1.3e154 m), this calls `Math.hypot`, so that the result is still a number.
 */
export const wayBetween = (fromX: number, fromY: number, toX: number, toY: number): number => {
  const x = toX - fromX
  const y = toY - fromY
  const way = Math.sqrt(x * x + y * y)
  return way === Infinity ? Math.hypot(x, y) : way
}
