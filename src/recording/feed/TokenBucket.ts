/**
 * Limits how many sessions or laps a feed may cause: a rate per second, and a burst after a quiet period. Plain. The
 * caller passes the clock's time, in ms; a clock that is set back takes no tokens away.
 */

export class TokenBucket {
  readonly #perSecond: number
  readonly #atOnce: number
  /** How many more the feed may cause; below 0, the excess that it has caused. */
  #left: number
  #at: number | undefined

  constructor(perSecond: number, atOnce: number) {
    this.#perSecond = perSecond
    this.#atOnce = atOnce
    this.#left = atOnce
  }

  /** Counts `count` more, whether they were allowed or not. */
  spend(count: number, now: number): void {
    this.#refill(now)
    this.#left -= count
  }

  /** Whether one more is allowed. */
  allows(now: number): boolean {
    this.#refill(now)
    return this.#left >= 1
  }

  /** Whether one more is allowed; if so, it counts. */
  take(now: number): boolean {
    const allowed = this.allows(now)
    if (allowed) this.#left--
    return allowed
  }

  /** Whether the feed had exceeded its limit, at the last time that was passed. */
  get isOverdrawn(): boolean {
    return this.#left < 0
  }

  /** How long until the feed is within its limit again, ms; 0 if it is already. */
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
