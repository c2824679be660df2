/**
 * Summarises a channel over a span of time, from its samples by time: extremes, mean over time, first, last, change and fall.
 * Absent values are left out, never counted as 0.
 */
import type { ChannelKind } from "../domain/Dictionary.ts"
import { ABSENT, orNull } from "../domain/RowBatch.ts"

/** Null where the channel was absent all the time; `mean` is also null for an angle. */
export interface ChannelSummary {
  readonly min: number | null
  readonly max: number | null
  readonly mean: number | null
  readonly first: number | null
  readonly last: number | null
  readonly change: number | null
  /** The sum of its falls from one sample to the next; null for an angle, too. */
  readonly fall: number | null
}

/** Takes the samples of one channel in order. */
export class ChannelSummarizer {
  readonly #kind: ChannelKind
  readonly #start: number
  readonly #end: number
  #time: number
  #value = ABSENT
  #hasFirst = false
  #first = ABSENT
  #min = ABSENT
  #max = ABSENT
  /** The last value that was present, and the sum of all falls from one value to the next. */
  #present = ABSENT
  #fall = 0
  /** The integral of the value over time, and the seconds for which the value was present. */
  #sum = 0
  #seconds = 0

  /** The span from `start` to `end`, s. */
  constructor(kind: ChannelKind, start: number, end: number) {
    this.#kind = kind
    this.#start = start
    this.#end = end
    this.#time = start
  }

  /**
   * Takes samples before the span's end, by time; `values[from + i]` belongs to `times[i]`. Of those not after its start, the
   * last one is the value as of the start. Where there is none, as in a session's first lap, the first one in the span counts
   * as `first`.
   */
  add(times: Float64Array, values: Float64Array, from = 0): void {
    let i = 0
    for (; i < times.length && times[i]! <= this.#start; i++) this.#begin(values[from + i]!)
    if (i < times.length && !this.#hasFirst) this.#setFirst(values[from + i]!)
    for (; i < times.length; i++) this.#take(times[i]!, values[from + i]!)
  }

  summary(): ChannelSummary {
    this.#take(this.#end, this.#value)
    const mean = this.#seconds > 0 ? this.#sum / this.#seconds : this.#value
    return {
      min: orNull(this.#min),
      max: orNull(this.#max),
      mean: this.#kind === "angle" ? null : orNull(mean),
      first: orNull(this.#first),
      last: orNull(this.#value),
      change: orNull(this.#value - this.#first),
      fall: this.#kind === "angle" || Number.isNaN(this.#present) ? null : this.#fall
    }
  }

  #begin(value: number): void {
    this.#value = value
    this.#present = value
    this.#setFirst(value)
    this.#min = value
    this.#max = value
  }

  #setFirst(value: number): void {
    this.#first = value
    this.#hasFirst = true
  }

  #take(time: number, value: number): void {
    const seconds = time - this.#time
    const over = this.#kind === "continuous" ? (this.#value + value) / 2 : this.#value
    if (!Number.isNaN(over)) {
      this.#sum += over * seconds
      this.#seconds += seconds
    }
    if (value < this.#present) this.#fall += this.#present - value
    if (!Number.isNaN(value)) this.#present = value
    if (!(value >= this.#min)) this.#min = Number.isNaN(value) ? this.#min : value
    if (!(value <= this.#max)) this.#max = Number.isNaN(value) ? this.#max : value
    this.#time = time
    this.#value = value
  }
}
