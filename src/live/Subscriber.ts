/**
 * One live client: its socket, its heartbeat, and what it misses while it is behind.
 *
 * `ws` does the handshake, reads, answers pings and closes; messages bypass it: the same Buffer goes to the raw
 * socket of every subscriber, which costs what it costs a program that only writes to sockets, and 0.8 of stringifying and
 * ws.send for each (bench/fanout.ts). That is sound because both only ever write whole frames synchronously,
 * and nothing is compressed.
 *
 * Guarantees: messages leave in the order given. A subscriber that is behind (BEHIND_BYTES) costs a bounded
 * amount of memory: the newest message of each session and the newest KEPT_EVENTS events, sent when its
 * socket has drained. Nothing is written after a close frame, ours or the client's.
 *
 * Hard cases. A client that neither reads nor closes: the heartbeat ends it. One that does not answer our
 * close: ws ends the connection after CLOSE_GRACE_MS. One that vanishes: ws listens to the socket's errors.
 */
import type { Socket } from "node:net"
import { WebSocket } from "ws"
import type { TelemetryRun } from "./frames.ts"
import type { Announcement, Listener, Wish } from "./Listener.ts"
import { BEHIND_BYTES, CLOSE_GOING_AWAY, KEPT_EVENTS, PING_INTERVAL_MS, PINGS_MISSED } from "./protocol.ts"
import type { Parcel } from "./Parcel.ts"
import type { TimingService } from "./Timing.ts"

/** Messages so far, of all subscribers together. */
export interface Tally {
  sent: number
  skipped: number
}

/** What subscribers of one hub share. */
export interface SubscriberContext {
  readonly timing: TimingService
  readonly tally: Tally
  readonly gone: (subscriber: Subscriber) => void
}

export class Subscriber implements Listener {
  readonly wish: Wish
  readonly #ws: WebSocket
  readonly #socket: Socket
  readonly #timing: TimingService
  readonly #tally: Tally
  #behind = false
  readonly #newest = new Map<number, Buffer>()
  #keptEvents: Array<Buffer> = []
  #unanswered = 0
  #stopHeartbeat: () => void

  /** `gone` is called once, when the connection has ended whichever way. */
  constructor(ws: WebSocket, socket: Socket, wish: Wish, context: SubscriberContext) {
    this.wish = wish
    this.#ws = ws
    this.#socket = socket
    this.#timing = context.timing
    this.#tally = context.tally
    this.#stopHeartbeat = this.#timing.after(PING_INTERVAL_MS, this.#beat)
    socket.on("drain", this.#drained)
    ws.on("pong", () => (this.#unanswered = 0))
    // A frame that breaks the protocol or is too big: ws is closing with the right code already.
    ws.on("error", () => {})
    ws.once("close", () => {
      this.#stopHeartbeat()
      socket.off("drain", this.#drained)
      this.#tally.skipped += this.#newest.size + this.#keptEvents.length
      context.gone(this)
    })
  }

  send(parcel: Parcel): void {
    if (this.#ws.readyState !== WebSocket.OPEN) return
    if (this.#takes()) this.#write(parcel.bytes, parcel.count)
    else for (const run of parcel.runs) this.#keep(run)
  }

  sendEvent({ frame }: Announcement): void {
    if (this.#ws.readyState !== WebSocket.OPEN) return
    if (this.#takes()) this.#write(frame, 1)
    else if (this.#keptEvents.push(frame) > KEPT_EVENTS) {
      this.#keptEvents.shift()
      this.#tally.skipped++
    }
  }

  /** Says that the server is going away; within CLOSE_GRACE_MS the connection has ended. */
  dismiss(): void {
    this.#ws.close(CLOSE_GOING_AWAY, "server is going away")
  }

  /** Once behind, a subscriber takes nothing until its socket has drained: not at every hole in the queue. */
  #takes(): boolean {
    if (this.#socket.writableLength > BEHIND_BYTES) this.#behind = true
    return !this.#behind
  }

  #keep({ count, newest, sessionId }: TelemetryRun): void {
    this.#tally.skipped += count - 1 + (this.#newest.has(sessionId) ? 1 : 0)
    this.#newest.set(sessionId, newest)
  }

  #write(bytes: Buffer, count: number): void {
    this.#socket.write(bytes)
    this.#tally.sent += count
  }

  readonly #drained = () => {
    if (!this.#behind || this.#ws.readyState !== WebSocket.OPEN) return
    this.#behind = false
    const kept = [...this.#keptEvents, ...this.#newest.values()]
    this.#keptEvents = []
    this.#newest.clear()
    if (kept.length > 0) this.#write(Buffer.concat(kept), kept.length)
  }

  readonly #beat = () => {
    if (this.#unanswered >= PINGS_MISSED) return this.#ws.terminate()
    this.#unanswered++
    this.#ws.ping()
    this.#stopHeartbeat = this.#timing.after(PING_INTERVAL_MS, this.#beat)
  }
}
