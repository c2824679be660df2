/**
 * How much of something a feed may cause: so much a second, and so much at once after it has caused nothing for a while. Plain; the
 * clock is the caller's, in ms, and one that is set back takes nothing away.
 */

export class TokenBucket {
  readonly #perSecond: number
  readonly #atOnce: number
  /** How many the feed may still cause; below 0, how many it caused before they were allowed. */
  #left: number
  #at: number | undefined

  constructor(perSecond: number, atOnce: number) {
    this.#perSecond = perSecond
    this.#atOnce = atOnce
    this.#left = atOnce
  }

  /** Something was caused, whether it may be or not. */
  spend(count: number, now: number): void {
    this.#refill(now)
    this.#left -= count
  }

  /** Whether one more may be caused. */
  allows(now: number): boolean {
    this.#refill(now)
    return this.#left >= 1
  }

  /** The same; one that may be caused then counts. */
  take(now: number): boolean {
    const allowed = this.allows(now)
    if (allowed) this.#left--
    return allowed
  }

  /** Whether more was caused than was allowed when the clock was last given. */
  get isOverdrawn(): boolean {
    return this.#left < 0
  }

  /** How long until all that the feed caused is allowed, ms; 0 where it is. */
  wait(now: number): number {
    this.#refill(now)
    return this.#left >= 0 ? 0 : (-this.#left / this.#perSecond) * 1000
  }

  #refill(now: number): void {
    const elapsed = Math.max(0, now - (this.#at ?? now))
    this.#at = now
    this.#left = Math.min(this.#left + (elapsed / 1000) * this.#perSecond, this.#atOnce)
  }
}
