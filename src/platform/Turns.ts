/**
 * Lets a number of effects run at a time; the others wait in the order in which they came.
 *
 * Guarantees: waiting, entering and leaving cost the same however many fibers wait, even if all of them are interrupted
 * together. Effect's semaphore wakes all waiting fibers at each release, and all but one wait again, each time one call
 * deeper: a thousand waiters whose clients leave stop the event loop for half a minute (measured). So wherever clients
 * can make many fibers wait, the fibers wait here.
 *
 * Hard case. A fiber may be interrupted after it was admitted, and before it runs: it then admits the next one.
 */
import { Effect, type Scope } from "effect"

interface Turn {
  /** The number of turns for which it counts. */
  readonly weight: number
  isIn: boolean
  enter: () => void
}

export class Turns {
  readonly #most: number
  #free: number
  /** In order of arrival. */
  readonly #waiting = new Set<Turn>()

  /** `most` run at a time. */
  constructor(most: number) {
    this.#most = most
    this.#free = most
  }

  /** The number of waiting effects. */
  get waiting(): number {
    return this.#waiting.size
  }

  readonly run = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.suspend(() => {
      const turn: Turn = { weight: 1, isIn: false, enter: () => {} }
      return Effect.ensuring(
        Effect.zipRight(this.#entered(turn), effect),
        Effect.sync(() => this.#leave(turn))
      )
    })

  /**
   * Waits for a turn that lasts as long as the scope, and counts as `weight` turns, or as all turns if there are fewer.
   */
  readonly weighing = (weight: number): Effect.Effect<void, never, Scope.Scope> =>
    Effect.suspend(() => {
      const turn: Turn = { weight: Math.min(weight, this.#most), isIn: false, enter: () => {} }
      return Effect.zipRight(
        Effect.addFinalizer(() => Effect.sync(() => this.#leave(turn))),
        this.#entered(turn)
      )
    })

  /** Waits for a turn that lasts as long as the scope. */
  readonly enter: Effect.Effect<void, never, Scope.Scope> = this.weighing(1)

  #entered(turn: Turn): Effect.Effect<void> {
    return Effect.async((resume) => {
      turn.enter = () => resume(Effect.void)
      this.#waiting.add(turn)
      this.#admit()
    })
  }

  #admit(): void {
    for (const turn of this.#waiting) {
      if (this.#free < turn.weight) return
      this.#free -= turn.weight
      this.#waiting.delete(turn)
      turn.isIn = true
      turn.enter()
    }
  }

  #leave(turn: Turn): void {
    if (!turn.isIn) {
      this.#waiting.delete(turn)
      // The next ones in the queue may need less.
      return this.#admit()
    }
    this.#free += turn.weight
    this.#admit()
  }
}
