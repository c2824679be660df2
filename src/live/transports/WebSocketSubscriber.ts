/**
 * One live client of the WebSocket: its socket and its heartbeat.
 *
 * `ws` does the handshake, reads, answers pings and closes. Messages bypass it: the same Buffer goes to the raw socket of
 * every subscriber. This costs as much as a program that only writes to sockets, and 0.8 of calling JSON.stringify and
 * ws.send for each subscriber (bench/fanout.ts). It is safe because both ws and the hub write only whole frames,
 * synchronously, and nothing is compressed.
 *
 * Guarantees: those of NewestOnly. A client that asks for missed points (`since`) gets no live messages until these are
 * sent (LiveBacklog). Nothing is written after a close frame, ours or the client's.
 *
 * Hard cases. The heartbeat ends a client that neither reads nor closes. If a client does not answer our close frame, ws ends
 * the connection after CLOSE_GRACE_MS. If a client vanishes, ws handles the error of its socket.
 */
import type { Socket } from "node:net"
import { WebSocket } from "ws"
import { textFrame } from "../hub/frames.ts"
import { framesAfter, LiveBacklog } from "./LiveBacklog.ts"
import type { EncodedEvent, Subscriber, SubscriptionOptions } from "../hub/Subscriber.ts"
import { type Encoding, NewestOnly, type MessageCounts } from "./NewestOnly.ts"
import {
  BEHIND_BYTES,
  CLOSE_GOING_AWAY,
  CLOSE_INTERNAL_ERROR,
  PING_INTERVAL_MS,
  PINGS_MISSED
} from "./protocol.ts"
import type { MessageBatch } from "../hub/MessageBatch.ts"
import type { TimingService } from "../../platform/Timing.ts"

/** The parts that subscribers of one hub share. */
export interface WebSocketSubscriberContext {
  readonly timing: TimingService
  readonly counts: MessageCounts
  readonly gone: (subscriber: WebSocketSubscriber) => void
  /** Begins another replay since the point with that number; undefined for a client that counts no points. */
  readonly replayAgain: ((since: number) => void) | undefined
}

const asFrames: Encoding = {
  batch: ({ bytes }) => bytes,
  newest: ({ plain }) => plain.newest,
  event: ({ frame }) => frame,
  behindBytes: BEHIND_BYTES
}

/** The encoding that includes the points' numbers. */
const asNumberedFrames: Encoding = {
  ...asFrames,
  batch: ({ numberedBytes }) => numberedBytes,
  newest: ({ numbered }) => numbered.newest
}

export class WebSocketSubscriber implements Subscriber {
  readonly options: SubscriptionOptions
  readonly #ws: WebSocket
  readonly #timing: TimingService
  readonly #counts: MessageCounts
  readonly #messages: NewestOnly
  /** Live messages that wait while the client gets the points that it missed. */
  #backlog: LiveBacklog | undefined
  /**
   * The number of the last point that the replay sent. An older point may be published later, if the rate held it back
   * as pending.
   */
  #sentAgain = 0
  readonly #replayAgain: ((since: number) => void) | undefined
  /** Points were missed during a replay, which reads them as well unless it was at its end. */
  #isMissing = false
  /** The number from which live points were numbered anew during a replay. */
  #restarts: number | undefined
  #unanswered = 0
  #stopHeartbeat: () => void

  /** `gone` is called once, when the connection has ended in any way. */
  constructor(
    ws: WebSocket,
    socket: Socket,
    options: SubscriptionOptions,
    { gone, counts, replayAgain, timing }: WebSocketSubscriberContext
  ) {
    this.options = options
    this.#ws = ws
    this.#timing = timing
    this.#counts = counts
    this.#replayAgain = replayAgain
    this.#backlog = options.since === undefined ? undefined : new LiveBacklog()
    const isOpen = () => this.isOpen
    const encoding = options.numbered === true ? asNumberedFrames : asFrames
    this.#messages = new NewestOnly({ socket, counts, isOpen, encoding })
    this.#stopHeartbeat = timing.after(PING_INTERVAL_MS, this.#beat)
    ws.on("pong", () => (this.#unanswered = 0))
    // A frame breaks the protocol or is too big: ws is closing already, with the right code.
    ws.on("error", () => {})
    ws.once("close", () => {
      this.#stopHeartbeat()
      this.#messages.end()
      gone(this)
    })
  }

  send(batch: MessageBatch): void {
    if (this.#backlog !== undefined) this.#counts.skipped += this.#backlog.add(batch.runs)
    else if (this.#sentAgain > 0) this.#sendNew(batch)
    else this.#messages.send(batch)
  }

  sendEvent(event: EncodedEvent): void {
    if (this.#backlog === undefined) this.#messages.sendEvent(event)
    else this.#counts.skipped += this.#backlog.addEvent(event.frame)
  }

  get isOpen(): boolean {
    return this.#ws.readyState === WebSocket.OPEN
  }

  /** The number of the first live point that waits; undefined if none does. */
  get firstWaiting(): number | undefined {
    return this.#backlog?.first
  }

  /** Sends messages that the client missed. Resolves when the client can take more, or is gone. */
  readonly replay = ({ bytes, count }: { readonly bytes: Buffer; readonly count: number }): Promise<void> =>
    this.#messages.write(bytes, count)

  readonly sendObject = (message: object): Promise<void> =>
    this.#messages.write(textFrame(JSON.stringify(message)), 1)

  /**
   * Ends the replay, which has sent everything up to the point with this number. The client gets the live messages that
   * wait, and then new ones.
   */
  goLive(sent: number): void {
    const backlog = this.#backlog
    if (backlog === undefined) return
    const last = this.#restarts === undefined ? sent : this.#restart(sent, this.#restarts)
    this.#restarts = undefined
    const isMissing = this.#isMissing && (backlog.first === undefined || backlog.first > last + 1)
    this.#isMissing = false
    if (isMissing) return this.#replayAgain?.(last)
    this.#backlog = undefined
    this.#sentAgain = last
    const frames = backlog.after(last)
    if (frames.length > 0) void this.#messages.write(Buffer.concat(frames), frames.length)
  }

  /**
   * What the client has not been sent comes by another replay; what follows waits meanwhile. If the client has been sent points with
   * such numbers, they are numbered anew.
   */
  missed(newest: number | undefined, first: number): void {
    if (this.#replayAgain === undefined) return
    if (this.#backlog !== undefined) {
      this.#backlog.dropTelemetry()
      this.#isMissing = true
      if (newest !== undefined && first <= newest) this.#restarts = Math.min(first, this.#restarts ?? first)
      return
    }
    const sent = this.#sentAgain > 0 ? this.#sentAgain : newest
    if (sent === undefined || sent + 1 === first) return
    if (sent >= first) {
      this.#sentAgain = Math.min(this.#sentAgain, this.#restart(sent, first))
      return
    }
    this.#backlog = new LiveBacklog()
    this.#replayAgain(sent)
  }

  /** Announces an empty replay if points were sent that are numbered anew from `first` on. Returns the number of the last point. */
  #restart(sent: number, first: number): number {
    if (first > sent) return sent
    const { sessionId } = this.options
    void this.sendObject({
      type: "replay",
      session_id: sessionId,
      since: sent,
      from: null,
      to: first - 1,
      missed: 0
    })
    return first - 1
  }

  /** Sends the first live messages after the replay, without the points that the replay has sent. */
  #sendNew({ runs }: MessageBatch): void {
    const frames = runs.flatMap((run) => framesAfter(run, this.#sentAgain))
    if (frames.length === 0) return
    this.#sentAgain = 0
    void this.#messages.write(Buffer.concat(frames), frames.length)
  }

  /** Closes the connection: the replay cannot read the points that the client missed. */
  fail(): void {
    this.#ws.close(CLOSE_INTERNAL_ERROR, "what was missed cannot be read now")
  }

  /** Tells the client that the server is going away. The connection ends within CLOSE_GRACE_MS. */
  dismiss(): void {
    this.#ws.close(CLOSE_GOING_AWAY, "server is going away")
  }

  readonly #beat = () => {
    if (this.#unanswered >= PINGS_MISSED) return this.#ws.terminate()
    this.#unanswered++
    this.#ws.ping()
    if (this.options.heartbeat === true) void this.sendObject({ type: "heartbeat" })
    this.#stopHeartbeat = this.#timing.after(PING_INTERVAL_MS, this.#beat)
  }
}
