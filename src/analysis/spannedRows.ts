/**
 * Finds the rows of several spans of time in rows that are read once, by time: those in each span, and the last one before it, whose
 * values hold at its start. Spans may overlap, as a lap and its sectors do.
 */
import type { LapSpan } from "../domain/Lap.ts"
import { lowerBound, type RowBatch } from "../domain/RowBatch.ts"

/** Takes rows of a span: those from `from` to `until` (exclusive) of the batch. */
export type TakeRows = (span: number, batch: RowBatch, from: number, until: number) => void

export class SpannedRows {
  readonly #spans: ReadonlyArray<LapSpan>
  readonly #take: TakeRows
  /** Whether a span has got rows. */
  readonly #begun: Uint8Array
  /** The last row of all batches before. */
  #last: RowBatch | undefined

  constructor(spans: ReadonlyArray<LapSpan>, take: TakeRows) {
    this.#spans = spans
    this.#take = take
    this.#begun = new Uint8Array(spans.length)
  }

  /** Takes the next rows by time, "timestamp" among them. */
  add(batch: RowBatch): void {
    const { length, timestamps } = batch
    if (length === 0) return
    const [first, last] = [timestamps[0]!, timestamps[length - 1]!]
    for (const [span, { endTime, startTime }] of this.#spans.entries()) {
      const isBegun = this.#begun[span] === 1
      if (startTime > last || (isBegun && endTime <= first)) continue
      let from = 0
      if (!isBegun) {
        this.#begun[span] = 1
        from = lowerBound(timestamps, startTime)
        if (timestamps[from] !== startTime) {
          if (from > 0) from--
          else if (this.#last !== undefined) this.#take(span, this.#last, 0, 1)
        }
      }
      const until = lowerBound(timestamps, endTime, from)
      if (from < until) this.#take(span, batch, from, until)
    }
    this.#last = batch.pick([length - 1])
  }

  /** At the end of the rows: a span in which there was none has the last one before it. */
  end(): void {
    const last = this.#last
    if (last === undefined) return
    for (const [span, { startTime }] of this.#spans.entries()) {
      if (this.#begun[span] === 0 && last.timestamps[0]! <= startTime) this.#take(span, last, 0, 1)
    }
  }
}
