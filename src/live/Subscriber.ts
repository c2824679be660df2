/**
 * One live client: its socket, its heartbeat, and what it misses while it is behind.
 *
 * `ws` does the handshake, reads, answers pings and closes; messages bypass it: the same Buffer goes to the raw
 * socket of every subscriber, which costs what it costs a program that only writes to sockets, and 0.8 of stringifying and
 * ws.send for each (bench/fanout.ts). That is sound because both only ever write whole frames synchronously,
 * and nothing is compressed.
 *
 * Guarantees: messages leave in the order given. One that asks for what it missed (`since`) is told nothing live until
 * that is sent (Held). A subscriber that is behind (BEHIND_BYTES) costs a bounded
 * amount of memory: the newest message of each session and the newest KEPT_EVENTS events, sent when its
 * socket has drained. Nothing is written after a close frame, ours or the client's.
 *
 * Hard cases. A client that neither reads nor closes: the heartbeat ends it. One that does not answer our
 * close: ws ends the connection after CLOSE_GRACE_MS. One that vanishes: ws listens to the socket's errors.
 */
import type { Socket } from "node:net"
import { WebSocket } from "ws"
import { textFrame, type TelemetryRun } from "./frames.ts"
import { framesAfter, Held } from "./Held.ts"
import type { Announcement, Listener, Wish } from "./Listener.ts"
import {
  BEHIND_BYTES,
  CLOSE_GOING_AWAY,
  CLOSE_INTERNAL_ERROR,
  KEPT_EVENTS,
  PING_INTERVAL_MS,
  PINGS_MISSED
} from "./protocol.ts"
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
  /** What is live while it is sent what it missed. */
  #held: Held | undefined
  /** The number of the last point that it was sent again: what was held back by its rate may come after it, and is older. */
  #sentAgain = 0
  #unanswered = 0
  #stopHeartbeat: () => void

  /** `gone` is called once, when the connection has ended whichever way. */
  constructor(ws: WebSocket, socket: Socket, wish: Wish, context: SubscriberContext) {
    this.wish = wish
    this.#ws = ws
    this.#socket = socket
    this.#held = wish.since === undefined ? undefined : new Held()
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
    if (this.#held !== undefined) this.#tally.skipped += this.#held.keep(parcel.runs)
    else if (this.#sentAgain > 0) this.#join(parcel)
    else if (this.#takes())
      this.#write(this.wish.numbered === true ? parcel.numberedBytes : parcel.bytes, parcel.count)
    else for (const run of parcel.runs) this.#keep(run)
  }

  sendEvent({ frame }: Announcement): void {
    if (this.#ws.readyState !== WebSocket.OPEN) return
    if (this.#held !== undefined) this.#tally.skipped += this.#held.keepEvent(frame)
    else if (this.#takes()) this.#write(frame, 1)
    else if (this.#keptEvents.push(frame) > KEPT_EVENTS) {
      this.#keptEvents.shift()
      this.#tally.skipped++
    }
  }

  /** The number of the first point that is held for it; undefined where none is. */
  get firstHeld(): number | undefined {
    return this.#held?.first
  }

  /** Sends messages of what it missed, and resolves when it can take more, or is gone. */
  readonly replay = async (messages: { readonly bytes: Buffer; readonly count: number }): Promise<void> => {
    if (this.#ws.readyState !== WebSocket.OPEN) return
    this.#write(messages.bytes, messages.count)
    if (this.#socket.writableLength <= BEHIND_BYTES) return
    await new Promise<void>((done) => {
      const end = () => {
        this.#socket.off("drain", end)
        this.#ws.off("close", end)
        done()
      }
      this.#socket.on("drain", end)
      this.#ws.on("close", end)
    })
  }

  readonly tell = (message: object): Promise<void> =>
    this.replay({ bytes: textFrame(JSON.stringify(message)), count: 1 })

  /** What it missed is sent, up to the point of this number: from here on it is told what is live, and first what was held. */
  goLive(sent: number): void {
    const held = this.#held
    if (held === undefined) return
    this.#held = undefined
    this.#sentAgain = sent
    const frames = held.after(sent)
    if (frames.length > 0 && this.#ws.readyState === WebSocket.OPEN)
      this.#write(Buffer.concat(frames), frames.length)
  }

  /** The first that is live: without what was sent again. */
  #join({ runs }: Parcel): void {
    const frames = runs.flatMap((run) => framesAfter(run, this.#sentAgain))
    if (frames.length === 0) return
    this.#sentAgain = 0
    this.#write(Buffer.concat(frames), frames.length)
  }

  /** What it missed cannot be read. */
  fail(): void {
    this.#ws.close(CLOSE_INTERNAL_ERROR, "what was missed cannot be read now")
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

  #keep(run: TelemetryRun): void {
    this.#tally.skipped += run.count - 1 + (this.#newest.has(run.sessionId) ? 1 : 0)
    this.#newest.set(run.sessionId, (this.wish.numbered === true ? run.numbered : run.plain).newest)
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
