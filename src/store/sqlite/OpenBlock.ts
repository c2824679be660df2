import { lowerBound, PointBatch } from "../../domain/PointBatch.ts"
import { justAfter } from "../../domain/Time.ts"
import { BLOCK_POINTS } from "./blockCodec.ts"

/** The newest block of a session, which is not full: columns that are filled from the left, and emptied when full. */
export class OpenBlock {
  readonly #points = PointBatch.allocate(BLOCK_POINTS)
  #length = 0
  #last: number

  /** `last`: the time of the last point stored, -Infinity before the first. */
  constructor(last: number) {
    this.#last = last
  }

  get length(): number {
    return this.#length
  }

  /**
   * Takes the batch's points that are later than the last one. Each time that they fill the block, `full` gets its points,
   * which are valid during the call.
   */
  add(batch: PointBatch, full: (points: PointBatch) => void): void {
    const { channels, data, length } = this.#points
    let from = lowerBound(batch.timestamps, justAfter(this.#last))
    while (from < batch.length) {
      const to = Math.min(batch.length, from + length - this.#length)
      for (let c = 0; c < channels.length; c++) {
        const column = c * batch.length
        data.set(batch.data.subarray(column + from, column + to), c * length + this.#length)
      }
      this.#last = batch.timestamps[to - 1]!
      this.#length += to - from
      from = to
      if (this.#length < length) continue
      full(this.#points)
      this.#length = 0
    }
  }

  /** As many of these as its length are its points, until it is added to. */
  get points(): PointBatch {
    return this.#points
  }
}
