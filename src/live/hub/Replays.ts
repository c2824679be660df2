/** The replays of a process: how many there may be, whose turn it is to read the store, and what was read last. */
import { Effect } from "effect"
import { lowerBound, type PointBatch } from "../../domain/RowBatch.ts"
import { breathe } from "../../platform/threads/breathe.ts"
import { Turns } from "../../platform/Turns.ts"

/** After an interruption all clients come at once. Each that takes nothing holds the text of one read (READ_POINTS). */
export const MAX_REPLAYS = 1024

/**
 * Turns at once. The event loop turns between two of one after the other, so a turn of it has so many reads and their text at
 * most, some 3 ms each. A server that stores the points answers several while one is on its way.
 */
const READS_AT_ONCE = 2

/** Two thirds of what a client can have missed, if a store's page is a block: 5 MiB. */
const MAX_PAGES = 16

/** The stored points of a session from a time on, as many as the store gives at once. */
interface Page {
  readonly sessionId: number
  /** Epoch seconds. */
  readonly from: number
  readonly points: PointBatch
}

export class Replays {
  #underWay = 0
  /** Replays take small parts of a page in turns, and clients that come at once the same ones. The last read is the last. */
  #pages: Array<Page> = []
  readonly #turns = new Turns(READS_AT_ONCE)

  /** Begins one more, which ends when the returned function is called; undefined if there are too many. */
  begin(): (() => void) | undefined {
    if (this.#underWay === MAX_REPLAYS) return undefined
    this.#underWay++
    let isUnderWay = true
    return () => {
      if (isUnderWay) this.#underWay--
      isUnderWay = false
      if (this.#underWay === 0) this.#pages = []
    }
  }

  /** Up to `most` stored points from that time on, if a page has any; a copy. */
  known(sessionId: number, time: number, most: number): PointBatch | undefined {
    const page = this.#pages.find(
      ({ from, points, sessionId: id }) =>
        id === sessionId && from <= time && time <= points.timestamps.at(-1)!
    )
    if (page === undefined) return undefined
    const first = lowerBound(page.points.timestamps, time)
    return page.points.slice(first, Math.min(page.points.length, first + most))
  }

  /** Keeps points, at least one, that were read from that time on. */
  keep(sessionId: number, from: number, points: PointBatch): void {
    this.#pages = [...this.#pages.slice(1 - MAX_PAGES), { sessionId, from, points }]
  }

  /**
   * Runs a part of a replay when its turn comes, in a new turn of the event loop: every replay that waits has one before one
   * has another.
   */
  readonly inTurn = <A, E, R>(part: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    this.#turns.run(Effect.zipRight(breathe, part))
}
