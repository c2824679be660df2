/** The replays of a process: how many there may be, and whose turn it is to read the store. */
import { Effect } from "effect"
import { breathe } from "../threads/breathe.ts"
import { Turns } from "../Turns.ts"

/** After an interruption all clients come at once. Each that takes nothing holds the text of one read (READ_POINTS). */
export const MAX_REPLAYS = 1024

/**
 * Turns at once. The event loop turns between two of one after the other, so a turn of it has so many reads and their text at
 * most, some 3 ms each. A server that stores the points answers several while one is on its way.
 */
const READS_AT_ONCE = 2

export class Replays {
  #underWay = 0
  readonly #turns = new Turns(READS_AT_ONCE)

  /** Begins one more, which ends when the returned function is called; undefined if there are too many. */
  begin(): (() => void) | undefined {
    if (this.#underWay === MAX_REPLAYS) return undefined
    this.#underWay++
    let isUnderWay = true
    return () => {
      if (isUnderWay) this.#underWay--
      isUnderWay = false
    }
  }

  /**
   * Runs a part of a replay when its turn comes, in a new turn of the event loop: every replay that waits has one before one
   * has another.
   */
  readonly inTurn = <A, E, R>(part: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    this.#turns.run(Effect.zipRight(breathe, part))
}
