/**
 * The receiving end of one native feed's socket: it reads no faster than its sink takes events.
 *
 * Messages wait here as they arrived, and are decoded together when they are delivered. Past `FULL_BYTES` the inbox
 * pauses the socket, TCP's window closes, and the feed has to wait: back-pressure. The inbox resumes the socket when
 * the waiting messages were taken. A feed whose messages take long to decode and record (only text does) is read for a
 * quarter of the time, so that it delays no other feed.
 */
import { Effect } from "effect"
import type { WebSocket } from "ws"
import type { SimulatorEvent } from "../../../domain/SimulatorEvent.ts"
import type { EventSink } from "../../../recording/feed/EventSink.ts"
import type { TimingService } from "../../../platform/Timing.ts"
import type { LinkLost } from "../../Driver.ts"
import { EventDelivery } from "../../EventDelivery.ts"
import { messagesIn, type NativeMessage } from "./messageText.ts"
import { NativeDecoder } from "./NativeDecoder.ts"

/** A few milliseconds of decoding: enough work until the next read, and little enough to stay responsive. */
const FULL_BYTES = 256 * 1024
/** Messages are delivered before the socket has to be paused. */
const MUCH_BYTES = FULL_BYTES / 2
/**
 * After decoding and recording for this long, the feed rests for `REST_RATIO` times as long and is not read meanwhile.
 * An answer over HTTP takes nine turns of the event loop: a feed that adds 20 ms of work to each turns 3 ms into 380. A rest
 * must outlast an answer beside other feeds: with a rest as long as the work, 1 answer of 100 took 118 ms.
 */
const LONG_WORK_MS = 5
const REST_RATIO = 3
/**
 * Messages that are refused or ignored count as a millisecond of work for this many bytes, however fast they were skipped:
 * to receive half a GB/s of such messages takes a core, though each turn is short.
 */
const USELESS_BYTES_PER_MS = 64 * 1024

export class Inbox {
  readonly #socket: WebSocket
  readonly #decoder = new NativeDecoder()
  readonly #delivery: EventDelivery
  #messages: Array<NativeMessage> = []
  #bytes = 0
  /** Resumes the fiber that waits for the first message. */
  #wake: (() => void) | undefined
  #heard = true
  readonly #timing: TimingService
  /** When the current decoding and recording began. */
  #workSince: number | undefined
  /** Bytes of refused and ignored messages since the last rest. */
  #uselessBytes = 0
  /** No message is decoded before this time. */
  #restUntil = 0
  #isRestTimed = false

  constructor(socket: WebSocket, timing: TimingService) {
    this.#socket = socket
    this.#timing = timing
    this.#delivery = new EventDelivery(
      () => this.#decode(),
      timing,
      () => this.#hasMore()
    )
    socket.on("message", (data: Buffer, isBinary) => {
      this.#heard = true
      this.#bytes += data.byteLength
      this.#messages.push(...messagesIn(data, isBinary))
      if (this.#bytes > FULL_BYTES) socket.pause()
      this.#wakeUp()
      this.#delivery.heard(this.#bytes > MUCH_BYTES)
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
    this.#delivery.lose(reason)
    this.#wakeUp()
  }

  /** Whether anything was heard since the last call; true for a paused socket, which cannot hear. */
  get heard(): boolean {
    const heard = this.#heard || this.#socket.isPaused
    this.#heard = false
    return heard
  }

  /** The first message, which is not an event. To be awaited once, before `deliverTo`. */
  readonly first: Effect.Effect<NativeMessage, LinkLost> = Effect.async((resume) => {
    const attempt = () => {
      const message = this.#messages.shift()
      if (message !== undefined) resume(Effect.succeed(message))
      else if (this.#delivery.lost !== undefined) resume(this.#delivery.lost)
      else this.#wake = attempt
    }
    attempt()
    return Effect.sync(() => {
      this.#wake = undefined
    })
  })

  readonly deliverTo = (sink: EventSink): Effect.Effect<never, LinkLost> => this.#delivery.deliverTo(sink)

  /** Returns nothing during a rest. While messages are left over, the socket keeps its state. */
  #decode(): ReadonlyArray<SimulatorEvent> {
    const began = this.#timing.now()
    if (this.#rests()) {
      this.#workSince = undefined
      this.#deliverAfter()
      return []
    }
    this.#workSince = began
    let events: ReadonlyArray<SimulatorEvent>
    // Messages without events are skipped: without events the consumer would not ask for the next.
    do {
      events = this.#decoder.decode(this.#messages)
      this.#uselessBytes += this.#decoder.uselessBytes
      this.#messages = this.#messages.slice(this.#decoder.consumed)
    } while (events.length === 0 && this.#messages.length > 0 && this.#work() <= LONG_WORK_MS)
    this.#restAfterWork()
    if (this.#messages.length > 0) return events
    this.#bytes = 0
    if (this.#socket.isPaused) {
      this.#heard = true
      this.#socket.resume()
    }
    return events
  }

  /** Called when the events of the last messages are recorded. */
  #hasMore(): boolean {
    this.#restAfterWork()
    this.#workSince = undefined
    if (this.#messages.length === 0) return false
    if (!this.#rests()) return true
    this.#deliverAfter()
    return false
  }

  #restAfterWork(): void {
    const work = this.#work()
    if (work <= LONG_WORK_MS) return
    this.#restUntil = Math.max(this.#restUntil, this.#timing.now() + REST_RATIO * work)
    this.#uselessBytes = 0
  }

  /** The work since the last messages were taken, ms. */
  #work(): number {
    const took = this.#workSince === undefined ? 0 : this.#timing.now() - this.#workSince
    return took + this.#uselessBytes / USELESS_BYTES_PER_MS
  }

  /** A lost link does not rest: its messages are recorded immediately. */
  #rests(): boolean {
    return this.#delivery.lost === undefined && this.#timing.now() < this.#restUntil
  }

  /** A timer may fire early, by the duration of the turn that set it; then the next call sets another. */
  #deliverAfter(): void {
    if (this.#isRestTimed) return
    this.#isRestTimed = true
    this.#timing.after(Math.ceil(this.#restUntil - this.#timing.now()), () => {
      this.#isRestTimed = false
      this.#delivery.heard(true)
    })
  }

  #wakeUp(): void {
    const wake = this.#wake
    this.#wake = undefined
    wake?.()
  }
}
