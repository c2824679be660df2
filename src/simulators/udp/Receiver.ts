/**
 * Turns datagrams into events, which are delivered to the connection's sink.
 *
 * Datagrams are read as they arrive, and not kept. Their points wait instead, in columns: during a second in which the store
 * is busy they take a few kilobytes, not megabytes.
 */
import { Effect } from "effect"
import type { EventSink } from "../../recording/feed/EventSink.ts"
import type { TimingService } from "../../platform/Timing.ts"
import type { LinkLost } from "../Driver.ts"
import { EventBuffer } from "../EventBuffer.ts"
import { EventDelivery } from "../EventDelivery.ts"
import type { Interpreter } from "./Protocol.ts"
import { Senders } from "./Senders.ts"

export class Receiver {
  readonly interpreter: Interpreter
  readonly #events: EventBuffer
  readonly #delivery: EventDelivery
  readonly #timing: TimingService
  readonly #senders = new Senders()
  readonly #forward: (bytes: Buffer) => void
  #heard = true
  #silentFor = 0
  #hasEnded = false

  /**
   * `forward` gets each datagram of the senders that are heard. `events`: events that an earlier link left there go
   * first.
   */
  constructor(
    interpreter: Interpreter,
    timing: TimingService,
    forward: (bytes: Buffer) => void = () => undefined,
    events = new EventBuffer()
  ) {
    this.#forward = forward
    this.#events = events
    this.interpreter = interpreter
    this.#timing = timing
    this.#delivery = new EventDelivery(() => this.#events.take(), timing)
  }

  /** Returns whether the bytes could be read. `by` reads them, where not all come as datagrams. */
  hear(bytes: Buffer, by: Pick<Interpreter, "datagram"> = this.interpreter): boolean {
    this.#heard = true
    const { refusals } = this.#events
    const arrival = this.#timing.now() / 1000
    this.#safely(`a datagram of ${bytes.length} bytes`, () => by.datagram(bytes, arrival, this.#events))
    this.#delivery.heard()
    return this.#events.refusals === refusals
  }

  /**
   * The same for a datagram. If another sender is heard for its kind, it is counted and not read.
   * `sender`: its address and port.
   */
  hearFrom(sender: string, bytes: Buffer, kind = ""): boolean {
    if (!this.#senders.mayBe(kind, sender)) {
      this.foreign(sender)
      return true
    }
    const isRead = this.hear(bytes)
    if (isRead) this.#senders.heard(kind, sender)
    this.forwardFrom(sender, bytes)
    return isRead
  }

  /** Counts a datagram of a sender that is not heard. */
  foreign(sender: string): void {
    this.#events.foreign(sender)
    this.#delivery.heard()
  }

  /** Forwards a datagram that this link may not read, if its sender is heard. */
  forwardFrom(sender: string, bytes: Buffer): void {
    if (this.#senders.isHeard(sender)) this.#forward(bytes)
  }

  /** The whole seconds since the last datagram. */
  get silentFor(): number {
    return this.#silentFor
  }

  /**
   * Called once a second. Tells the interpreter of a silence, and loses the link after `lostAfter` seconds of it. Datagrams
   * of another sender do not break a silence.
   */
  passSecond(lostAfter: number): void {
    this.#senders.passSecond()
    this.#silentFor = this.#heard ? 0 : this.#silentFor + 1
    this.#heard = false
    if (this.#silentFor > 0) this.#tellSilence()
    if (this.#silentFor >= lostAfter) this.lose(`nothing arrived for ${lostAfter} s`)
  }

  refuse(reason: string): void {
    this.#events.refuse(reason)
    this.#delivery.heard()
  }

  lose(reason: string): void {
    this.#end()
    this.#delivery.lose(reason)
  }

  /**
   * Delivers to the sink until the link is lost. Events that are left at the end are offered as well, however the end
   * comes.
   */
  readonly deliverTo = (sink: EventSink): Effect.Effect<never, LinkLost> =>
    Effect.ensuring(
      this.#delivery.deliverTo(sink),
      Effect.sync(() => {
        this.#end()
        const rest = this.#events.take()
        if (rest.length > 0) sink.offer(rest)
      })
    )

  #tellSilence(): void {
    if (this.#hasEnded) return
    this.#safely("silence", () => this.interpreter.silence?.(this.#silentFor, this.#events))
    this.#delivery.heard()
  }

  #end(): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#safely("the end of the link", () => this.interpreter.end?.(this.#events))
  }

  /** A bug of the driver, found by bytes that anyone may send: it must not end the process, and must be logged. */
  #safely(what: string, interpret: () => void): void {
    try {
      interpret()
    } catch (defect) {
      this.#events.refuse(`the driver failed on ${what}: ${String(defect)}`)
    }
  }
}
