/**
 * The newest rows of one channel group of a session, by time. They give the group's channels as of a moment in the recent
 * past.
 *
 * Its rows and bytes are limited; the newest row is always kept. The rows are in a ring, so that a row needs no object.
 */
import { ABSENT, type RowBatch, sameChannels } from "../../domain/RowBatch.ts"

/** Two seconds at 1 kHz: the groups of a feed may be a second behind each other. */
const MAX_ROWS = 2048
const MAX_BYTES = 1024 * 1024
const MIN_ROWS = 8

const mostRows = (columns: number) => Math.max(1, Math.min(MAX_ROWS, Math.floor(MAX_BYTES / (8 * columns))))

export class GroupHistory {
  /** The names of the columns, including "timestamp". */
  #columns: ReadonlyArray<string>
  /** The index of the timestamp's column. */
  #timeColumn: number
  #ring: Float64Array
  /** The number of rows that the ring has room for. */
  #room: number
  /** The index of the oldest row. */
  #start = 0
  #count = 0

  constructor(columns: ReadonlyArray<string>) {
    this.#columns = columns
    this.#timeColumn = columns.indexOf("timestamp")
    this.#room = Math.min(MIN_ROWS, this.#most)
    this.#ring = new Float64Array(this.#room * columns.length)
  }

  get columns(): ReadonlyArray<string> {
    return this.#columns
  }

  get rows(): number {
    return this.#count
  }

  /**
   * Adds rows. Rows that are not newer than the newest one are known already and left out. Returns whether the columns
   * changed.
   */
  add(batch: RowBatch): boolean {
    const isOther = !sameChannels(batch.channels, this.#columns)
    if (isOther) this.#change(batch.channels)
    const { data, length, timestamps } = batch
    const width = this.#columns.length
    const newest = this.#count === 0 ? -Infinity : this.#time(this.#count - 1)
    // Skips rows that later rows of the batch would push out.
    for (let i = Math.max(0, length - this.#most); i < length; i++) {
      if (!(timestamps[i]! > newest)) continue
      const at = this.#next() * width
      for (let c = 0; c < width; c++) this.#ring[at + c] = data[c * length + i]!
    }
    return isOther
  }

  /** The last row at or before this time, for `value`; -1 if there is none, or if it was dropped. */
  rowAt(time: number): number {
    let low = 0
    let high = this.#count
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#time(middle) <= time) low = middle + 1
      else high = middle
    }
    return low - 1
  }

  value(row: number, column: number): number {
    return this.#ring[this.#place(row) * this.#columns.length + column]!
  }

  get #most(): number {
    return mostRows(this.#columns.length)
  }

  #place(row: number): number {
    return (this.#start + row) % this.#room
  }

  #time(row: number): number {
    return this.value(row, this.#timeColumn)
  }

  /** The index for one more row. */
  #next(): number {
    if (this.#count === this.#room && this.#room < this.#most) {
      this.#move(this.#columns, Math.min(2 * this.#room, this.#most))
    }
    if (this.#count < this.#room) return this.#place(this.#count++)
    const oldest = this.#start
    this.#start = (this.#start + 1) % this.#room
    return oldest
  }

  #change(columns: ReadonlyArray<string>): void {
    this.#move(columns, Math.min(this.#room, mostRows(columns.length)))
  }

  /** Moves the newest rows into another ring, by the names of their columns. */
  #move(columns: ReadonlyArray<string>, room: number): void {
    const kept = Math.min(this.#count, room)
    const from = columns.map((name) => this.#columns.indexOf(name))
    const ring = new Float64Array(room * columns.length)
    for (let k = 0; k < kept; k++) {
      const row = this.#count - kept + k
      for (const [c, source] of from.entries()) {
        ring[k * columns.length + c] = source < 0 ? ABSENT : this.value(row, source)
      }
    }
    this.#columns = columns
    this.#timeColumn = columns.indexOf("timestamp")
    this.#ring = ring
    this.#room = room
    this.#start = 0
    this.#count = kept
  }
}
