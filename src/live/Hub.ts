/**
 * The live fan-out: what the recorder publishes goes to whoever watches, each at its own rate.
 *
 * Responsibilities: `Hub` knows the subscribers and groups them by rate (Audience); a Cadence decides what is
 * sent of one session at one rate; a Subscriber owns one socket; the Outbox writes. All plain
 * synchronous code: a publish ends when every socket has been handed its bytes, and waits for none of them.
 *
 * Guarantees: a subscriber gets a session's points in order, and an event after the points that were sent
 * before it was announced. Nobody listening costs one look at an empty map.
 *
 * Hard cases. The configured rate changes: subscribers that it caps move to another audience; what is
 * pending for them is sent first. A subscriber arrives while the hub closes: it is dismissed at once.
 *
 * Needs nothing of this process but the calls: a process that gets batches from a relay (session id, the
 * batch's columns) publishes them into a hub of its own.
 */
import { Schema } from "effect"
import type { Socket } from "node:net"
import type { WebSocket } from "ws"
import { defaultConfiguration } from "../domain/Configuration.ts"
import { Lap } from "../domain/Lap.ts"
import type { PointBatch } from "../domain/PointBatch.ts"
import { Session } from "../domain/Session.ts"
import { Audience } from "./Audience.ts"
import { type LiveEvent, textFrame } from "./frames.ts"
import { Outbox } from "./Outbox.ts"
import { Subscriber, type Tally, type Wish } from "./Subscriber.ts"
import type { TimingService } from "./Timing.ts"

export interface LiveStats {
  readonly subscribers: number
  /** Messages handed to sockets since the start. */
  readonly sent: number
  /** Messages not sent because a subscriber was behind; what its rate leaves out is not counted. */
  readonly skipped: number
}

// By schema, because the recorder's laps carry more fields than a reader sees.
const encodeLap = Schema.encodeSync(Lap)
const encodeSession = Schema.encodeSync(Session)

const eventText = (event: LiveEvent): string =>
  JSON.stringify({
    type: event.type,
    data: event.type === "lap" ? encodeLap(event.data) : encodeSession(event.data),
    session_id: event.session_id
  })

export class Hub {
  readonly #timing: TimingService
  readonly #subscribers = new Map<Subscriber, Audience>()
  readonly #audiences = new Map<number, Audience>()
  readonly #outbox: Outbox
  readonly #tally: Tally = { sent: 0, skipped: 0 }
  #rate = defaultConfiguration.telemetry_rate
  #closing = false

  constructor(timing: TimingService) {
    this.#timing = timing
    this.#outbox = new Outbox(timing)
  }

  readonly publish = (sessionId: number, batch: PointBatch): void => {
    if (batch.length === 0) return
    for (const audience of this.#audiences.values()) audience.publish(sessionId, batch)
  }

  readonly announce = (event: LiveEvent): void => {
    const asked = [...this.#subscribers.keys()].filter((subscriber) => subscriber.wants(event))
    if (asked.length === 0) return
    const frame = textFrame(eventText(event))
    this.#outbox.beginFanout()
    for (const subscriber of asked) subscriber.sendEvent(frame)
  }

  /** Takes over a WebSocket whose handshake is done, until it closes; `socket` is the one it runs on. */
  readonly subscribe = (ws: WebSocket, socket: Socket, wish: Wish): Subscriber => {
    const subscriber = new Subscriber(ws, socket, wish, {
      timing: this.#timing,
      outbox: this.#outbox,
      tally: this.#tally,
      gone: this.#remove
    })
    this.#subscribers.set(subscriber, this.#join(subscriber))
    if (this.#closing) subscriber.dismiss()
    return subscriber
  }

  /** The configured telemetry_rate, Hz above 0: the most that any subscriber gets of one session. */
  readonly setRate = (hz: number): void => {
    this.#rate = hz
    const movers = [...this.#subscribers].filter(
      ([subscriber, audience]) => audience.rate !== this.#rateOf(subscriber)
    )
    for (const audience of new Set(movers.map(([, audience]) => audience))) audience.flush()
    for (const [subscriber, audience] of movers) {
      this.#leave(subscriber, audience)
      this.#subscribers.set(subscriber, this.#join(subscriber))
    }
  }

  /** Every subscriber is told that the server is going away; so is who comes later. */
  readonly dismissAll = (): void => {
    this.#closing = true
    for (const subscriber of this.#subscribers.keys()) subscriber.dismiss()
  }

  readonly stats = (): LiveStats => ({ subscribers: this.#subscribers.size, ...this.#tally })

  /** Sessions and rates of which something is remembered: what must not grow. */
  get cadences(): number {
    let count = 0
    for (const audience of this.#audiences.values()) count += audience.cadences
    return count
  }

  readonly #remove = (subscriber: Subscriber): void => {
    const audience = this.#subscribers.get(subscriber)
    this.#subscribers.delete(subscriber)
    if (audience !== undefined) this.#leave(subscriber, audience)
  }

  #rateOf(subscriber: Subscriber): number {
    return Math.min(subscriber.askedRate ?? Infinity, this.#rate)
  }

  #join(subscriber: Subscriber): Audience {
    const rate = this.#rateOf(subscriber)
    let audience = this.#audiences.get(rate)
    if (audience === undefined) {
      audience = new Audience(rate, this.#timing, this.#outbox)
      this.#audiences.set(rate, audience)
    }
    audience.add(subscriber)
    return audience
  }

  #leave(subscriber: Subscriber, audience: Audience): void {
    audience.remove(subscriber)
    if (audience.empty) this.#audiences.delete(audience.rate)
  }
}
