import { Clock, Effect } from "effect"

/** How long a store that has answered counts as one that answers. */
const HOLDS_MS = 100

/**
 * `ask`, but not again so soon after an answer: a client that asks `/health` a thousand times a second has each store asked ten times.
 * A failure is never remembered.
 */
export const unlessJustAnswered = <A, E, R>(ask: Effect.Effect<A, E, R>): Effect.Effect<void, E, R> => {
  let answered = -Infinity
  return Effect.flatMap(Clock.currentTimeMillis, (now) =>
    // The clock may be set back.
    Math.abs(now - answered) < HOLDS_MS
      ? Effect.void
      : Effect.map(ask, () => {
          answered = now
        })
  )
}
