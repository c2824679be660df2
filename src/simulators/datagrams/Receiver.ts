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

/** s on a clock that only goes forward. */
const arrivalNow = (): number => performance.now() / 1000

export class Receiver {
  readonly interpreter: Interpreter
  readonly #events = new EventBuffer()
  readonly #outlet = new Outlet(() => this.#events.take())
  #heard = true
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

  /** Nothing was heard for so many seconds. */
  silence(seconds: number): void {
    if (this.#hasEnded) return
    this.#safely("silence", () => this.interpreter.silence?.(seconds, this.#events))
    this.#outlet.heard()
  }

  refuse(reason: string): void {
    this.#events.refuse(reason)
    this.#outlet.heard()
  }

  lose(reason: string): void {
    this.#end()
    this.#outlet.lose(reason)
  }

  /** Whether anything was heard since the last call. */
  heardSince(): boolean {
    const heard = this.#heard
    this.#heard = false
    return heard
  }

  get heard(): Required<Pick<Link, "events" | "rest" | "shortcut">> {
    return { ...this.#outlet.link, rest: () => this.#rest() }
  }

  #rest(): ReadonlyArray<SimulatorEvent> {
    this.#end()
    return this.#events.take()
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
