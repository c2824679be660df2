/**
 * Statistics on which one bad value has little effect. Pure functions over numbers; inputs are never changed.
 *
 * Sources: Huber & Ronchetti, Robust Statistics, 2nd ed. 2009 (median, MAD); Iglewicz & Hoaglin, How to Detect and
 * Handle Outliers, 1993 (the modified z-score and its limit of 3.5); Croux & Rousseeuw, Time-efficient algorithms for
 * two highly robust estimators of scale, 1992 (the MAD of few values); Theil 1950 and Sen 1968 (the slope); Hyndman &
 * Fan, Sample quantiles in statistical packages, 1996 (quantiles, type 7).
 */
import { lowerBound } from "../../domain/RowBatch.ts"
import { medianWithin, select } from "./select.ts"

/** Turns the MAD of a normal distribution into its standard deviation: 1 / quantile(3/4) of the standard normal. */
export const MAD_TO_SIGMA = 1.4826

/** A modified z-score beyond this is an outlier (Iglewicz & Hoaglin 1993). */
export const OUTLIER_Z = 3.5

/** The factor by which the MAD of few values is too small on average (Croux & Rousseeuw 1992), by count. */
const FEW = [1, 1, 1.196, 1.495, 1.363, 1.206, 1.2, 1.14, 1.129, 1.107]

const fewFactor = (count: number): number => FEW[count] ?? count / (count - 0.8)

export const sorted = (values: ArrayLike<number>): Float64Array => new Float64Array(values).sort()

/** The middle value; the mean of the middle two for an even count. NaN for no values. */
export const median = (values: ArrayLike<number>): number => medianWithin(new Float64Array(values))

/**
 * The middle value; for an even count the greater of the middle two, so that it is one of the values. Undefined for no
 * values.
 */
export const upperMedian = (values: ArrayLike<number>): number | undefined =>
  sorted(values)[values.length >>> 1]

/** The median of the distances from `centre`, not scaled to a standard deviation. NaN for no values. */
export const mad = (values: ArrayLike<number>, centre: number = median(values)): number => {
  const distances = new Float64Array(values.length)
  for (let i = 0; i < values.length; i++) distances[i] = Math.abs(values[i]! - centre)
  return medianWithin(distances)
}

/** The standard deviation estimated by the MAD, corrected for few values. 0 for a single one, NaN for no values. */
export const robustSigma = (values: ArrayLike<number>): number =>
  MAD_TO_SIGMA * fewFactor(values.length) * mad(values)

/** 0.6745 (x - median) / MAD, with a spread of at least `floor` (a standard deviation). */
export const modifiedZ = (value: number, centre: number, sigma: number, floor: number): number => {
  const spread = Math.max(sigma, floor)
  return spread > 0 ? (value - centre) / spread : 0
}

/** The comparison for a value: the others' median and spread (a standard deviation, from the MAD). */
export interface Baseline {
  readonly centre: number
  readonly sigma: number
  readonly count: number
}

export const baselineOf = (values: ArrayLike<number>): Baseline => {
  const centre = median(values)
  return {
    centre,
    sigma: MAD_TO_SIGMA * fewFactor(values.length) * mad(values, centre),
    count: values.length
  }
}

/** The value at `at` of a sorted row from which the one at `skip` is left out. */
const valueAt = (row: Float64Array, skip: number, at: number): number => row[at >= skip ? at + 1 : at]!

/**
 * The nth distance downwards from `centre`. The first one belongs to the value at `below`; `below` is also the number
 * of values.
 */
const down = (row: Float64Array, skip: number, centre: number, below: number, n: number): number =>
  n < 0 ? -Infinity : n > below ? Infinity : centre - valueAt(row, skip, below - n)

/** The same upwards, from the value after `below` on, with `count` values in all. */
const up = (
  row: Float64Array,
  skip: number,
  centre: number,
  below: number,
  count: number,
  n: number
): number => {
  const at = below + 1 + n
  return n < 0 ? -Infinity : at >= count ? Infinity : valueAt(row, skip, at) - centre
}

/**
 * The baseline of all values of a sorted row but the one at `without` (-1: of all), in logarithmic time and without
 * allocation: the result is written to `into`, where that is given. Distances from the median rise to either side of
 * it, so the MAD is selected from two sorted rows.
 */
export const baselineWithout = (
  row: Float64Array,
  size: number,
  without: number,
  into: { -readonly [Figure in keyof Baseline]: number } = { centre: Number.NaN, sigma: Number.NaN, count: 0 }
): Baseline => {
  const count = without < 0 ? size : size - 1
  const skip = without < 0 ? size : without
  into.count = count
  if (count === 0) {
    into.centre = Number.NaN
    into.sigma = Number.NaN
    return into
  }
  const half = count >>> 1
  const odd = count % 2 === 1
  const middle = valueAt(row, skip, half)
  // As medians: never -0.
  const centre = (odd ? middle : (valueAt(row, skip, half - 1) + middle) / 2) + 0
  const below = odd ? half : half - 1
  // How many of the half + 1 smallest distances lie below the median: the least number after which the next distance is
  // greater than the last of the others.
  let fewest = 0
  let most = half + 1
  while (fewest < most) {
    const taken = (fewest + most) >>> 1
    if (down(row, skip, centre, below, taken) < up(row, skip, centre, below, count, half - taken)) {
      fewest = taken + 1
    } else most = taken
  }
  const lastDown = down(row, skip, centre, below, fewest - 1)
  const lastUp = up(row, skip, centre, below, count, half - fewest)
  const last = Math.max(lastDown, lastUp)
  let spread = last
  if (!odd) {
    const before =
      lastDown > lastUp
        ? Math.max(down(row, skip, centre, below, fewest - 2), lastUp)
        : Math.max(lastDown, up(row, skip, centre, below, count, half - fewest - 1))
    spread = (before + last) / 2
  }
  into.centre = centre
  into.sigma = MAD_TO_SIGMA * fewFactor(count) * spread
  return into
}

/** The baseline of all values but the given one, which is among them; of all values where none is left out. */
export const leavingOneOut = (values: ArrayLike<number>): ((own: number | null) => Baseline) => {
  const row = sorted(values)
  return (own) => baselineWithout(row, row.length, own === null ? -1 : lowerBound(row, own))
}

/**
 * The value below which `share` (0..1) of them lie: linear between ranks, type 7 of Hyndman & Fan. NaN for no values.
 */
export const quantile = (values: ArrayLike<number>, share: number): number => {
  const row = sorted(values)
  return rank(row, share * (row.length - 1))
}

/** A quantile of this many values is as good as one of all, to some per cent. */
const SAMPLED = 400

/**
 * Approximates the quantile of the first `count` of many values, in linear time: the nearest rank of an even sample.
 * NaNs are ignored; 0 for no values.
 */
export const roughQuantile = (values: Float64Array, share: number, count: number = values.length): number => {
  const every = Math.max(1, Math.floor(count / SAMPLED))
  const row = new Float64Array(Math.ceil(count / every))
  let size = 0
  for (let i = 0; i < count; i += every) if (!Number.isNaN(values[i]!)) row[size++] = values[i]!
  return size === 0 ? 0 : select(row.subarray(0, size), Math.round(share * (size - 1)))
}

const rank = (row: Float64Array, at: number): number => {
  const low = Math.floor(at)
  const high = Math.min(row.length - 1, low + 1)
  return row.length === 0 ? Number.NaN : row[low]! + (at - low) * (row[high]! - row[low]!)
}

export interface FittedLine {
  readonly slope: number
  readonly intercept: number
}

/**
 * The line through the points whose slope is the median of the slopes of all pairs (Theil 1950, Sen 1968), and whose
 * intercept is the median of y - slope x. Up to 29 % of the points may have any value. A single point, or points at one
 * x, give slope 0; no points give NaN.
 */
export const theilSen = (x: ArrayLike<number>, y: ArrayLike<number>): FittedLine => {
  const slopes: Array<number> = []
  for (let i = 0; i < x.length; i++) {
    for (let j = i + 1; j < x.length; j++) {
      if (x[j] !== x[i]) slopes.push((y[j]! - y[i]!) / (x[j]! - x[i]!))
    }
  }
  const slope = slopes.length === 0 ? 0 : median(slopes)
  const rest = new Float64Array(x.length)
  for (let i = 0; i < x.length; i++) rest[i] = y[i]! - slope * x[i]!
  return { slope, intercept: median(rest) }
}

/**
 * The arithmetic mean; NaN for no values. Values are added in order of size, so that their order in the input does not
 * matter.
 */
export const mean = (values: ArrayLike<number>): number => {
  const row = sorted(values)
  let sum = 0
  for (const value of row) sum += value
  return row.length === 0 ? Number.NaN : sum / row.length
}

/** The standard deviation of a sample (n - 1); NaN for fewer than two. */
export const standardDeviation = (values: ArrayLike<number>): number => {
  const row = sorted(values)
  const centre = mean(row)
  let sum = 0
  for (const value of row) sum += (value - centre) ** 2
  return row.length < 2 ? Number.NaN : Math.sqrt(sum / (row.length - 1))
}
