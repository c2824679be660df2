/**
 * Chooses one sender for each kind of datagram of a link: the first one with a readable datagram, until it is silent
 * for some seconds. Datagrams of another sender would mix two drives in one session, or end the session that is
 * recorded. Plain code.
 */

/** A sender that was silent for this long has gone, or has restarted on another port, s. */
const GONE_AFTER_S = 5

interface Owner {
  readonly sender: string
  /** Whole seconds since its last datagram. */
  silent: number
}

export class Senders {
  readonly #owners = new Map<string, Owner>()

  /** Whether a datagram of this kind may be heard from this sender (address and port). */
  mayBe(kind: string, sender: string): boolean {
    const owner = this.#owners.get(kind)
    return owner === undefined || owner.sender === sender || owner.silent >= GONE_AFTER_S
  }

  /** A datagram of this sender was read. */
  heard(kind: string, sender: string): void {
    const owner = this.#owners.get(kind)
    if (owner?.sender === sender) owner.silent = 0
    else this.#owners.set(kind, { sender, silent: 0 })
  }

  /** Whether this sender is heard, for any kind. */
  isHeard(sender: string): boolean {
    for (const owner of this.#owners.values()) if (owner.sender === sender) return true
    return false
  }

  passSecond(): void {
    for (const owner of this.#owners.values()) owner.silent++
  }
}
