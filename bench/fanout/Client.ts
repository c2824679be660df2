/**
 * A live client that costs little: a raw socket that does the WebSocket handshake by hand, walks over the frames that
 * arrive, and reports each text message. It copies and decodes nothing, unless whole messages are requested. For a
 * subscription of tRPC it sends an EventSource's GET instead, and reports each event that holds telemetry.
 */
import { connect, type Socket } from "node:net"

export interface LiveClientOptions {
  readonly url: string
  readonly protocol: "websocket" | "socket.io" | "events"
  /** Called for a message: with its text where `texts`, else with an empty string. */
  readonly onMessage: (text: string) => void
  readonly texts: boolean
  readonly onClose: () => void
}

const READ_BYTES = 256 * 1024

const OPCODE_TEXT = 1
const OPCODE_PING = 9
/** Masked with zeros, as a client's frames must be: an empty pong, and Engine.IO's answers to `open` and `ping`. */
const PONG = Buffer.from([0x8a, 0x80, 0, 0, 0, 0])
const CONNECT = Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0x34, 0x30])
const ENGINE_PONG = Buffer.from([0x81, 0x81, 0, 0, 0, 0, 0x33])
/** The first bytes of a message, which state its kind (Engine.IO and Socket.IO). */
const KIND_BYTES = 2

/** Begins the data of an event with telemetry, which ends with its line. */
const TELEMETRY = Buffer.from('data: {"type":"telemetry"')
const LF = 10

/** Node reads into it for all sockets: one read has been walked over before the next begins. */
const buffer = Buffer.alloc(READ_BYTES)

export class Client {
  /** Resolves when messages can arrive. */
  readonly opened: Promise<void>
  readonly #options: LiveClientOptions
  readonly #socket: Socket
  #open: () => void = () => {}
  #handshaken = false
  /** The beginning of a frame that needs more bytes to be understood. */
  #begun: Buffer | undefined
  /** Bytes still to come of a frame that was reported. */
  #skip = 0

  constructor(options: LiveClientOptions) {
    this.#options = options
    this.opened = new Promise((open) => (this.#open = open))
    const { hostname, pathname, port, search } = new URL(options.url)
    this.#socket = connect({
      host: hostname,
      port: Number(port),
      noDelay: true,
      onread: { buffer, callback: (length: number) => this.#read(buffer.subarray(0, length)) }
    })
    this.#socket.on("error", () => {})
    this.#socket.on("close", options.onClose)
    const asked = `GET ${pathname}${search} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n`
    this.#socket.write(
      options.protocol === "events"
        ? `${asked}Accept: text/event-stream\r\n\r\n`
        : `${asked}Connection: Upgrade\r\nUpgrade: websocket\r\n` +
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
  }

  /** Stops reading. */
  stall(): void {
    this.#socket.pause()
  }

  /** Closes without a close frame. */
  drop(): void {
    this.#socket.destroy()
  }

  #read(bytes: Buffer): boolean {
    if (!this.#handshaken) return this.#shakeHands(bytes)
    if (this.#begun === undefined) this.#take(bytes)
    else {
      const whole = Buffer.concat([this.#begun, bytes])
      this.#begun = undefined
      this.#take(whole)
    }
    return true
  }

  #shakeHands(bytes: Buffer): boolean {
    const end = bytes.indexOf("\r\n\r\n")
    const { protocol } = this.#options
    const status = protocol === "events" ? "HTTP/1.1 200" : "HTTP/1.1 101"
    if (end < 0 || !bytes.toString("latin1", 0, end).startsWith(status)) throw new Error("no handshake")
    this.#handshaken = true
    if (protocol !== "socket.io") this.#open()
    return this.#read(bytes.subarray(end + 4))
  }

  #take(bytes: Buffer): void {
    if (this.#options.protocol === "events") this.#look(bytes)
    else this.#walk(bytes)
  }

  /** Searches the lines that hold telemetry; an HTTP chunk holds whole events, or a line of one. */
  #look(bytes: Buffer): void {
    let at = 0
    for (;;) {
      const from = bytes.indexOf(TELEMETRY, at)
      const end = from < 0 ? -1 : bytes.indexOf(LF, from)
      if (end < 0) {
        const kept = from < 0 ? Math.max(at, bytes.length - TELEMETRY.length + 1) : from
        this.#begun = Buffer.from(bytes.subarray(kept))
        return
      }
      const { onMessage, texts } = this.#options
      onMessage(texts ? bytes.toString("latin1", from, end) : "")
      at = end
    }
  }

  #walk(bytes: Buffer): void {
    let at = Math.min(this.#skip, bytes.length)
    this.#skip -= at
    while (at < bytes.length) {
      const short = bytes[at + 1]! & 0x7f
      const from = at + (short === 126 ? 4 : 2)
      const end = from + (short === 126 ? (bytes[at + 2]! << 8) | bytes[at + 3]! : short)
      // Where the length is not there yet, `end` is wrong, but not used.
      const needed = this.#options.texts ? end : Math.min(end, from + KIND_BYTES)
      if (bytes.length < from || bytes.length < needed) {
        this.#begun = Buffer.from(bytes.subarray(at))
        return
      }
      this.#frame(bytes, bytes[at]! & 0x0f, from, end)
      this.#skip = Math.max(0, end - bytes.length)
      at = end
    }
  }

  #frame(bytes: Buffer, opcode: number, from: number, end: number): void {
    if (opcode === OPCODE_PING) this.#socket.write(PONG)
    if (opcode !== OPCODE_TEXT) return
    const { onMessage, protocol, texts } = this.#options
    if (protocol === "socket.io") {
      const kind = bytes.toString("latin1", from, Math.min(end, from + KIND_BYTES))
      if (!this.#isEvent(kind)) return
    }
    onMessage(texts ? bytes.toString("latin1", from, end) : "")
  }

  /** Engine.IO: 0 open, 2 ping, 4 message; of those Socket.IO's: 0 connected, 2 event. */
  #isEvent(kind: string): boolean {
    if (kind === "0{") this.#socket.write(CONNECT)
    if (kind === "2") this.#socket.write(ENGINE_PONG)
    if (kind === "40") this.#open()
    return kind === "42"
  }
}
