/**
 * One session at one rate: what is sent of it, decided and built once for all subscribers of that rate.
 *
 * Guarantees: messages leave in the order of their points; a point that may not go yet is held as *the*
 * pending one, the newest wins, and it goes when it is due: the last point of a burst always arrives.
 *
 * Hard cases. A held point is a copy, and is built as a message only when it goes, since most held points never do.
 * There is one alarm, for what comes first of the pending point and the end of an idle
 * session; it is left standing when it has become too early, and looks again, because moving an alarm at
 * every message would cost more than one idle call. An alarm never waits longer than a timer can (2^31 ms).
 */
import type { PointBatch } from "../domain/PointBatch.ts"
import { TelemetryRun } from "./frames.ts"
import { Pace } from "./Pace.ts"
import type { TimingService } from "../Timing.ts"

/** A session that is silent for so long keeps no state; its next point starts afresh. */
export const IDLE_MS = 10_000

const MAX_WAIT_MS = 60_000

export class Cadence {
  readonly #sessionId: number
  readonly #timing: TimingService
  readonly #send: (run: TelemetryRun) => void
  readonly #idle: () => void
  readonly #pace: Pace
  /** One point, which may not go yet. */
  #pending: { readonly point: PointBatch; readonly number: number | undefined } | undefined
  /** Points offered since the last one that was sent, the pending one among them. */
  #leftOut = 0
  #lastOffer = 0
  #alarm: { readonly at: number; readonly cancel: () => void } | undefined

  /** `idle` is called once, when there is nothing more to remember. */
  constructor(
    sessionId: number,
    rate: number,
    timing: TimingService,
    send: (run: TelemetryRun) => void,
    idle: () => void
  ) {
    this.#sessionId = sessionId
    this.#timing = timing
    this.#send = send
    this.#idle = idle
    this.#pace = new Pace(rate)
  }

  /** A batch of the session, one point at least, and the number of its first. It is read during the call only. */
  offer(batch: PointBatch, first?: number | undefined): void {
    const now = this.#timing.now()
    this.#lastOffer = now
    const last = batch.length - 1
    const chosen = this.#pace.choose(batch.timestamps, now)
    const sent = chosen[chosen.length - 1]
    this.#pending =
      sent === last
        ? undefined
        : { point: batch.pick([last]), number: first === undefined ? undefined : first + last }
    if (sent === undefined) this.#leftOut += batch.length
    else {
      const numbers = { first, chosen, leftOut: this.#leftOut }
      this.#leftOut = last - sent
      this.#send(new TelemetryRun(this.#sessionId, batch.pick(chosen), numbers))
    }
    this.#arm(now)
  }

  /** Sends the pending point now and forgets everything. */
  end(): void {
    this.#alarm?.cancel()
    this.#alarm = undefined
    this.#sendPending(this.#timing.now())
  }

  #sendPending(now: number): void {
    const pending = this.#pending
    if (pending === undefined) return
    this.#pending = undefined
    this.#pace.sentPending(pending.point.timestamps[0]!, now)
    const numbers = { first: pending.number, chosen: [0], leftOut: this.#leftOut - 1 }
    this.#leftOut = 0
    this.#send(new TelemetryRun(this.#sessionId, pending.point, numbers))
  }

  #arm(now: number): void {
    const wanted = this.#pending === undefined ? this.#lastOffer + IDLE_MS : this.#pace.pendingDue
    const at = Math.max(now, Math.min(wanted, now + MAX_WAIT_MS))
    if (this.#alarm !== undefined) {
      if (this.#alarm.at <= at) return
      this.#alarm.cancel()
    }
    // A timer may ring a fraction early; a whole millisecond more saves the second look.
    this.#alarm = { at, cancel: this.#timing.after(Math.ceil(at - now), this.#ring) }
  }

  readonly #ring = () => {
    const now = this.#timing.now()
    this.#alarm = undefined
    if (this.#pending === undefined && now >= this.#lastOffer + IDLE_MS) return this.#idle()
    if (now >= this.#pace.pendingDue) this.#sendPending(now)
    this.#arm(now)
  }
}
