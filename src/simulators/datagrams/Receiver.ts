/**
 * Where datagrams become events: called from the socket, taken from by the connection.
 *
 * Datagrams are read as they arrive, not kept: what waits is points in columns, of which a second of busy store is a
 * few kilobytes, not megabytes.
 */
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

  constructor(interpreter: Interpreter) {
    this.interpreter = interpreter
  }

  /** `by`: who reads it, where not all comes as datagrams. */
  hear(bytes: Buffer, by: Pick<Interpreter, "datagram"> = this.interpreter): void {
    this.#heard = true
    try {
      by.datagram(bytes, arrivalNow(), this.#events)
    } catch (defect) {
      // A bug of the driver, on bytes that anyone may send: it must not end the process, nor go unseen.
      this.#events.refuse(`the driver failed on a datagram of ${bytes.length} bytes: ${String(defect)}`)
    }
    this.#outlet.heard()
  }

  refuse(reason: string): void {
    this.#events.refuse(reason)
    this.#outlet.heard()
  }

  lose(reason: string): void {
    this.#outlet.lose(reason)
  }

  /** Whether anything was heard since the last call. */
  heardSince(): boolean {
    const heard = this.#heard
    this.#heard = false
    return heard
  }

  get heard(): Required<Pick<Link, "events" | "shortcut">> {
    return this.#outlet.link
  }
}
