/**
 * Rows of a group at the even times of a log (formats.md, 4.2): a row's own value within half a millisecond of its time,
 * else the value as of the row before (steps and flags), or between the two rows (others; angles the shorter way). Over a
 * gap the last value stays. Before the first row, values are absent. Plain.
 */
import type { ChannelKind } from "../../domain/Dictionary.ts"
import { gapAfter } from "../../domain/lapLimits.ts"
import type { RowBatch } from "../../domain/RowBatch.ts"

const SAME_S = 0.0005
/** Rows that are made together. */
const PIECE_ROWS = 4096

const between = (kind: ChannelKind, a: number, b: number, share: number): number => {
  if (kind === "step" || kind === "flag" || Number.isNaN(a) || Number.isNaN(b)) return a
  if (kind === "continuous") return a + share * (b - a)
  const turn = ((b - a + 540) % 360) - 180
  return (((a + share * turn) % 360) + 360) % 360
}

export class Resampler {
  readonly #kinds: ReadonlyArray<ChannelKind>
  readonly #rate: number
  readonly #start: number
  readonly #count: number
  readonly #gap: number
  readonly #last: Float64Array
  #lastTime = Number.NEGATIVE_INFINITY
  #next = 0
  readonly #piece: ReadonlyArray<Float64Array>
  /** 1 in a gap. */
  readonly #gaps = new Float64Array(PIECE_ROWS)
  #filled = 0
  readonly #write: (first: number, columns: ReadonlyArray<Float64Array>, gaps: Float64Array) => void

  /** `write`: gets pieces of rows, from the row `first` on; it must copy what it keeps. */
  constructor(
    kinds: ReadonlyArray<ChannelKind>,
    { count, rate, start }: { readonly count: number; readonly rate: number; readonly start: number },
    write: (first: number, columns: ReadonlyArray<Float64Array>, gaps: Float64Array) => void
  ) {
    this.#kinds = kinds
    this.#rate = rate
    this.#start = start
    this.#count = count
    this.#gap = gapAfter(1 / rate)
    this.#last = new Float64Array(kinds.length).fill(Number.NaN)
    this.#piece = kinds.map(() => new Float64Array(PIECE_ROWS))
    this.#write = write
  }

  /** The rows' columns: "timestamp", then those of the kinds. */
  push({ data, length, timestamps }: RowBatch): void {
    for (let i = 0; i < length; i++) {
      const time = timestamps[i]!
      while (this.#next < this.#count && this.#time() < time - SAME_S) this.#fill(time, data, length, i)
      for (let c = 0; c < this.#kinds.length; c++) this.#last[c] = data[(c + 1) * length + i]!
      this.#lastTime = time
      if (this.#next < this.#count && this.#time() <= time + SAME_S) this.#fill(time, data, length, i)
    }
  }

  /** All rows that are left have the last values. */
  finish(): void {
    while (this.#next < this.#count) this.#fill(Number.POSITIVE_INFINITY, this.#last, 0, 0)
    this.#flush()
  }

  #time(): number {
    return this.#start + this.#next / this.#rate
  }

  /** Fills the next row, which is not later than the given row of a batch. */
  #fill(time: number, data: Float64Array, length: number, row: number): void {
    const at = this.#time()
    const isOwn = this.#lastTime >= at - SAME_S
    const isGap = time - this.#lastTime > this.#gap
    const share = isOwn || isGap ? 0 : (at - this.#lastTime) / (time - this.#lastTime)
    for (let c = 0; c < this.#kinds.length; c++) {
      const last = this.#last[c]!
      this.#piece[c]![this.#filled] =
        share === 0 ? last : between(this.#kinds[c]!, last, data[(c + 1) * length + row]!, share)
    }
    this.#gaps[this.#filled] = isGap && !isOwn ? 1 : 0
    this.#filled++
    this.#next++
    if (this.#filled === PIECE_ROWS) this.#flush()
  }

  #flush(): void {
    const rows = this.#filled
    if (rows === 0) return
    this.#write(
      this.#next - rows,
      this.#piece.map((column) => column.subarray(0, rows)),
      this.#gaps.subarray(0, rows)
    )
    this.#filled = 0
  }
}
