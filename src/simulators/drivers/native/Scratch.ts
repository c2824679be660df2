/**
 * The memory kept from one use to the next: 1 MiB, enough for the waiting messages of a busy feed. A huge message's is
 * freed.
 */
export const KEPT_DOUBLES = 131_072

/**
 * Memory that is reused for data that is only in use for a moment. A new buffer for each batch makes V8 collect its whole
 * heap again and again, because of the buffers' bytes: at a million points a second that took a third of a core.
 */
export class Scratch {
  #doubles = new Float64Array(0)
  #used = 0

  /** Frees all that was taken before. */
  reset(): void {
    this.#used = 0
    if (this.#doubles.length > KEPT_DOUBLES) this.#doubles = new Float64Array(0)
  }

  /** This many doubles of any values, until `reset`. */
  take(length: number): Float64Array<ArrayBuffer> {
    if (this.#used + length > this.#doubles.length) {
      // Arrays of the old memory stay valid.
      this.#doubles = new Float64Array(Math.max(length, 2 * this.#doubles.length))
      this.#used = 0
    }
    this.#used += length
    return this.#doubles.subarray(this.#used - length, this.#used)
  }
}
