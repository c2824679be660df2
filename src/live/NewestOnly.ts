/**
 * What one client is sent over its socket, and what it misses while it is behind.
 *
 * Guarantees: what is sent leaves in the order given. A client that is behind (`behindBytes`) costs a bounded amount of memory:
 * the newest message of each session and the newest KEPT_EVENTS events, sent when its socket has drained.
 */
import type { Socket } from "node:net"
import type { TelemetryRun } from "./frames.ts"
import type { Announcement } from "./Listener.ts"
import type { Parcel } from "./Parcel.ts"
import { KEPT_EVENTS } from "./protocol.ts"

/** Messages so far, of all clients together. */
export interface Tally {
  sent: number
  skipped: number
}

/** What a socket is written of a message: the same bytes for all clients that are spoken to in this way, made once. */
export interface Encoding {
  readonly parcel: (parcel: Parcel) => Buffer
  /** Of a run's last message alone: what remains for a client that is behind. */
  readonly newest: (run: TelemetryRun) => Buffer
  readonly event: (announcement: Announcement) => Buffer
  /** Bytes accepted for a socket that the kernel has not taken yet, above which the client counts as behind. */
  readonly behindBytes: number
}

interface Output {
  readonly socket: Socket
  readonly encoding: Encoding
  readonly tally: Tally
  /** Whether messages may be written now. */
  readonly isOpen: () => boolean
}

export class NewestOnly {
  readonly #output: Output
  #behind = false
  readonly #newest = new Map<number, Buffer>()
  #keptEvents: Array<Buffer> = []

  constructor(output: Output) {
    this.#output = output
    output.socket.on("drain", this.#drained)
  }

  send(parcel: Parcel): void {
    const { encoding, isOpen } = this.#output
    if (!isOpen()) return
    if (this.#takes()) this.#write(encoding.parcel(parcel), parcel.count)
    else for (const run of parcel.runs) this.#keep(run)
  }

  sendEvent(announcement: Announcement): void {
    const { encoding, isOpen, tally } = this.#output
    if (!isOpen()) return
    const bytes = encoding.event(announcement)
    if (this.#takes()) this.#write(bytes, 1)
    else if (this.#keptEvents.push(bytes) > KEPT_EVENTS) {
      this.#keptEvents.shift()
      tally.skipped++
    }
  }

  /** Sends these whatever waits, and resolves when the client takes more, or is gone: for who waits for it. */
  async write(bytes: Buffer, count: number): Promise<void> {
    const { encoding, isOpen, socket } = this.#output
    if (!isOpen()) return
    this.#write(bytes, count)
    if (socket.writableLength <= encoding.behindBytes) return
    await new Promise<void>((done) => {
      const end = () => {
        socket.off("drain", end)
        socket.off("close", end)
        done()
      }
      socket.on("drain", end)
      socket.on("close", end)
    })
  }

  /** Nothing more is sent. */
  end(): void {
    const { socket, tally } = this.#output
    socket.off("drain", this.#drained)
    tally.skipped += this.#newest.size + this.#keptEvents.length
  }

  /** Once behind, a client takes nothing until its socket has drained: not at every hole in the queue. */
  #takes(): boolean {
    const { encoding, socket } = this.#output
    if (socket.writableLength > encoding.behindBytes) this.#behind = true
    return !this.#behind
  }

  #keep(run: TelemetryRun): void {
    const { encoding, tally } = this.#output
    tally.skipped += run.count - 1 + (this.#newest.has(run.sessionId) ? 1 : 0)
    this.#newest.set(run.sessionId, encoding.newest(run))
  }

  #write(bytes: Buffer, count: number): void {
    this.#output.socket.write(bytes)
    this.#output.tally.sent += count
  }

  readonly #drained = () => {
    if (!this.#behind || !this.#output.isOpen()) return
    this.#behind = false
    const kept = [...this.#keptEvents, ...this.#newest.values()]
    this.#keptEvents = []
    this.#newest.clear()
    if (kept.length > 0) this.#write(Buffer.concat(kept), kept.length)
  }
}
