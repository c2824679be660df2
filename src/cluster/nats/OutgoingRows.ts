/**
 * Points and samples for the other nodes: encoded only where a node wants them, and no more than the bus takes. Beyond MAX_UNSENT messages
 * points are left out, since the next ones are newer, and samples wait for the next points.
 */
import { SampleBacklog } from "../../live/channels/SampleBacklog.ts"
import type { Bus } from "./Bus.ts"
import type { Peers } from "./Peers.ts"
import { encodePoints, encodeSamples, type Points, type Samples } from "./rows.ts"

/** How many messages the bus may be behind: one second of a session at 60 Hz. */
const MAX_UNSENT = 64

export class OutgoingRows {
  readonly #bus: Bus
  readonly #peers: Peers
  readonly #held = new SampleBacklog()
  /** Messages that the bus has not taken as far as is known. */
  #unsent = 0
  #isFlushing = false
  /** Messages since the start. */
  sent = 0
  leftOut = 0

  constructor(bus: Bus, peers: Peers) {
    this.#bus = bus
    this.#peers = peers
  }

  points(update: Points): void {
    const { sessionId } = update
    if (!this.#bus.isUp() || !this.#peers.wants(sessionId)) return
    if (this.#unsent >= MAX_UNSENT) return void this.leftOut++
    const groups = this.#held.take(sessionId)
    if (groups !== undefined) this.#sendSamples({ type: "samples", sessionId, groups })
    for (const bytes of encodePoints(update)) this.#send(`live.${sessionId}`, bytes)
  }

  samples(samples: Samples): void {
    const { groups, sessionId } = samples
    if (!this.#bus.isUp() || this.#peers.watching.length === 0) return
    if (this.#unsent < MAX_UNSENT && !this.#held.has(sessionId)) return this.#sendSamples(samples)
    for (const rows of groups) this.#held.add(sessionId, rows)
  }

  /** Drops what waits for a session that starts or ends. */
  forget(sessionId: number): void {
    this.#held.forget(sessionId)
  }

  #sendSamples(samples: Samples): void {
    for (const bytes of encodeSamples(samples)) {
      for (const { node } of this.#peers.watching) this.#send(`samples.${node}`, bytes)
    }
  }

  #send(subject: string, bytes: Uint8Array): void {
    this.sent++
    this.#unsent++
    this.#bus.publish(subject, bytes)
    this.#flush()
  }

  /** Asks the bus, with one question at a time, whether it has taken what was sent. */
  #flush(): void {
    if (this.#isFlushing) return
    this.#isFlushing = true
    const before = this.#unsent
    const taken = (rest: number) => {
      this.#isFlushing = false
      this.#unsent = rest
      if (rest > 0) this.#flush()
    }
    this.#bus.flush().then(
      () => taken(this.#unsent - before),
      // A bus that went away has dropped everything.
      () => taken(0)
    )
  }
}
