import { Effect } from "effect"

/** Runs effects one at a time, in the order of their calls. Plain code can check whether it is free. */
export class Mutex {
  readonly #semaphore = Effect.unsafeMakeSemaphore(1)
  /** The number of holders and waiting callers. */
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
