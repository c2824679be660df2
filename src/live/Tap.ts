/**
 * A listener of this process: keeps messages until they are taken.
 *
 * Guarantees: messages are taken in the order given. One who takes too seldom (MOST_WAITING) costs a bounded amount
 * of memory: from then on the newest message of each session and the newest KEPT_EVENTS events are kept, until all
 * that waits is taken.
 */
import type { Announcement, Listener, Wish } from "./Listener.ts"
import type { LiveMessage } from "./messages.ts"
import type { Parcel } from "./Parcel.ts"
import { KEPT_EVENTS, MOST_WAITING } from "./protocol.ts"
import type { Tally } from "./Subscriber.ts"

interface TapContext {
  readonly tally: Tally
  readonly gone: (tap: Tap) => void
}

export class Tap implements Listener {
  readonly wish: Wish
  readonly #context: TapContext
  #waiting: Array<LiveMessage> = []
  readonly #newest = new Map<number, LiveMessage>()
  #keptEvents: Array<LiveMessage> = []
  #ready: (() => void) | undefined

  /** `gone` is called when it is closed. */
  constructor(wish: Wish, context: TapContext) {
    this.wish = wish
    this.#context = context
  }

  send({ runs }: Parcel): void {
    for (const { count, messages, sessionId } of runs) {
      if (this.#waiting.length < MOST_WAITING) this.#waiting.push(...messages)
      else {
        this.#context.tally.skipped += count - 1 + (this.#newest.has(sessionId) ? 1 : 0)
        this.#newest.set(sessionId, messages[count - 1]!)
      }
    }
    this.#ready?.()
  }

  sendEvent({ event }: Announcement): void {
    if (this.#waiting.length < MOST_WAITING) this.#waiting.push(event)
    else if (this.#keptEvents.push(event) > KEPT_EVENTS) {
      this.#keptEvents.shift()
      this.#context.tally.skipped++
    }
    this.#ready?.()
  }

  /** All that waits; empty where nothing does. */
  take(): ReadonlyArray<LiveMessage> {
    const taken = [...this.#waiting, ...this.#keptEvents, ...this.#newest.values()]
    this.#waiting = []
    this.#keptEvents = []
    this.#newest.clear()
    this.#context.tally.sent += taken.length
    return taken
  }

  /** Calls `ready` once, as soon as something waits; the answer calls it off. */
  whenReady(ready: () => void): () => void {
    if (this.#waiting.length > 0) {
      ready()
      return () => {}
    }
    this.#ready = () => {
      this.#ready = undefined
      ready()
    }
    return () => {
      this.#ready = undefined
    }
  }

  /** Whoever takes from it ends with the service by itself. */
  dismiss(): void {}

  close(): void {
    this.#context.tally.skipped += this.#waiting.length + this.#keptEvents.length + this.#newest.size
    this.#context.gone(this)
  }
}
