/** The newest rows before a time, of which a store has no index: looked for in spans of time that grow until there are enough. */
import { Effect } from "effect"

/** How far back of the time at first, s, and then so many times as far. */
const FIRST_LOOK_S = 1
const FARTHER = 8

/** What `read` finds from a time on: the first that is enough, else what there is from `first` on, before which there is nothing. */
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
