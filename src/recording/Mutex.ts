import { Effect } from "effect"

/** One at a time, in the order of asking; plain code can see whether it is free. */
export class Mutex {
  readonly #semaphore = Effect.unsafeMakeSemaphore(1)
  /** Who holds it, and who waits for it. */
  #users = 0

  get isFree(): boolean {
    return this.#users === 0
  }

  hold<A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.acquireUseRelease(
      Effect.sync(() => this.#users++),
      () => this.#semaphore.withPermits(1)(effect),
      () => Effect.sync(() => this.#users--)
    )
  }
}
