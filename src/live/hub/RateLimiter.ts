import { lowerBound } from "../../domain/RowBatch.ts"

/**
 * How far ahead of its rate a session may be sent on the wall clock.
 *
 * Points of a real-time feed arrive in bunches: the simulator packs them (100 ms is usual), or the network or a busy
 * event loop delays them. A limit without slack would send the first of a bunch and drop the rest of a 60 Hz feed at
 * rate 60. With this slack, bunches of up to 250 ms pass whole. Over a longer time the rate is kept; a replay at 100x
 * gains 15 messages at 60 Hz once.
 */
export const BURST_MS = 250

/**
 * How early a point may be on the feed's clock, in intervals, so that jitter of its timestamps loses nothing at the feed's
 * own rate. Not 0.5: a feed at an even multiple of the rate would then have a point exactly on the limit, which rounding
 * would accept only sometimes.
 */
const EARLY = 0.45

/** A pending point waits at most this much longer than its turn for a newer one to take it. */
const PATIENCE_MS = 50

/** The interval of a rate, ms. It is limited for rates near 0: longer than any session, and still an exact integer. */
const intervalOf = (rate: number): number => Math.min(1000 / rate, Number.MAX_SAFE_INTEGER)

/**
 * Chooses points one interval apart on the feed's clock, at most EARLY too soon, by the Generic Cell Rate Algorithm (see
 * RateLimiter).
 */
export class FeedClockLimiter {
  /** Feed clock, s. */
  readonly #interval: number
  /** When the next point is due: feed clock, s. */
  #due = -Infinity

  /** `rate` in Hz, above 0. */
  constructor(rate: number) {
    this.#interval = intervalOf(rate) / 1000
  }

  /** The indexes of the points to send, increasing; `timestamps` (s) continue the earlier ones. */
  choose(timestamps: Float64Array): ReadonlyArray<number> {
    const chosen: Array<number> = []
    for (let from = 0; ; from++) {
      from += lowerBound(timestamps.subarray(from), this.#due - EARLY * this.#interval)
      if (from >= timestamps.length) return chosen
      chosen.push(from)
      this.sent(timestamps[from]!)
    }
  }

  /** Notes that a point (feed clock, s) was sent. */
  sent(timestamp: number): void {
    this.#due = Math.max(this.#due, timestamp) + this.#interval
  }
}

/**
 * Decides which points may be sent at a rate. It has two limits, both by the Generic Cell Rate Algorithm (ITU-T I.371,
 * annex A; a token bucket kept as one number, the time at which the next message is due).
 *
 * - On the feed's clock: the points sent are one interval apart, at most EARLY too soon. This spreads the points of a packed
 *   batch.
 * - On the wall clock: the rate is kept whatever the feed's speed; a point is at most BURST_MS too soon.
 */
export class RateLimiter {
  readonly #interval: number
  readonly #feedClock: FeedClockLimiter
  /** When the next point is due: wall clock, ms. */
  #due = -Infinity

  /** `rate` in Hz, above 0. */
  constructor(rate: number) {
    this.#interval = intervalOf(rate)
    this.#feedClock = new FeedClockLimiter(rate)
  }

  /**
   * The indexes of the points to send at `now` (ms), increasing; `timestamps` (s) continue the earlier ones. If the wall
   * clock allows fewer than the feed's, the chosen points stay evenly spread and end with the newest.
   */
  choose(timestamps: Float64Array, now: number): ReadonlyArray<number> {
    const candidates = this.#feedClock.choose(timestamps)
    const allowed = this.#allowed(now)
    if (allowed === 0 || candidates.length === 0) return []
    const chosen =
      candidates.length <= allowed
        ? candidates
        : Array.from(
            { length: allowed },
            (_, k) => candidates[Math.ceil(((k + 1) * candidates.length) / allowed) - 1]!
          )
    this.#due = Math.max(this.#due, now) + chosen.length * this.#interval
    return chosen
  }

  /**
   * When a point that was not chosen may be sent, ms: strictly by the wall clock, without the slack for bunches, and a
   * little later, so that in a steady feed the next regular point is sent instead.
   */
  get pendingDue(): number {
    return this.#due + Math.min(this.#interval / 2, PATIENCE_MS)
  }

  /** Notes that a pending point (feed clock, s) was sent at `now` (ms). */
  sentPending(timestamp: number, now: number): void {
    this.#feedClock.sent(timestamp)
    this.#due = Math.max(this.#due, now) + this.#interval
  }

  #allowed(now: number): number {
    const early = Math.max(this.#due, now) - now
    return early > BURST_MS ? 0 : Math.floor((BURST_MS - early) / this.#interval) + 1
  }
}
