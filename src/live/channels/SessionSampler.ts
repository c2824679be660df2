/**
 * Chooses the points of one session that subscribers of one rate get, and builds their messages once for all of them.
 *
 * Guarantees: messages leave in the order of their points. A point that comes too early is *pending*: a newer point replaces
 * it, and the sampler sends it when it is due. So the last point of a burst always arrives.
 *
 * Hard cases. The pending point is a copy, and becomes a message only when it is sent, because most are replaced. There is
 * one alarm, for the pending point or the end of an idle session, whichever comes first. An alarm that has become too early
 * stays, and the sampler checks again when it rings: moving it at every message would cost more. No alarm waits longer than a
 * timer can (2^31 ms).
 */
import type { PointBatch } from "../../domain/RowBatch.ts"
import type { SelectedValues } from "./ChannelHistory.ts"
import { type RunNumbers, TelemetryRun } from "../hub/frames.ts"
import { RateLimiter } from "../hub/RateLimiter.ts"
import type { TimingService } from "../../platform/Timing.ts"

/** A session that is silent for this long keeps no state; its next point starts afresh. */
export const IDLE_MS = 10_000

const MAX_WAIT_MS = 60_000

export class SessionSampler {
  readonly #sessionId: number
  readonly #timing: TimingService
  readonly #send: (run: TelemetryRun) => void
  readonly #idle: () => void
  readonly #limiter: RateLimiter
  readonly #channels: SelectedValues | undefined
  /** One point that is not due yet. */
  #pending: { readonly point: PointBatch; readonly number: number | undefined } | undefined
  /** Points offered since the last one that was sent, including the pending one. */
  #leftOut = 0
  #lastOffer = 0
  #alarm: { readonly at: number; readonly cancel: () => void } | undefined

  /**
   * The sampler calls `idle` once, when it has nothing more to remember. `selected` gives the channels that messages have
   * beside the points.
   */
  constructor(
    sessionId: number,
    rate: number,
    timing: TimingService,
    send: (run: TelemetryRun) => void,
    idle: () => void,
    selected?: SelectedValues
  ) {
    this.#sessionId = sessionId
    this.#timing = timing
    this.#send = send
    this.#idle = idle
    this.#channels = selected
    this.#limiter = new RateLimiter(rate)
  }

  /**
   * Offers a batch of the session, at least one point, and the number of its first. The sampler reads the batch during the
   * call only.
   */
  offer(batch: PointBatch, first?: number | undefined): void {
    const now = this.#timing.now()
    this.#lastOffer = now
    const last = batch.length - 1
    const chosen = this.#limiter.choose(batch.timestamps, now)
    const sent = chosen[chosen.length - 1]
    this.#pending =
      sent === last
        ? undefined
        : { point: batch.pick([last]), number: first === undefined ? undefined : first + last }
    if (sent === undefined) this.#leftOut += batch.length
    else {
      const numbers = { first, chosen, leftOut: this.#leftOut }
      this.#leftOut = last - sent
      this.#sendPoints(batch.pick(chosen), numbers)
    }
    this.#arm(now)
  }

  /** Sends the pending point now and drops all state. */
  end(): void {
    this.#alarm?.cancel()
    this.#alarm = undefined
    this.#sendPending(this.#timing.now())
  }

  #sendPending(now: number): void {
    const pending = this.#pending
    if (pending === undefined) return
    this.#pending = undefined
    this.#limiter.sentPending(pending.point.timestamps[0]!, now)
    const numbers = { first: pending.number, chosen: [0], leftOut: this.#leftOut - 1 }
    this.#leftOut = 0
    this.#sendPoints(pending.point, numbers)
  }

  #sendPoints(points: PointBatch, numbers: RunNumbers): void {
    this.#send(new TelemetryRun(this.#sessionId, points, numbers, this.#channels?.(points)))
  }

  #arm(now: number): void {
    const wanted = this.#pending === undefined ? this.#lastOffer + IDLE_MS : this.#limiter.pendingDue
    const at = Math.max(now, Math.min(wanted, now + MAX_WAIT_MS))
    if (this.#alarm !== undefined) {
      if (this.#alarm.at <= at) return
      this.#alarm.cancel()
    }
    // A timer may ring a fraction of a millisecond early; rounding up saves a second check.
    this.#alarm = { at, cancel: this.#timing.after(Math.ceil(at - now), this.#ring) }
  }

  readonly #ring = () => {
    const now = this.#timing.now()
    this.#alarm = undefined
    if (this.#pending === undefined && now >= this.#lastOffer + IDLE_MS) return this.#idle()
    if (now >= this.#limiter.pendingDue) this.#sendPending(now)
    this.#arm(now)
  }
}
