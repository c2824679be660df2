/** Marks of an axis of values: round numbers. */

const ROUND = [1, 2, 5, 10]

/** The multiples of a round step from `low` to `high`, at most `most` of them. */
export const marksBetween = (low: number, high: number, most: number): ReadonlyArray<number> => {
  const least = (high - low) / Math.max(1, most - 1)
  if (!(least > 0) || !Number.isFinite(least)) return [low]
  const power = 10 ** Math.floor(Math.log10(least))
  const step = power * ROUND.find((one) => one * power >= least * (1 - 1e-9))!
  const first = Math.ceil(low / step - 1e-9)
  const count = Math.floor(high / step + 1e-9) - first + 1
  return Array.from({ length: count }, (_, k) => Number(((first + k) * step).toPrecision(12)))
}
