/**
 * Chooses one sender for each kind of datagram of a link: the first that sent one which could be read, until nothing came
 * from it for some seconds. A datagram of another sender would mix two drives in one session, or end the one that is
 * recorded. Plain code.
 */

/** A sender that was silent for so long has gone, or sends from another port since it was started again: s. */
const GONE_AFTER_S = 5

interface Owner {
  readonly sender: string
  /** Whole seconds since it was heard. */
  silent: number
}

export class Senders {
  readonly #owners = new Map<string, Owner>()

  /** Whether a datagram of this kind may be heard from there; `sender`: address and port. */
  mayBe(kind: string, sender: string): boolean {
    const owner = this.#owners.get(kind)
    return owner === undefined || owner.sender === sender || owner.silent >= GONE_AFTER_S
  }

  /** One was read. */
  heard(kind: string, sender: string): void {
    const owner = this.#owners.get(kind)
    if (owner?.sender === sender) owner.silent = 0
    else this.#owners.set(kind, { sender, silent: 0 })
  }

  /** Whether it is heard, of any kind. */
  isHeard(sender: string): boolean {
    for (const owner of this.#owners.values()) if (owner.sender === sender) return true
    return false
  }

  passSecond(): void {
    for (const owner of this.#owners.values()) owner.silent++
  }
}
