/** So many values fit into an array that V8 keeps in its own heap, which is the cheapest there is. */
const MAX_IN_HEAP = 8
/** Of one memory, 32 kB: a simulator at 60 Hz fills one in a second. */
const VALUES = 1 << 12

/**
 * Memory for the columns of batches that leave soon and together. Arrays of 1 kB each cost more than reading a datagram, in calls to
 * the system's allocator and in collections; so many share one memory, which lives until the last of them is gone.
 */
export class ColumnMemory {
  #memory = new Float64Array(0)
  #used = 0

  /** So many values, shared with no other caller: each is 0. */
  take(values: number): Float64Array {
    if (values <= MAX_IN_HEAP || values > VALUES) return new Float64Array(values)
    if (this.#used + values > this.#memory.length) {
      this.#memory = new Float64Array(VALUES)
      this.#used = 0
    }
    const from = this.#used
    this.#used += values
    return this.#memory.subarray(from, this.#used)
  }
}
