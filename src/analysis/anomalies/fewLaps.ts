/**
 * Judges values against few laps. The deviation estimated by the MAD of a few normal values is sometimes far too small
 * by chance, so that a normal value seems many deviations out. The tables give the number of deviations by the number
 * of the others. They come from 500,000 to 3,000,000 normal rows drawn for each number (a value less the median of n
 * others, over their MAD_TO_SIGMA corrected MAD); the tests draw them again.
 */
import { median, OUTLIER_Z, quantile } from "../math/robust.ts"
import { NINE_IN_TEN } from "../compare/trust.ts"

/** Deviations beyond which 1 in 500 normal values lies on one side, for 2 others, 3, ... 17. */
const OUTLIER = [156, 186, 18.4, 19.2, 9.43, 9.59, 6.96, 6.9, 5.79, 5.73, 5.09, 5.05, 4.66, 4.69, 4.41, 4.3]
/** The same for many others; it is larger for fewer than some 30. */
const OUTLIER_OF_MANY = 2.88
/** Deviations within which nine in ten lie, on both sides, for 2 others, 3, ... 17. */
const USUAL = [6.2, 7.06, 3.19, 3.27, 2.54, 2.55, 2.29, 2.28, 2.16, 2.14, 2.06, 2.06, 1.99, 1.98, 1.94, 1.92]
const FEWEST = 2

/** The deviation of the difference between a normal value and the median of this many others. */
const toMedian = (others: number): number =>
  others === 2 ? Math.sqrt(1.5) : Math.sqrt(1 + Math.PI / (2 * others))

/** Continues the table towards the value for many, as 1 / n. */
const tail = (table: ReadonlyArray<number>, others: number, many: number): number => {
  const last = table.length + FEWEST - 1
  return table[others - FEWEST] ?? many + ((table.at(-1)! - many) * last) / others
}

/**
 * How far a value must lie above the median of `others` so that chance does not explain it, in their unit. `sigma`: the
 * spread that they show; at least `floor` is used. With few others, the correction for few values counts only up to
 * `most`, the spread of the least constant drivers: otherwise no value among three could ever be an outlier.
 */
export const outlierBeyond = (others: number, sigma: number, floor: number, most: number): number =>
  Math.min(
    Math.max(OUTLIER_Z, tail(OUTLIER, others, OUTLIER_OF_MANY)) * Math.max(sigma, floor),
    Math.max(OUTLIER_Z * Math.max(sigma, floor), OUTLIER_OF_MANY * toMedian(others) * Math.max(sigma, most))
  )

/** The distance from the median of `others` within which nine in ten values of the same kind lie. `most` as above. */
export const usuallyWithin = (others: number, sigma: number, most: number): number =>
  Math.min(tail(USUAL, others, NINE_IN_TEN) * sigma, NINE_IN_TEN * toMedian(others) * Math.max(sigma, most))

/** With fewer laps, nine in ten are all but one or two. */
const SHOWS_TAIL = 20

/**
 * The deviation of values of which nine in ten lie within 1.645 of it; 0 for few values. Where traffic holds up one lap
 * in ten, it is more than the MAD shows.
 */
export const tailSigma = (values: ReadonlyArray<number>): number => {
  if (values.length < SHOWS_TAIL) return 0
  const centre = median(values)
  return (
    quantile(
      values.map((value) => Math.abs(value - centre)),
      0.9
    ) / NINE_IN_TEN
  )
}
