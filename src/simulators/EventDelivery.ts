/**
 * Delivers the events of a driver's sockets to the connection's sink.
 *
 * It delivers events once in a turn of the event loop, after all sockets were read, and not sooner than
 * `DELIVERY_SPACING_MS` after the last delivery. It offers them to the sink without a fiber: waking a fiber for a few points
 * costs several times as much as reading and recording them, and leaves kilobytes of garbage. The connection's fiber wakes
 * only if the sink has to wait; events that arrive meanwhile are delivered as soon as the sink is ready.
 *
 * Guarantees: events are delivered in order, each once. While the sink is not ready, nothing is taken from the driver; a
 * driver that stops reading makes its simulator wait. The loss of the link is reported after all events before it.
 */
import { Effect } from "effect"
import type { SimulatorEvent } from "../domain/SimulatorEvent.ts"
import type { EventSink } from "../recording/feed/EventSink.ts"
import type { TimingService } from "../platform/Timing.ts"
import { coalesce } from "./connection/coalesce.ts"
import { LinkLost } from "./Driver.ts"

/**
 * Only feeds of more than 500 Hz ever wait. Their batches then have several points, which saves work: each batch,
 * whatever its size, is sent to every worker process, offered to every live rate and copied to the store. A live page
 * at 60 Hz has 17 ms.
 */
export const DELIVERY_SPACING_MS = 2

/** The fiber that waits until the sink has to wait, or the link is lost. */
interface Waiting {
  readonly sink: EventSink
  readonly resume: (outcome: Effect.Effect<void, LinkLost>) => void
}

export class EventDelivery {
  readonly #takeAll: () => ReadonlyArray<SimulatorEvent>
  readonly #hasMore: () => boolean
  readonly #timing: TimingService
  #lost: LinkLost | undefined
  #waiting: Waiting | undefined
  /** When the next delivery is due; a function cancels it. Undefined if none is planned. */
  #due: "at the end of this turn" | (() => void) | undefined
  #delivered = Number.NEGATIVE_INFINITY

  /**
   * `takeAll` returns the events since its last call, in order; they are valid until the next call. `hasMore`: whether
   * it left events, which the next call returns.
   */
  constructor(
    takeAll: () => ReadonlyArray<SimulatorEvent>,
    timing: TimingService,
    hasMore: () => boolean = () => false
  ) {
    this.#takeAll = takeAll
    this.#hasMore = hasMore
    this.#timing = timing
  }

  /** Data arrived. `isMuch`: so much that it is better not to wait for more. */
  heard(isMuch = false): void {
    // A sink that is not ready gets all events once it is ready.
    if (this.#waiting === undefined || this.#due === "at the end of this turn") return
    const left = isMuch ? 0 : this.#delivered + DELIVERY_SPACING_MS - this.#timing.now()
    if (left <= 0) {
      this.#due?.()
      this.#due = "at the end of this turn"
      this.#timing.soon(this.#deliverNow)
    } else this.#due ??= this.#timing.after(Math.ceil(left), this.#deliverNow)
  }

  get lost(): LinkLost | undefined {
    return this.#lost
  }

  /** No more data will arrive. */
  lose(reason: string): void {
    this.#lost ??= new LinkLost({ reason })
    this.heard()
  }

  /** Delivers to the sink until the link is lost. */
  deliverTo(sink: EventSink): Effect.Effect<never, LinkLost> {
    const untilKept = Effect.async<void, LinkLost>((resume) => {
      const outcome = this.#offerTo(sink)
      if (outcome !== undefined) return resume(outcome)
      this.#waiting = { sink, resume }
      return Effect.sync(() => {
        this.#waiting = undefined
      })
    })
    return Effect.forever(Effect.zipRight(untilKept, sink.ready))
  }

  /** Offers all events; undefined if more may be offered immediately. */
  #offerTo(sink: EventSink): Effect.Effect<void, LinkLost> | undefined {
    try {
      do {
        // Points that follow one another go as one batch.
        const events = coalesce(this.#takeAll())
        if (events.length > 0 && !sink.offer(events)) return Effect.void
      } while (this.#hasMore())
      return this.#lost
    } catch (defect) {
      // A bug of the sink ends the connection's fiber; thrown here, it would end the process.
      return Effect.die(defect)
    }
  }

  readonly #deliverNow = (): void => {
    this.#due = undefined
    const waiting = this.#waiting
    if (waiting === undefined) return
    this.#delivered = this.#timing.now()
    const outcome = this.#offerTo(waiting.sink)
    if (outcome === undefined) return
    this.#waiting = undefined
    waiting.resume(outcome)
  }
}
