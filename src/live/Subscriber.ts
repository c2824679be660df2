/**
 * One live client of the WebSocket: its socket and its heartbeat.
 *
 * `ws` does the handshake, reads, answers pings and closes; messages bypass it: the same Buffer goes to the raw
 * socket of every subscriber, which costs what it costs a program that only writes to sockets, and 0.8 of stringifying and
 * ws.send for each (bench/fanout.ts). That is sound because both only ever write whole frames synchronously,
 * and nothing is compressed.
 *
 * Guarantees: those of NewestOnly. One that asks for what it missed (`since`) is told nothing live until that is sent (Held).
 * Nothing is written after a close frame, ours or the client's.
 *
 * Hard cases. A client that neither reads nor closes: the heartbeat ends it. One that does not answer our
 * close: ws ends the connection after CLOSE_GRACE_MS. One that vanishes: ws listens to the socket's errors.
 */
import type { Socket } from "node:net"
import { WebSocket } from "ws"
import { textFrame } from "./frames.ts"
import { framesAfter, Held } from "./Held.ts"
import type { Announcement, Listener, Wish } from "./Listener.ts"
import { type Encoding, NewestOnly, type Tally } from "./NewestOnly.ts"
import {
  BEHIND_BYTES,
  CLOSE_GOING_AWAY,
  CLOSE_INTERNAL_ERROR,
  PING_INTERVAL_MS,
  PINGS_MISSED
} from "./protocol.ts"
import type { Parcel } from "./Parcel.ts"
import type { TimingService } from "../Timing.ts"

/** What subscribers of one hub share. */
export interface SubscriberContext {
  readonly timing: TimingService
  readonly tally: Tally
  readonly gone: (subscriber: Subscriber) => void
}

const asFrames: Encoding = {
  parcel: ({ bytes }) => bytes,
  newest: ({ plain }) => plain.newest,
  event: ({ frame }) => frame,
  behindBytes: BEHIND_BYTES
}

/** With the numbers of the points. */
const asNumberedFrames: Encoding = {
  ...asFrames,
  parcel: ({ numberedBytes }) => numberedBytes,
  newest: ({ numbered }) => numbered.newest
}

export class Subscriber implements Listener {
  readonly wish: Wish
  readonly #ws: WebSocket
  readonly #timing: TimingService
  readonly #tally: Tally
  readonly #messages: NewestOnly
  /** What is live while it is sent what it missed. */
  #held: Held | undefined
  /** The number of the last point that it was sent again: what was held back by its rate may come after it, and is older. */
  #sentAgain = 0
  #unanswered = 0
  #stopHeartbeat: () => void

  /** `gone` is called once, when the connection has ended whichever way. */
  constructor(ws: WebSocket, socket: Socket, wish: Wish, { gone, tally, timing }: SubscriberContext) {
    this.wish = wish
    this.#ws = ws
    this.#timing = timing
    this.#tally = tally
    this.#held = wish.since === undefined ? undefined : new Held()
    const isOpen = () => ws.readyState === WebSocket.OPEN
    const encoding = wish.numbered === true ? asNumberedFrames : asFrames
    this.#messages = new NewestOnly({ socket, tally, isOpen, encoding })
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
    if (this.#held !== undefined) this.#tally.skipped += this.#held.keep(parcel.runs)
    else if (this.#sentAgain > 0) this.#join(parcel)
    else this.#messages.send(parcel)
  }

  sendEvent(announcement: Announcement): void {
    if (this.#held === undefined) this.#messages.sendEvent(announcement)
    else this.#tally.skipped += this.#held.keepEvent(announcement.frame)
  }

  /** The number of the first point that is held for it; undefined where none is. */
  get firstHeld(): number | undefined {
    return this.#held?.first
  }

  /** Sends messages of what it missed, and resolves when it can take more, or is gone. */
  readonly replay = ({ bytes, count }: { readonly bytes: Buffer; readonly count: number }): Promise<void> =>
    this.#messages.write(bytes, count)

  readonly tell = (message: object): Promise<void> =>
    this.#messages.write(textFrame(JSON.stringify(message)), 1)

  /** What it missed is sent, up to the point of this number: from here on it is told what is live, and first what was held. */
  goLive(sent: number): void {
    const held = this.#held
    if (held === undefined) return
    this.#held = undefined
    this.#sentAgain = sent
    const frames = held.after(sent)
    if (frames.length > 0) void this.#messages.write(Buffer.concat(frames), frames.length)
  }

  /** The first that is live: without what was sent again. */
  #join({ runs }: Parcel): void {
    const frames = runs.flatMap((run) => framesAfter(run, this.#sentAgain))
    if (frames.length === 0) return
    this.#sentAgain = 0
    void this.#messages.write(Buffer.concat(frames), frames.length)
  }

  /** What it missed cannot be read. */
  fail(): void {
    this.#ws.close(CLOSE_INTERNAL_ERROR, "what was missed cannot be read now")
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
