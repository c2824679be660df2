/** The numbers of a feed's points, or of the samples of one group, which show lost rows. */
export class Sequence {
  #expected: number | undefined

  /**
   * The number of rows that were lost before these. A sequence that falls is a feed that started over, not a loss; a
   * sequence that a double cannot hold exactly is no sequence.
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

  /** These numbered rows were refused: they arrived, so the next sequence must not show them as missing. */
  skip(length: number): void {
    if (this.#expected !== undefined) this.#expected += length
  }

  /** The next rows begin a new sequence. */
  forget(): void {
    this.#expected = undefined
  }
}

/** Whether this may be the number of a message's first row; undefined means that rows have no numbers. */
export const isSequence = (said: unknown): said is number | undefined =>
  said === undefined || (Number.isInteger(said) && (said as number) >= 0)
