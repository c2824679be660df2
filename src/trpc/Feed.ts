import type { Effect, Scope } from "effect"

/**
 * What happens, for one who asks: acquired for as long as somebody listens, it gives what has happened since it was
 * asked last, at least one thing, as soon as there is one. An Effect and not a Stream, whose channels were half of
 * what a message cost (measured).
 */
export type Feed<A, E, R> = Effect.Effect<Effect.Effect<ReadonlyArray<A>, E, R>, E, R | Scope.Scope>
