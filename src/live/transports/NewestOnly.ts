/**
 * Writes messages to the socket of one client, and leaves messages out while the client is behind.
 *
 * Guarantees: messages leave in the order given. A client that is behind (`behindBytes`) costs a limited amount of
 * memory: the newest message of each session and the newest KEPT_EVENTS events, which it gets when its socket has
 * drained.
 */
import type { Socket } from "node:net"
import type { TelemetryRun } from "../hub/frames.ts"
import type { EncodedEvent } from "../hub/Subscriber.ts"
import type { MessageBatch } from "../hub/MessageBatch.ts"
import { KEPT_EVENTS } from "./protocol.ts"

/** The numbers of messages so far, for all clients together. */
export interface MessageCounts {
  sent: number
  skipped: number
}

/** The bytes of a message on the wire. They are made once, for all clients of this encoding. */
export interface Encoding {
  readonly batch: (batch: MessageBatch) => Buffer
  /** The bytes of a run's last message alone, which a client that is behind gets later. */
  readonly newest: (run: TelemetryRun) => Buffer
  readonly event: (event: EncodedEvent) => Buffer
  /** A client counts as behind if its socket has accepted more than this many bytes that the kernel has not taken yet. */
  readonly behindBytes: number
}

interface Output {
  readonly socket: Socket
  readonly encoding: Encoding
  readonly counts: MessageCounts
  /** Whether messages may be written now. */
  readonly isOpen: () => boolean
}

/** The maximum factor by which longer messages raise `behindBytes`. */
const MAX_BEHIND = 16

export class NewestOnly {
  readonly #output: Output
  #behind = false
  /** The length of the newest messages, as a multiple of a message with points alone. */
  #size = 1
  readonly #newest = new Map<number, Buffer>()
  #keptEvents: Array<Buffer> = []

  constructor(output: Output) {
    this.#output = output
    output.socket.on("drain", this.#drained)
  }

  send(batch: MessageBatch): void {
    const { encoding, isOpen } = this.#output
    if (!isOpen()) return
    this.#size = Math.min(batch.size, MAX_BEHIND)
    if (this.#takes()) this.#write(encoding.batch(batch), batch.count)
    else for (const run of batch.runs) this.#keep(run)
  }

  sendEvent(event: EncodedEvent): void {
    const { encoding, isOpen, counts } = this.#output
    if (!isOpen()) return
    const bytes = encoding.event(event)
    if (this.#takes()) this.#write(bytes, 1)
    else if (this.#keptEvents.push(bytes) > KEPT_EVENTS) {
      this.#keptEvents.shift()
      counts.skipped++
    }
  }

  /** Sends these bytes even to a client that is behind. Resolves when the client takes more, or is gone. */
  async write(bytes: Buffer, count: number): Promise<void> {
    const { encoding, isOpen, socket } = this.#output
    if (!isOpen()) return
    this.#write(bytes, count)
    if (socket.writableLength <= encoding.behindBytes * this.#size) return
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

  /** Sends nothing more. */
  end(): void {
    const { socket, counts } = this.#output
    socket.off("drain", this.#drained)
    counts.skipped += this.#newest.size + this.#keptEvents.length
  }

  /** Whether the client takes messages. One that is behind gets nothing until its socket has drained completely. */
  #takes(): boolean {
    const { encoding, socket } = this.#output
    if (socket.writableLength > encoding.behindBytes * this.#size) this.#behind = true
    return !this.#behind
  }

  #keep(run: TelemetryRun): void {
    const { encoding, counts } = this.#output
    counts.skipped += run.count - 1 + (this.#newest.has(run.sessionId) ? 1 : 0)
    this.#newest.set(run.sessionId, encoding.newest(run))
  }

  #write(bytes: Buffer, count: number): void {
    this.#output.socket.write(bytes)
    this.#output.counts.sent += count
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
