import invariant from "tiny-invariant"
import type { Channel } from "./pointChannels.ts"

/**
 * The value of a channel that a point's source does not send: the NaN with the bits 0x7FF8000000000000, and no other,
 * so that every store keeps points bit by bit. It is never 0, and calculations with it give NaN.
 */
export const ABSENT = Number.NaN

/** A value in JSON: null if the value is absent. */
export const orNull = (value: number): number | null => (Number.isNaN(value) ? null : value)

/** Fewer values than this are copied one by one: a view of them costs more, and leaves garbage. */
const MIN_VIEWED = 32

const copyInto = (
  target: Float64Array,
  at: number,
  source: Float64Array,
  from: number,
  length: number
): void => {
  if (length >= MIN_VIEWED) target.set(source.subarray(from, from + length), at)
  else for (let i = 0; i < length; i++) target[at + i] = source[from + i]!
}

/**
 * Rows of a group as columns, "timestamp" among them: the unit that queues and stores take and return.
 *
 * `data` holds the columns one after another, `length` values each, in the order of `channels`. So a batch is one
 * allocation, is copied by one memcpy, and has the layout of a packed native feed message. A batch that was read with
 * only some channels has only those. Units are those of the channels (pointChannels.ts, vocabulary.ts).
 */
export class RowBatch<Name extends string = string> {
  readonly length: number
  readonly data: Float64Array
  readonly channels: ReadonlyArray<Name>
  #times: Float64Array | undefined

  constructor(length: number, data: Float64Array, present: ReadonlyArray<Name>) {
    invariant(data.length === length * present.length, "a batch's data is its columns, no more and no less")
    this.length = length
    this.data = data
    this.channels = present
  }

  static allocate<Name extends string>(length: number, present: ReadonlyArray<Name>): RowBatch<Name> {
    return new RowBatch(length, new Float64Array(length * present.length), present)
  }

  /** The values of one channel, as a view, not a copy. */
  column(channel: Name): Float64Array {
    const index = this.channels.indexOf(channel)
    invariant(index >= 0, `this batch was read without ${channel}`)
    return this.data.subarray(index * this.length, (index + 1) * this.length)
  }

  /** A view, not a copy, made once, because every part that a batch passes through uses it. */
  get timestamps(): Float64Array {
    return (this.#times ??= this.#viewTimes())
  }

  #viewTimes(): Float64Array {
    const index = (this.channels as ReadonlyArray<string>).indexOf("timestamp")
    invariant(index >= 0, "this batch was read without timestamps")
    return this.data.subarray(index * this.length, (index + 1) * this.length)
  }

  /** The rows `from` (inclusive) to `to` (exclusive); the batch itself if these are all its rows. */
  slice(from: number, to: number): RowBatch<Name> {
    if (from === 0 && to === this.length) return this
    const part = RowBatch.allocate(to - from, this.channels)
    for (let c = 0; c < this.channels.length; c++) {
      copyInto(part.data, c * part.length, this.data, c * this.length + from, part.length)
    }
    return part
  }

  /** The same rows in memory of their own. */
  copy(): RowBatch<Name> {
    return new RowBatch(this.length, this.data.slice(), this.channels)
  }

  /** Only these channels, in this order; the batch itself if it has exactly these. */
  only<Wanted extends Name>(wanted: ReadonlyArray<Wanted>): RowBatch<Wanted> {
    if (hasChannels(this, wanted)) return this
    const part = RowBatch.allocate<Wanted>(this.length, wanted)
    wanted.forEach((channel, c) => part.data.set(this.column(channel), c * this.length))
    return part
  }

  /** The rows at `indexes`, in that order. */
  pick(indexes: ArrayLike<number>): RowBatch<Name> {
    const part = RowBatch.allocate(indexes.length, this.channels)
    for (let c = 0; c < this.channels.length; c++) {
      const source = c * this.length
      const target = c * part.length
      for (let i = 0; i < indexes.length; i++) part.data[target + i] = this.data[source + indexes[i]!]!
    }
    return part
  }

  /**
   * One batch with the rows of all, in order; they must have the same channels. Without batches, it has no rows and no
   * channels.
   */
  static concat<Name extends string>(batches: ReadonlyArray<RowBatch<Name>>): RowBatch<Name> {
    const [first] = batches
    if (first !== undefined && batches.length === 1) return first
    const present: ReadonlyArray<Name> = first?.channels ?? []
    const whole = RowBatch.allocate(
      batches.reduce((sum, batch) => sum + batch.length, 0),
      present
    )
    let at = 0
    for (const batch of batches) {
      invariant(sameChannels(batch.channels, present), "batches of different channels are not one")
      for (let c = 0; c < present.length; c++) {
        copyInto(whole.data, c * whole.length + at, batch.data, c * batch.length, batch.length)
      }
      at += batch.length
    }
    return whole
  }
}

/** Telemetry points: rows of the group `points` with all of its channels. */
export type PointBatch = RowBatch<Channel>

export const sameChannels = (a: ReadonlyArray<string>, b: ReadonlyArray<string>) =>
  a === b || (a.length === b.length && a.every((channel, i) => channel === b[i]))

const hasChannels = <Name extends string>(
  batch: RowBatch,
  wanted: ReadonlyArray<Name>
): batch is RowBatch<Name> => sameChannels(wanted, batch.channels)

/** The batch with these columns; columns that it lacks are absent. The batch itself if it has exactly these. */
export const inColumns = (batch: RowBatch, columns: ReadonlyArray<string>): RowBatch => {
  if (sameChannels(batch.channels, columns)) return batch
  const whole: RowBatch = RowBatch.allocate(batch.length, columns)
  const sources = new Map(batch.channels.map((name, c) => [name, c]))
  columns.forEach((name, c) => {
    const from = sources.get(name)
    const at = c * batch.length
    if (from === undefined) whole.data.fill(ABSENT, at, at + batch.length)
    else copyInto(whole.data, at, batch.data, from * batch.length, batch.length)
  })
  return whole
}

/** The first index from `from` to `to` whose value is not below `wanted`, or `to` (binary search; `values` increase). */
export const lowerBound = (
  values: Float64Array,
  wanted: number,
  from: number = 0,
  to: number = values.length
): number => {
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high) >>> 1
    if (values[middle]! < wanted) low = middle + 1
    else high = middle
  }
  return low
}
