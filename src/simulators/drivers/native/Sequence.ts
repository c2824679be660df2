/** The numbers that a feed gives to its points, or to the samples of one group: what shows that some were lost. */
export class Sequence {
  #expected: number | undefined

  /**
   * Rows lost before these. A sequence that falls is a feed that started over, not a loss; one that a double
   * cannot hold exactly is no sequence.
   */
  advance(sequence: number | undefined, length: number): number {
    if (sequence === undefined) return 0
    if (!Number.isSafeInteger(sequence)) {
      this.#expected = undefined
      return 0
    }
    const missing = this.#expected === undefined ? 0 : Math.max(0, sequence - this.#expected)
    this.#expected = sequence + length
    return missing
  }

  /** Rows that were numbered, and refused: they arrived, so the next sequence must not show them as missing. */
  skip(length: number): void {
    if (this.#expected !== undefined) this.#expected += length
  }

  /** What follows is another beginning. */
  forget(): void {
    this.#expected = undefined
  }
}

/** Whether a message may say this of the number of its first row; undefined: they are not numbered. */
export const isSequence = (said: unknown): said is number | undefined =>
  said === undefined || (Number.isInteger(said) && (said as number) >= 0)
