import type { Effect, Scope } from "effect"

/**
 * The events of one subscription. The outer Effect acquires the source for its scope. Each run of the inner Effect
 * waits for at least one event and succeeds with all events since the run before. It is an Effect and not a Stream: a
 * Stream's channels took half of a message's cost (measured).
 */
export type EventPull<A, E, R> = Effect.Effect<Effect.Effect<ReadonlyArray<A>, E, R>, E, R | Scope.Scope>
