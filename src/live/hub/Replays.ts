/**
 * The replays of a process: limits their number, gives them turns to read the store, and keeps the last pages that they
 * read.
 */
import { Effect } from "effect"
import { lowerBound, type PointBatch } from "../../domain/RowBatch.ts"
import { breathe } from "../../platform/threads/breathe.ts"
import { Turns } from "../../platform/Turns.ts"

/**
 * After an interruption all clients connect together. Each that takes nothing holds the text of one read (READ_POINTS).
 */
export const MAX_REPLAYS = 1024

/**
 * The number of turns that run concurrently. Each turn runs in a new turn of the event loop, so the event loop does at
 * most this many reads with their text in one turn, some 3 ms each. A server that stores the points can answer one read
 * while another is on its way.
 */
const READS_AT_ONCE = 2

/**
 * The number of kept pages, 5 MiB. If a store's page is a block, they have two thirds of the points that a replay can
 * send.
 */
const MAX_PAGES = 16

/** The stored points of a session from a time on, as many as the store gives in one page. */
interface Page {
  readonly sessionId: number
  /** Epoch seconds. */
  readonly from: number
  readonly points: PointBatch
}

export class Replays {
  #underWay = 0
  /**
   * Replays take small parts of a page in turns, and clients that connect together take the same parts. The newest page
   * is last.
   */
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
   * Runs a part of a replay when its turn comes, in a new turn of the event loop. Every waiting replay gets a turn
   * before any replay gets another.
   */
  readonly inTurn = <A, E, R>(part: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    this.#turns.run(Effect.zipRight(breathe, part))
}
