import type { Columns } from "../../domain/Dictionary.ts"
import { ABSENT, PointBatch, type SampleBatch } from "../../domain/PointBatch.ts"
import { widened } from "../widened.ts"
import { blockRows } from "./blockCodec.ts"
import { OpenBlock } from "./OpenBlock.ts"

/** Rows that there is room for at first: seconds of most groups. */
const FIRST_ROWS = 64

const noRows: SampleBatch = PointBatch.allocate<string>(0, [])

/**
 * Of samples of one group. Its columns are those of the first batch, and those that a later one has besides: what a row lacks is
 * absent in it. Packing what is there wherever a batch has other columns would make a block of each batch of a source that tells
 * now these and now those; an absent column costs some bytes of a block.
 *
 * Memory is taken as it fills, and doubled, since a session has many groups and most are slow.
 */
export class OpenSamples extends OpenBlock<string> {
  /** Raw blocks in which the rows are stored. */
  pieces = 0
  /** Columns of the newest batch, and where each stands here. */
  #taken: Columns = []
  #places: ReadonlyArray<number> = []
  /** Columns that the newest batch lacks. */
  #lacking: ReadonlyArray<number> = []

  constructor(last: number) {
    super(last, noRows)
  }

  get bytes(): number {
    return this.rows.data.byteLength
  }

  /** Without its rows, and their memory; the last time stays. */
  empty(): void {
    this.filled = 0
    this.pieces = 0
    this.#use(noRows)
  }

  protected get most(): number {
    return blockRows(this.rows.channels.length)
  }

  protected prepare(batch: SampleBatch, count: number, full: (rows: SampleBatch) => void): void {
    if (batch.channels !== this.#taken) this.#widen(batch.channels, full)
    if (this.filled < this.rows.length) return
    const wanted = Math.max(FIRST_ROWS, 2 * this.rows.length, this.filled + count)
    this.#use(this.#moved(Math.min(this.most, wanted), this.rows.channels))
  }

  protected take(batch: SampleBatch, from: number, to: number): void {
    const { data, length } = this.rows
    for (let c = 0; c < this.#places.length; c++) {
      const column = c * batch.length
      data.set(batch.data.subarray(column + from, column + to), this.#places[c]! * length + this.filled)
    }
    for (const place of this.#lacking) {
      const start = place * length + this.filled
      data.fill(ABSENT, start, start + to - from)
    }
  }

  /** Has the columns of the next batch, too. */
  #widen(columns: Columns, full: (rows: SampleBatch) => void): void {
    const known = new Set(this.rows.channels)
    const added = columns.filter((name) => !known.has(name))
    if (this.filled === 0) {
      // Begins anew, with what is told now.
      if (added.length > 0 || columns.length < known.size) this.#use(PointBatch.allocate(0, columns))
    } else if (added.length > 0) {
      const wider = [...this.rows.channels, ...added]
      // More columns make fewer rows.
      if (this.filled >= blockRows(wider.length)) {
        full(this.rows.slice(0, this.filled))
        this.filled = 0
        this.#use(PointBatch.allocate(0, columns))
      } else this.#use(this.#moved(Math.min(this.rows.length, blockRows(wider.length)), wider))
    }
    const places = new Map(this.rows.channels.map((name, place) => [name, place]))
    this.#taken = columns
    this.#places = columns.map((name) => places.get(name)!)
    const told = new Set(this.#places)
    this.#lacking = [...places.values()].filter((place) => !told.has(place))
  }

  /** The rows, with room for `length` and these columns. */
  #moved(length: number, columns: Columns): SampleBatch {
    const room = PointBatch.allocate(length, columns)
    const kept = widened(this.rows.slice(0, this.filled), columns)
    for (let c = 0; c < columns.length; c++) {
      room.data.set(kept.data.subarray(c * kept.length, (c + 1) * kept.length), c * length)
    }
    return room
  }

  #use(rows: SampleBatch): void {
    if (rows.channels !== this.rows.channels) this.#taken = []
    this.rows = rows
  }
}
