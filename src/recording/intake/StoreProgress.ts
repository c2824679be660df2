/** Whether the stores keep up: how long the oldest write has waited. */
import { Clock, Context, Effect } from "effect"
import type { StoreUnavailable } from "../../domain/errors.ts"

/** A healthy store takes milliseconds. */
export const STALLED_AFTER_MS = 2000

/** The work that waits, for how long, and why it last failed, if it did. */
export interface Stalled {
  readonly what: string
  readonly seconds: number
  readonly reason: string | null
}

export interface Attempt {
  readonly what: string
  readonly since: bigint
  reason: string | null
}

/** The attempts at store operations of one process. */
export class Attempts {
  readonly #underWay = new Set<Attempt>()

  begin(what: string, since: bigint): Attempt {
    const attempt: Attempt = { what, since, reason: null }
    this.#underWay.add(attempt)
    return attempt
  }

  end(attempt: Attempt): void {
    this.#underWay.delete(attempt)
  }

  /** Null while nothing has waited for long. Attempts are in the order in which they began. */
  stalled(now: bigint): Stalled | null {
    const [oldest] = this.#underWay
    if (oldest === undefined) return null
    const waited = Number(now - oldest.since) / 1e6
    if (waited < STALLED_AFTER_MS) return null
    return { what: oldest.what, seconds: Math.floor(waited / 1000), reason: oldest.reason }
  }
}

/** The attempts of this process; tests provide their own. */
export class StoreAttempts extends Context.Reference<StoreAttempts>()("recording/StoreAttempts", {
  defaultValue: () => new Attempts()
}) {}

export const stalledHere = Effect.gen(function* () {
  return (yield* StoreAttempts).stalled(yield* Clock.currentTimeNanos)
})

/** The progress of the recording process, whichever process asks. */
export class StoreProgress extends Context.Tag("recording/StoreProgress")<
  StoreProgress,
  { readonly stalled: Effect.Effect<Stalled | null, StoreUnavailable> }
>() {}
