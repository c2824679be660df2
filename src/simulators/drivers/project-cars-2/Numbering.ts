/** A greater step is another count, not a loss: a silence so long is a lost link. */
const MOST_LOST = 1000

/**
 * Telemetry that was lost, by its number among its own kind. That this is what the number counts is taken from its
 * name, so it is believed only once two packets in a row were numbered in a row.
 */
export class Numbering {
  #last = Number.NaN
  #isProved = false

  /** The next step says nothing. */
  restart(): void {
    this.#last = Number.NaN
  }

  lostBefore(number: number): number {
    const step = number - this.#last
    this.#last = number
    if (step === 1) this.#isProved = true
    return this.#isProved && step > 1 && step <= MOST_LOST ? step - 1 : 0
  }
}
