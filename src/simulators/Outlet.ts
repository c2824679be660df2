/**
 * Where events leave a driver's synchronous part, which its sockets call, for the connection, which waits in a fiber.
 *
 * They are handed over once in a turn of the event loop, when all sockets were read, and not sooner than `SPACING_MS` after
 * the last time. What can be recorded without waiting goes past the connection's fiber, by the shortcut: waking one for a
 * few points costs several times what reading and recording them does, and leaves kilobytes of garbage.
 */
import { Chunk, Effect, Option, Stream } from "effect"
import type { SimulatorEvent } from "../domain/SimulatorEvent.ts"
import { coalesce } from "./coalesce.ts"
import { type Link, LinkLost } from "./Driver.ts"

/**
 * Only feeds of more than 500 Hz ever wait, and their batches then have several points: each batch is sent on to every
 * worker process, offered to every live rate and copied to the store, whatever its size. A live page at 60 Hz has 17 ms.
 */
export const SPACING_MS = 2

type Heard = Effect.Effect<Chunk.Chunk<SimulatorEvent>, LinkLost>

export class Outlet {
  readonly #takeAll: () => ReadonlyArray<SimulatorEvent>
  #lost: LinkLost | undefined
  /** Gives to who waits for what is heard next. */
  #give: ((heard: Heard) => void) | undefined
  #shortcut: ((events: ReadonlyArray<SimulatorEvent>) => number) | undefined
  /** It is settled when what waits is handed over. */
  #due: "at the end of this turn" | NodeJS.Timeout | undefined
  #handedOver = Number.NEGATIVE_INFINITY

  /** `takeAll`: what was heard since it was last called, in order. Points that follow one another are handed over as one batch. */
  constructor(takeAll: () => ReadonlyArray<SimulatorEvent>) {
    this.#takeAll = () => coalesce(takeAll())
  }

  /** Something was heard. `isMuch`: so much that it is better not to wait for more. */
  heard(isMuch = false): void {
    // Who is still busy takes all that is there when it is not.
    if (this.#give === undefined || this.#due === "at the end of this turn") return
    const left = isMuch ? 0 : this.#handedOver + SPACING_MS - performance.now()
    if (left <= 0) {
      clearTimeout(this.#due)
      this.#due = "at the end of this turn"
      setImmediate(this.#handOver)
    } else this.#due ??= setTimeout(this.#handOver, Math.ceil(left))
  }

  get lost(): LinkLost | undefined {
    return this.#lost
  }

  /** Nothing more will be heard. */
  lose(reason: string): void {
    this.#lost ??= new LinkLost({ reason })
    this.heard()
  }

  /** What was heard, or the loss once everything heard is taken; and the way past it. */
  get link(): Required<Pick<Link, "events" | "shortcut">> {
    return {
      events: Stream.repeatEffectChunkOption(Effect.mapError(this.#take, Option.some)),
      shortcut: (take) => {
        this.#shortcut = take
      }
    }
  }

  readonly #take: Heard = Effect.async((resume) => {
    const heard = this.#next(this.#takeAll())
    if (heard !== undefined) return resume(heard)
    this.#give = resume
    return Effect.sync(() => {
      this.#give = undefined
    })
  })

  #next(events: ReadonlyArray<SimulatorEvent>): Heard | undefined {
    return events.length > 0 ? Effect.succeed(Chunk.unsafeFromArray(events)) : this.#lost
  }

  readonly #handOver = (): void => {
    this.#due = undefined
    const give = this.#give
    if (give === undefined) return
    this.#handedOver = performance.now()
    const heard = this.#pastShortcut(this.#takeAll())
    if (heard === undefined) return
    this.#give = undefined
    give(heard)
  }

  #pastShortcut(events: ReadonlyArray<SimulatorEvent>): Heard | undefined {
    try {
      const taken = this.#shortcut?.(events) ?? 0
      return this.#next(taken === 0 ? events : events.slice(taken))
    } catch (defect) {
      // The connection's, as it were in its fiber; here it would end the process.
      return Effect.die(defect)
    }
  }
}
