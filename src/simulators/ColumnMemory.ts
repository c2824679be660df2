/** The maximum number of values in an array that V8 keeps in its own heap, which is the cheapest memory. */
const MAX_IN_HEAP = 8
/** The number of values in one block of memory (32 kB). A simulator at 60 Hz fills one in a second. */
const VALUES = 1 << 12

/**
 * Memory for the columns of batches that are freed soon and together. An array of 1 kB costs more than reading a
 * datagram, in calls to the system's allocator and in garbage collections. So many arrays share one block, which lives
 * until the last of them is gone.
 */
export class ColumnMemory {
  #memory = new Float64Array(0)
  #used = 0

  /** Memory for this many values, all 0. No other caller has it. */
  take(values: number): Float64Array {
    if (values <= MAX_IN_HEAP || values > VALUES) return new Float64Array(values)
    if (this.#used + values > this.#memory.length) {
      this.#memory = new Float64Array(VALUES)
      this.#used = 0
    }
    const from = this.#used
    this.#used += values
    // Twice as fast as `subarray`, which first looks for the constructor.
    return new Float64Array(this.#memory.buffer, from * Float64Array.BYTES_PER_ELEMENT, values)
  }
}
