import type { Columns } from "../../domain/Dictionary.ts"
import { ABSENT, lowerBound, RowBatch } from "../../domain/RowBatch.ts"
import { justAfter } from "../../domain/Time.ts"
import { widened } from "../widened.ts"
import { blockRows } from "./blockCodec.ts"

/** Rows that a new block has room for: seconds of most groups. */
const FIRST_ROWS = 64

const noRows: RowBatch = RowBatch.allocate<string>(0, [])

/**
 * The newest block of a session's group, which is not full yet. Its columns are the columns of the first batch and all
 * that later batches add; a row has absent values in the columns that its batch lacks. If the block were packed
 * whenever the columns change, a source that alternates between sets of channels would get a block per batch. An absent
 * column costs only some bytes of a block.
 *
 * Memory is allocated as the block fills, and doubled, because a session has many groups and most of them are slow.
 */
export class OpenBlock {
  /** The number of raw blocks in which the rows are stored. */
  pieces = 0
  #rows = noRows
  #filled = 0
  #last: number
  /** The columns of the newest batch, and the index of each in the block. */
  #taken: Columns = []
  #places: ReadonlyArray<number> = []
  /** The columns that the newest batch lacks. */
  #lacking: ReadonlyArray<number> = []

  /** `last`: the time of the last row stored, -Infinity before the first. */
  constructor(last: number) {
    this.#last = last
  }

  get length(): number {
    return this.#filled
  }

  get bytes(): number {
    return this.#rows.data.byteLength
  }

  /** The block's rows: the first `length` of these, valid until the next `add`. */
  get content(): RowBatch {
    return this.#rows
  }

  /**
   * Takes the batch's rows that are later than the last one. Each time they fill the block, `full` gets its rows, which are
   * valid during the call.
   */
  add(batch: RowBatch, full: (rows: RowBatch) => void): void {
    let from = lowerBound(batch.timestamps, justAfter(this.#last))
    while (from < batch.length) {
      this.#prepare(batch, batch.length - from, full)
      const to = Math.min(batch.length, from + this.#rows.length - this.#filled)
      this.#take(batch, from, to)
      this.#last = batch.timestamps[to - 1]!
      this.#filled += to - from
      from = to
      if (this.#filled < this.#most) continue
      full(this.#rows)
      this.#filled = 0
    }
  }

  /** Drops the rows and their memory; the last time stays. */
  empty(): void {
    this.#filled = 0
    this.pieces = 0
    this.#use(noRows)
  }

  /** Rows of a full block. */
  get #most(): number {
    return blockRows(this.#rows.channels.length)
  }

  /** Makes room for one or more of `count` rows of the batch. */
  #prepare(batch: RowBatch, count: number, full: (rows: RowBatch) => void): void {
    if (batch.channels !== this.#taken) this.#widen(batch.channels, full)
    if (this.#filled < this.#rows.length) return
    const wanted = Math.max(FIRST_ROWS, 2 * this.#rows.length, this.#filled + count)
    this.#use(this.#moved(Math.min(this.#most, wanted), this.#rows.channels))
  }

  /** Copies these rows after the existing ones. */
  #take(batch: RowBatch, from: number, to: number): void {
    const { data, length } = this.#rows
    for (let c = 0; c < this.#places.length; c++) {
      const column = c * batch.length
      data.set(batch.data.subarray(column + from, column + to), this.#places[c]! * length + this.#filled)
    }
    for (const place of this.#lacking) {
      const start = place * length + this.#filled
      data.fill(ABSENT, start, start + to - from)
    }
  }

  /** Adds the columns of the next batch. */
  #widen(columns: Columns, full: (rows: RowBatch) => void): void {
    const known = new Set(this.#rows.channels)
    const added = columns.filter((name) => !known.has(name))
    if (this.#filled === 0) {
      // The block begins again with the columns of the present batch.
      if (added.length > 0 || columns.length < known.size) this.#use(RowBatch.allocate(0, columns))
    } else if (added.length > 0) {
      const wider = [...this.#rows.channels, ...added]
      // With more columns, a full block has fewer rows.
      if (this.#filled >= blockRows(wider.length)) {
        full(this.#rows.slice(0, this.#filled))
        this.#filled = 0
        this.#use(RowBatch.allocate(0, columns))
      } else this.#use(this.#moved(Math.min(this.#rows.length, blockRows(wider.length)), wider))
    }
    const places = new Map(this.#rows.channels.map((name, place) => [name, place]))
    this.#taken = columns
    this.#places = columns.map((name) => places.get(name)!)
    const given = new Set(this.#places)
    this.#lacking = [...places.values()].filter((place) => !given.has(place))
  }

  /** The rows, in memory for `length` rows and these columns. */
  #moved(length: number, columns: Columns): RowBatch {
    const room = RowBatch.allocate(length, columns)
    const kept = widened(this.#rows.slice(0, this.#filled), columns)
    for (let c = 0; c < columns.length; c++) {
      room.data.set(kept.data.subarray(c * kept.length, (c + 1) * kept.length), c * length)
    }
    return room
  }

  #use(rows: RowBatch): void {
    if (rows.channels !== this.#rows.channels) this.#taken = []
    this.#rows = rows
  }
}
