/**
 * One live client of the WebSocket: its socket and its heartbeat.
 *
 * `ws` does the handshake, reads, answers pings and closes; messages bypass it: the same Buffer goes to the raw
 * socket of every subscriber, which costs what it costs a program that only writes to sockets, and 0.8 of stringifying and
 * ws.send for each (bench/fanout.ts). That is sound because both only ever write whole frames synchronously,
 * and nothing is compressed.
 *
 * Guarantees: those of NewestOnly. Nothing is written after a close frame, ours or the client's.
 *
 * Hard cases. A client that neither reads nor closes: the heartbeat ends it. One that does not answer our
 * close: ws ends the connection after CLOSE_GRACE_MS. One that vanishes: ws listens to the socket's errors.
 */
import type { Socket } from "node:net"
import { WebSocket } from "ws"
import type { Announcement, Listener, Wish } from "./Listener.ts"
import { type Encoding, NewestOnly, type Tally } from "./NewestOnly.ts"
import { BEHIND_BYTES, CLOSE_GOING_AWAY, PING_INTERVAL_MS, PINGS_MISSED } from "./protocol.ts"
import type { Parcel } from "./Parcel.ts"
import type { TimingService } from "./Timing.ts"

/** What subscribers of one hub share. */
export interface SubscriberContext {
  readonly timing: TimingService
  readonly tally: Tally
  readonly gone: (subscriber: Subscriber) => void
}

const asFrames: Encoding = {
  parcel: ({ bytes }) => bytes,
  newest: ({ newest }) => newest,
  event: ({ frame }) => frame,
  behindBytes: BEHIND_BYTES
}

export class Subscriber implements Listener {
  readonly wish: Wish
  readonly #ws: WebSocket
  readonly #timing: TimingService
  readonly #messages: NewestOnly
  #unanswered = 0
  #stopHeartbeat: () => void

  /** `gone` is called once, when the connection has ended whichever way. */
  constructor(ws: WebSocket, socket: Socket, wish: Wish, { gone, tally, timing }: SubscriberContext) {
    this.wish = wish
    this.#ws = ws
    this.#timing = timing
    const isOpen = () => ws.readyState === WebSocket.OPEN
    this.#messages = new NewestOnly({ socket, tally, isOpen, encoding: asFrames })
    this.#stopHeartbeat = timing.after(PING_INTERVAL_MS, this.#beat)
    ws.on("pong", () => (this.#unanswered = 0))
    // A frame that breaks the protocol or is too big: ws is closing with the right code already.
    ws.on("error", () => {})
    ws.once("close", () => {
      this.#stopHeartbeat()
      this.#messages.end()
      gone(this)
    })
  }

  send(parcel: Parcel): void {
    this.#messages.send(parcel)
  }

  sendEvent(announcement: Announcement): void {
    this.#messages.sendEvent(announcement)
  }

  /** Says that the server is going away; within CLOSE_GRACE_MS the connection has ended. */
  dismiss(): void {
    this.#ws.close(CLOSE_GOING_AWAY, "server is going away")
  }

  readonly #beat = () => {
    if (this.#unanswered >= PINGS_MISSED) return this.#ws.terminate()
    this.#unanswered++
    this.#ws.ping()
    this.#stopHeartbeat = this.#timing.after(PING_INTERVAL_MS, this.#beat)
  }
}
