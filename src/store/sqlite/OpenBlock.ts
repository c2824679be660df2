import { type Channel, lowerBound, PointBatch } from "../../domain/PointBatch.ts"
import { justAfter } from "../../domain/Time.ts"
import { BLOCK_POINTS } from "./blockCodec.ts"

/**
 * The newest block of a session, or of one of its groups, which is not full yet: columns are filled from the left, and
 * emptied when full.
 */
export abstract class OpenBlock<Name extends string> {
  protected rows: PointBatch<Name>
  protected filled = 0
  #last: number

  /** `last`: the time of the last row stored, -Infinity before the first. */
  constructor(last: number, rows: PointBatch<Name>) {
    this.#last = last
    this.rows = rows
  }

  get length(): number {
    return this.filled
  }

  /**
   * Takes the batch's rows that are later than the last one. Each time they fill the block, `full` gets its rows, which are
   * valid during the call.
   */
  add(batch: PointBatch<Name>, full: (rows: PointBatch<Name>) => void): void {
    let from = lowerBound(batch.timestamps, justAfter(this.#last))
    while (from < batch.length) {
      this.prepare(batch, batch.length - from, full)
      const to = Math.min(batch.length, from + this.rows.length - this.filled)
      this.take(batch, from, to)
      this.#last = batch.timestamps[to - 1]!
      this.filled += to - from
      from = to
      if (this.filled < this.most) continue
      full(this.rows)
      this.filled = 0
    }
  }

  /** The block's rows: the first `length` of these, valid until the next `add`. */
  get content(): PointBatch<Name> {
    return this.rows
  }

  /** Rows of a full block. */
  protected abstract readonly most: number
  /** Makes room for one or more of `count` rows of the batch. */
  protected abstract prepare(
    batch: PointBatch<Name>,
    count: number,
    full: (rows: PointBatch<Name>) => void
  ): void
  /** Copies these rows after the existing ones. */
  protected abstract take(batch: PointBatch<Name>, from: number, to: number): void
}

/** An open block of points, which all have the same columns. */
export class OpenPoints extends OpenBlock<Channel> {
  protected readonly most = BLOCK_POINTS

  constructor(last: number) {
    super(last, PointBatch.allocate(BLOCK_POINTS))
  }

  protected prepare(): void {}

  protected take(batch: PointBatch, from: number, to: number): void {
    const { channels, data, length } = this.rows
    for (let c = 0; c < channels.length; c++) {
      const column = c * batch.length
      data.set(batch.data.subarray(column + from, column + to), c * length + this.filled)
    }
  }
}
