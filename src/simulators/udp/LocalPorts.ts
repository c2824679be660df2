/**
 * The ports on which this service listens for datagrams, and those of this machine to which it forwards them. No port may be
 * both: the service would receive its own datagrams again and again. Plain.
 */

class Counts {
  readonly #of = new Map<number, number>()

  has(port: number): boolean {
    return this.#of.has(port)
  }

  /** Returns a function that releases it. */
  add(port: number): () => void {
    this.#of.set(port, (this.#of.get(port) ?? 0) + 1)
    return () => {
      const left = this.#of.get(port)! - 1
      if (left === 0) this.#of.delete(port)
      else this.#of.set(port, left)
    }
  }
}

export class LocalPorts {
  readonly #heard = new Counts()
  readonly #forwardedTo = new Counts()

  /** The service listens on this port until the returned function is called; undefined where it forwards to that port. */
  listen(port: number): (() => void) | undefined {
    return this.#forwardedTo.has(port) ? undefined : this.#heard.add(port)
  }

  /** The service forwards to this port of this machine from now on; undefined where it listens there. */
  forwardTo(port: number): (() => void) | undefined {
    return this.#heard.has(port) ? undefined : this.#forwardedTo.add(port)
  }
}
