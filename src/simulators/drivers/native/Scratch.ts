/** Kept from one use to the next, 1 MiB: all that waits at a busy feed at once. More, for a huge message, is given back. */
const KEPT_DOUBLES = 131_072

/**
 * Memory that is used again and again for what is only at work. A new buffer for each batch makes V8 collect its whole
 * heap again and again, by the buffers' bytes: at a million points a second that took a third of a core.
 */
export class Scratch {
  #doubles = new Float64Array(0)
  #used = 0

  /** What was taken before is free to be taken again. */
  reset(): void {
    this.#used = 0
    if (this.#doubles.length > KEPT_DOUBLES) this.#doubles = new Float64Array(0)
  }

  /** So many doubles of any values, until `reset`. */
  take(length: number): Float64Array<ArrayBuffer> {
    if (this.#used + length > this.#doubles.length) {
      // What was taken of the old memory stays as it is.
      this.#doubles = new Float64Array(Math.max(length, 2 * this.#doubles.length))
      this.#used = 0
    }
    this.#used += length
    return this.#doubles.subarray(this.#used - length, this.#used)
  }
}
