/**
 * The way between two places, m, for loops over points: `Math.hypot` takes any number of arguments, and so puts each on the heap. It
 * guards against squares that overflow, which those of metres do not.
 */
export const wayBetween = (fromX: number, fromY: number, toX: number, toY: number): number => {
  const x = toX - fromX
  const y = toY - fromY
  return Math.sqrt(x * x + y * y)
}
