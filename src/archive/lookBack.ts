/**
 * Finds the newest rows before a time, for which a store has no index: reads spans of time that grow until there are
 * enough rows.
 */
import { Effect } from "effect"

/** The length of the first span, s; each next span is longer by the factor below. */
const FIRST_LOOK_S = 1
const FARTHER = 8

/**
 * Calls `read` with earlier and earlier start times until the result is enough; at the latest with `first`, before
 * which there are no rows.
 */
export const lookBack = <A, E, R>(
  time: number,
  first: number,
  read: (from: number) => Effect.Effect<A, E, R>,
  isEnough: (found: A) => boolean
): Effect.Effect<A, E, R> =>
  Effect.gen(function* () {
    for (let look = FIRST_LOOK_S; ; look *= FARTHER) {
      const found = yield* read(time - look)
      if (isEnough(found) || time - look <= first) return found
    }
  })
