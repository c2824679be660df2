/**
 * The time that a channel spends at its values, in bins of one width over a span. A value holds until the next sample; it does not hold
 * longer than a given time, so a hole in the data adds to no bin, nor does the time for which a channel was absent.
 */
import type { LapSpan } from "../domain/Lap.ts"

export interface Bins {
  /** The lower edge of the first bin. */
  readonly low: number
  readonly width: number
  readonly count: number
}

/** About so many bins are a shape that the eye sees, if nobody asks for a width. */
const USUAL_BINS = 40
/** Steps of a scale: round numbers. */
const ROUND = [1, 2, 2.5, 5, 10]

/** The smallest round number that is not below `least`. */
const roundWidth = (least: number): number => {
  const power = 10 ** Math.floor(Math.log10(least))
  return power * ROUND.find((step) => step * power >= least * (1 - 1e-9))!
}

/** A value that is an edge but for the rounding of doubles is in the bin above, as a share of a bin. */
const ROUNDING = 1e-9

const binAt = (value: number, low: number, width: number) => Math.floor((value - low) / width + ROUNDING)

/**
 * Bins over the values from `min` to `max`, whose edges are multiples of the width. `isWhole`: there is nothing between whole numbers, and
 * each stands in the middle of its bin.
 */
export const binsOver = (min: number, max: number, isWhole: boolean, width?: number): Bins => {
  const spread = max - min
  const usual = spread > 0 ? roundWidth(spread / USUAL_BINS) : 1
  const wide = width ?? (isWhole ? Math.max(1, Math.ceil(usual)) : usual)
  const shift = isWhole ? 0.5 : 0
  const first = binAt(min, -shift, wide)
  const count = binAt(max, -shift, wide) - first + 1
  return { low: first * wide - shift, width: wide, count }
}

export class Histogram {
  readonly #bins: Bins
  readonly #span: LapSpan
  readonly #longest: number
  readonly #seconds: Float64Array
  #time = Number.NaN
  #value = Number.NaN

  /** `longest`: how long a value holds at most, s. */
  constructor(bins: Bins, span: LapSpan, longest: number) {
    this.#bins = bins
    this.#span = span
    this.#longest = longest
    this.#seconds = new Float64Array(bins.count)
  }

  /** Takes samples of the span by time; `values[i]` belongs to `times[i]`. */
  add(times: Float64Array, values: Float64Array): void {
    for (let i = 0; i < times.length; i++) {
      this.#hold(times[i]!)
      this.#time = times[i]!
      this.#value = values[i]!
    }
  }

  /** Seconds in each bin. */
  seconds(): Float64Array {
    this.#hold(this.#span.endTime)
    this.#value = Number.NaN
    return this.#seconds
  }

  #hold(until: number): void {
    const seconds = until - Math.max(this.#time, this.#span.startTime)
    if (Number.isNaN(this.#value) || seconds <= 0 || until - this.#time > this.#longest) return
    const { count, low, width } = this.#bins
    const bin = binAt(this.#value, low, width)
    this.#seconds[Math.min(count - 1, Math.max(0, bin))]! += seconds
  }
}
