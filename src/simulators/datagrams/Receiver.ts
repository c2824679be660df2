/**
 * Where datagrams become events: called from the socket, taken from by the connection.
 *
 * Datagrams are read as they arrive, not kept: what waits is points in columns, of which a second of busy store is a
 * few kilobytes, not megabytes.
 */
import type { SimulatorEvent } from "../../domain/SimulatorEvent.ts"
import type { Link } from "../Driver.ts"
import { EventBuffer } from "../EventBuffer.ts"
import { Outlet } from "../Outlet.ts"
import type { Interpreter } from "./Protocol.ts"
import { Senders } from "./Senders.ts"

/** s on a clock that only goes forward. */
const arrivalNow = (): number => performance.now() / 1000

export class Receiver {
  readonly interpreter: Interpreter
  readonly #events = new EventBuffer()
  readonly #outlet = new Outlet(() => this.#events.take())
  readonly #senders = new Senders()
  #heard = true
  #silentFor = 0
  #hasEnded = false

  constructor(interpreter: Interpreter) {
    this.interpreter = interpreter
  }

  /** Whether it could be read. `by`: who reads it, where not all comes as datagrams. */
  hear(bytes: Buffer, by: Pick<Interpreter, "datagram"> = this.interpreter): boolean {
    this.#heard = true
    const { refusals } = this.#events
    this.#safely(`a datagram of ${bytes.length} bytes`, () => by.datagram(bytes, arrivalNow(), this.#events))
    this.#outlet.heard()
    return this.#events.refusals === refusals
  }

  /**
   * The same of a datagram, unless it is of a kind that another sender is heard of: it is then counted, and not looked at.
   * `sender`: its address and port.
   */
  hearFrom(sender: string, bytes: Buffer, kind = ""): boolean {
    if (!this.#senders.mayBe(kind, sender)) {
      this.#events.foreign(sender)
      this.#outlet.heard()
      return true
    }
    const isRead = this.hear(bytes)
    if (isRead) this.#senders.heard(kind, sender)
    return isRead
  }

  /** For how many whole seconds nothing was heard. */
  get silentFor(): number {
    return this.#silentFor
  }

  /**
   * To be called once a second. Tells the interpreter of a silence, and loses the link after `lostAfter` seconds of it. What
   * another sender says breaks no silence.
   */
  passSecond(lostAfter: number): void {
    this.#senders.passSecond()
    this.#silentFor = this.#heard ? 0 : this.#silentFor + 1
    this.#heard = false
    if (this.#silentFor > 0) this.#tellSilence()
    if (this.#silentFor >= lostAfter) this.lose(`nothing was heard for ${lostAfter} s`)
  }

  refuse(reason: string): void {
    this.#events.refuse(reason)
    this.#outlet.heard()
  }

  lose(reason: string): void {
    this.#end()
    this.#outlet.lose(reason)
  }

  get heard(): Required<Pick<Link, "events" | "rest" | "shortcut">> {
    return { ...this.#outlet.link, rest: () => this.#rest() }
  }

  #rest(): ReadonlyArray<SimulatorEvent> {
    this.#end()
    return this.#events.take()
  }

  #tellSilence(): void {
    if (this.#hasEnded) return
    this.#safely("silence", () => this.interpreter.silence?.(this.#silentFor, this.#events))
    this.#outlet.heard()
  }

  #end(): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#safely("the end of the link", () => this.interpreter.end?.(this.#events))
  }

  /** A bug of the driver, on bytes that anyone may send: it must not end the process, nor go unseen. */
  #safely(what: string, interpret: () => void): void {
    try {
      interpret()
    } catch (defect) {
      this.#events.refuse(`the driver failed on ${what}: ${String(defect)}`)
    }
  }
}
