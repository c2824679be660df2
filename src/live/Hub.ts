/**
 * The live fan-out: what the recorder publishes goes to whoever watches, each at its own rate.
 *
 * Responsibilities: `Hub` knows who listens and groups them by rate (Audience) and session (Circle); a Cadence decides
 * what is sent of one session at one rate; the Outbox decides when it leaves; a Subscriber owns one socket; a stream of
 * another protocol shares one. All plain code that waits for nobody: a publish puts what is to be
 * sent into its circles and returns.
 *
 * Guarantees: a listener gets a session's points in order, and an event after the points that were sent
 * before it was announced. Nobody listening costs one look at an empty map, and one number kept.
 *
 * Hard cases. The configured rate changes: listeners that it caps move to another audience; what is
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
import { textFrame } from "./frames.ts"
import { type Announcement, type Listener, wants, type Wish } from "./Listener.ts"
import type { LiveEvent } from "./messages.ts"
import { Outbox } from "./Outbox.ts"
import { type Encoding, NewestOnly, type Tally } from "./NewestOnly.ts"
import { Subscriber } from "./Subscriber.ts"
import type { TimingService } from "../Timing.ts"

/** Sessions whose newest point's number is remembered: more than are ever recorded at once. */
const MAX_REMEMBERED = 256

export interface LiveStats {
  readonly subscribers: number
  /** Messages handed to sockets since the start. */
  readonly sent: number
  /** Messages not sent because a subscriber was behind; what its rate leaves out is not counted. */
  readonly skipped: number
}

/** A connection that is written to in an encoding, while `isOpen`. */
export interface StreamTo {
  readonly socket: Socket
  readonly encoding: Encoding
  readonly isOpen: () => boolean
}

// By schema, because the recorder's laps carry more fields than a reader sees.
const encodeLap = Schema.encodeSync(Lap)
const encodeSession = Schema.encodeSync(Session)

const announcementOf = ({ data, session_id, type }: LiveEvent): Announcement => {
  const event: LiveEvent =
    type === "lap"
      ? { type, data: encodeLap(data), session_id }
      : { type, data: encodeSession(data), session_id }
  return { event, frame: textFrame(JSON.stringify(event)) }
}

export class Hub {
  readonly #timing: TimingService
  readonly #watchers = new Set<(event: LiveEvent) => void>()
  readonly #listeners = new Map<Listener, Audience>()
  readonly #audiences = new Map<number, Audience>()
  readonly #outbox: Outbox
  readonly #tally: Tally = { sent: 0, skipped: 0 }
  readonly #newest = new Map<number, number>()
  #rate = defaultConfiguration.telemetry_rate
  #closing = false

  constructor(timing: TimingService) {
    this.#timing = timing
    this.#outbox = new Outbox(timing)
  }

  /** `first` is the number of the first point among the session's, where that is known. */
  readonly publish = (sessionId: number, batch: PointBatch, first?: number): void => {
    if (batch.length === 0) return
    if (first !== undefined) this.#remember(sessionId, first + batch.length - 1)
    for (const audience of this.#audiences.values()) audience.publish(sessionId, batch, first)
  }

  /** The number of the newest point of a session that is recorded; undefined where none was heard of. */
  readonly newestOf = (sessionId: number): number | undefined => this.#newest.get(sessionId)

  readonly announce = (event: LiveEvent): void => {
    for (const watch of this.#watchers) watch(event)
    const asked = [...this.#listeners.keys()].filter((listener) => wants(listener.wish, event))
    if (asked.length === 0) return
    const announcement = announcementOf(event)
    this.#outbox.flush()
    for (const listener of asked) listener.sendEvent(announcement)
  }

  /** Calls `watch` with every event, until what it returns is called. For who reads up on it in the catalog. */
  readonly watch = (watch: (event: LiveEvent) => void): (() => void) => {
    this.#watchers.add(watch)
    return () => void this.#watchers.delete(watch)
  }

  /** Takes over a WebSocket whose handshake is done, until it closes; `socket` is the one it runs on. */
  readonly subscribe = (ws: WebSocket, socket: Socket, wish: Wish): Subscriber => {
    const subscriber = new Subscriber(ws, socket, wish, {
      timing: this.#timing,
      tally: this.#tally,
      gone: this.#remove
    })
    this.#enter(subscriber)
    return subscriber
  }

  /** Writes what matches the wish to somebody else's connection, while that is open, until what it returns is called. */
  readonly stream = (wish: Wish, to: StreamTo): (() => void) => {
    const messages = new NewestOnly({ ...to, tally: this.#tally })
    const listener: Listener = {
      wish,
      send: (parcel) => messages.send(parcel),
      sendEvent: (announcement) => messages.sendEvent(announcement),
      // Whose connection it is ends with the service by itself.
      dismiss: () => {}
    }
    this.#enter(listener)
    return () => {
      messages.end()
      this.#remove(listener)
    }
  }

  /** The configured telemetry_rate, Hz above 0: the most that any subscriber gets of one session. */
  readonly setRate = (hz: number): void => {
    this.#rate = hz
    const movers = [...this.#listeners].filter(
      ([listener, audience]) => audience.rate !== this.#rateOf(listener)
    )
    for (const audience of new Set(movers.map(([, audience]) => audience))) audience.flush()
    this.#outbox.flush()
    for (const [listener, audience] of movers) {
      this.#leave(listener, audience)
      this.#listeners.set(listener, this.#join(listener))
    }
  }

  /** Every listener is told that the server is going away; so is who comes later. */
  readonly dismissAll = (): void => {
    this.#closing = true
    this.#outbox.flush()
    for (const listener of this.#listeners.keys()) listener.dismiss()
  }

  readonly stats = (): LiveStats => ({
    subscribers: this.#listeners.size + this.#watchers.size,
    ...this.#tally
  })

  /** Sessions and rates of which something is remembered: what must not grow. */
  get cadences(): number {
    let count = 0
    for (const audience of this.#audiences.values()) count += audience.cadences
    return count
  }

  /** Of many sessions the one heard of first goes; where it is still recorded, its next points bring it back. */
  #remember(sessionId: number, newest: number): void {
    this.#newest.set(sessionId, newest)
    if (this.#newest.size <= MAX_REMEMBERED) return
    for (const oldest of this.#newest.keys()) return void this.#newest.delete(oldest)
  }

  #enter(listener: Listener): void {
    this.#listeners.set(listener, this.#join(listener))
    if (this.#closing) listener.dismiss()
  }

  readonly #remove = (listener: Listener): void => {
    const audience = this.#listeners.get(listener)
    this.#listeners.delete(listener)
    if (audience !== undefined) this.#leave(listener, audience)
  }

  #rateOf({ wish }: Listener): number {
    return this.rateOf(wish)
  }

  /** The most that who wishes this gets of one session, Hz. */
  readonly rateOf = ({ rate }: Wish): number => Math.min(rate ?? Infinity, this.#rate)

  #join(listener: Listener): Audience {
    const rate = this.#rateOf(listener)
    let audience = this.#audiences.get(rate)
    if (audience === undefined) {
      audience = new Audience(rate, this.#timing, this.#outbox)
      this.#audiences.set(rate, audience)
    }
    audience.add(listener)
    return audience
  }

  #leave(listener: Listener, audience: Audience): void {
    audience.remove(listener)
    if (audience.empty) this.#audiences.delete(audience.rate)
  }
}
