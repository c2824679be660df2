import type { Effect, Scope } from "effect"

/**
 * The events of one subscription. The outer Effect acquires the source for its scope; each run of the inner one succeeds with
 * the events since the run before, at least one, as soon as there is one. An Effect and not a Stream, whose channels were
 * half of what a message cost (measured).
 */
export type EventPull<A, E, R> = Effect.Effect<Effect.Effect<ReadonlyArray<A>, E, R>, E, R | Scope.Scope>
