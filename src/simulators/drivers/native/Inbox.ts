/**
 * The receiving end of one native feed's socket: it reads no faster than it is asked.
 *
 * Messages wait here as they came, and are decoded together when they are handed over. Past `FULL_BYTES` the socket is
 * paused, TCP's window closes, and the feed has to wait: back-pressure. It is resumed when what waits was taken. A feed whose
 * messages take long to decode, which only text does, is read for half of the time, so that it holds up no other.
 */
import { Effect } from "effect"
import type { WebSocket } from "ws"
import type { SimulatorEvent } from "../../../domain/SimulatorEvent.ts"
import type { LinkLost } from "../../Driver.ts"
import { Outlet } from "../../Outlet.ts"
import { MAX_TEXT_BYTES, type Message, NativeDecoder, TooLong } from "./NativeDecoder.ts"

/** A few milliseconds of decoding: enough to be busy until the next read, little enough to stay responsive. */
const FULL_BYTES = 256 * 1024
/** Handed over before the socket has to be paused. */
const MUCH_BYTES = FULL_BYTES / 2
/**
 * Decoding that took as long is followed by a rest of the same length, in which this feed is not read. An answer over HTTP takes nine
 * turns of the event loop: a feed that fills each of them with 20 ms of work makes of 3 ms 380.
 */
const LONG_DECODE_MS = 5

const textOf = (data: Buffer): string | TooLong =>
  data.byteLength > MAX_TEXT_BYTES ? new TooLong(data.byteLength) : data.toString("utf8")

export class Inbox {
  readonly #socket: WebSocket
  readonly #decoder = new NativeDecoder()
  readonly #outlet = new Outlet(() => this.#decode())
  #messages: Array<Message> = []
  #bytes = 0
  /** Wakes who waits for the first message. */
  #wake: (() => void) | undefined
  #heard = true
  /** Nothing is decoded before, ms of `performance.now`. */
  #restUntil = 0
  #restTimer: NodeJS.Timeout | undefined

  constructor(socket: WebSocket) {
    this.#socket = socket
    socket.on("message", (data: Buffer, isBinary) => {
      this.#heard = true
      this.#bytes += data.byteLength
      this.#messages.push(isBinary ? data : textOf(data))
      if (this.#bytes > FULL_BYTES) socket.pause()
      this.#wakeUp()
      this.#outlet.heard(this.#bytes > MUCH_BYTES)
    })
    socket.on("pong", () => {
      this.#heard = true
    })
    socket.on("close", (code, reason) => {
      this.lose(`closed with ${code}${reason.length > 0 ? ` ${reason.toString("utf8")}` : ""}`)
    })
    socket.on("error", (error) => this.lose(error.message))
  }

  lose(reason: string): void {
    this.#outlet.lose(reason)
    this.#wakeUp()
  }

  /** Whether anything was heard since the last call; a socket that was paused could not hear. */
  get heard(): boolean {
    const heard = this.#heard || this.#socket.isPaused
    this.#heard = false
    return heard
  }

  /** The first message, which is no event. To be waited for once, before `link` is used. */
  readonly first: Effect.Effect<Message, LinkLost> = Effect.async((resume) => {
    const attempt = () => {
      const message = this.#messages.shift()
      if (message !== undefined) resume(Effect.succeed(message))
      else if (this.#outlet.lost !== undefined) resume(this.#outlet.lost)
      else this.#wake = attempt
    }
    attempt()
    return Effect.sync(() => {
      this.#wake = undefined
    })
  })

  get link(): Outlet["link"] {
    return this.#outlet.link
  }

  /** While messages are left over, the socket stays as it is. */
  #decode(): ReadonlyArray<SimulatorEvent> {
    const began = performance.now()
    if (began < this.#restUntil && this.#outlet.lost === undefined) {
      this.#askAgainIn(this.#restUntil - began)
      return []
    }
    let events: ReadonlyArray<SimulatorEvent>
    // Messages that tell nothing are passed over: without events nobody would ask for the next.
    do {
      events = this.#decoder.decode(this.#messages)
      this.#messages = this.#messages.slice(this.#decoder.consumed)
    } while (events.length === 0 && this.#messages.length > 0)
    const ended = performance.now()
    if (ended - began > LONG_DECODE_MS) this.#restUntil = ended + (ended - began)
    if (this.#messages.length > 0) {
      this.#askAgainIn(this.#restUntil - ended)
      return events
    }
    this.#bytes = 0
    if (this.#socket.isPaused) {
      this.#heard = true
      this.#socket.resume()
    }
    return events
  }

  /** A timer may be early, by as much as the turn in which it was set took: then the next call sets another. */
  #askAgainIn(ms: number): void {
    if (this.#restTimer !== undefined) return
    const ask = () => {
      this.#restTimer = undefined
      this.#outlet.heard(true)
    }
    this.#restTimer = setTimeout(ask, Math.max(0, Math.ceil(ms)))
  }

  #wakeUp(): void {
    const wake = this.#wake
    this.#wake = undefined
    wake?.()
  }
}
