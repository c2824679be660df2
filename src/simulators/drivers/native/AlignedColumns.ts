import { KEPT_DOUBLES } from "./Scratch.ts"

/**
 * The columns of a packed message as arrays of doubles. A payload may begin at any byte that the socket read, so it is
 * copied to memory that is aligned for doubles. The next message reuses that memory; a huge message's memory is freed.
 *
 * A feed's messages usually have the same length, so the views of the columns are kept, too. At a million points
 * a second, ten views for each message were 11 MB of garbage a second (measured).
 */
export class AlignedColumns {
  #doubles = new Float64Array(0)
  #bytes = new Uint8Array(this.#doubles.buffer)
  /** Views of the columns that were requested, with `#length` rows each. */
  #views: Array<Float64Array> = []
  #length = 0

  /** Takes a payload: columns of `length` doubles each, one after the other. */
  set(payload: Uint8Array, length: number): void {
    const doubles = payload.byteLength / Float64Array.BYTES_PER_ELEMENT
    if (doubles > this.#doubles.length || this.#doubles.length > KEPT_DOUBLES) this.#allocate(doubles)
    if (length !== this.#length) this.#views = []
    this.#length = length
    this.#bytes.set(payload)
  }

  /** The payload's values, of all columns; values of earlier payloads follow them. */
  get values(): Float64Array {
    return this.#doubles
  }

  /** The values of a column, by its index, until the next payload. */
  column(index: number): Float64Array {
    const from = index * this.#length
    return (this.#views[index] ??= this.#doubles.subarray(from, from + this.#length))
  }

  #allocate(doubles: number): void {
    this.#doubles = new Float64Array(Math.max(doubles, KEPT_DOUBLES))
    this.#bytes = new Uint8Array(this.#doubles.buffer)
    this.#views = []
  }
}
