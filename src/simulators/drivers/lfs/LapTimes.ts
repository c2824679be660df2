/**
 * Our player's laps: SPX tells the time since the line at each split, LAP the lap's, HLV that it does not count.
 *
 * Tracks have none to three splits. With two, three sectors; with one, two sectors and no third; with three, the third
 * and the fourth part of the lap are sector 3 together, so that the sectors always add up to the lap; with none, no
 * sectors.
 *
 * Nothing is awaited here, so these are no CountedLaps: a LAP packet tells of the end and the time at once, over TCP, which loses
 * none, and the number is its own.
 */
import { lapStart } from "../../CountedLaps.ts"
import type { EventBuffer } from "../../EventBuffer.ts"
import { NO_TIME_MS } from "./insim.ts"

/** A lap whose time leads back so close to its first point was seen whole: s. */
const FITS_S = 0.1

/** ms; undefined for 'no time'. */
const timeOf = (ms: number): number | undefined => (ms > 0 && ms < NO_TIME_MS ? ms : undefined)

/** s of a whole number of ms, which is never negative; null without one. */
const seconds = (ms: number | undefined): number | null => (ms !== undefined && ms > 0 ? ms / 1000 : null)

const between = (from: number | undefined, to: number | undefined): number | null =>
  from === undefined || to === undefined ? null : seconds(to - from)

export class LapTimes {
  /** How many splits the track has; undefined until a packet says so. */
  splits: number | undefined
  #first: number | undefined
  #second: number | undefined
  /** The highest split of this lap. */
  #passed = 0
  #spoilt = false
  #isInPitLane = false
  /** On the feed's clock, NaN where not seen: where the lap began, and its first point. */
  #start = Number.NaN
  #seen = Number.NaN

  /** Another lap is under way; `start` where it was seen to begin. */
  begin(start = Number.NaN): void {
    this.#first = undefined
    this.#second = undefined
    this.#passed = 0
    this.#spoilt = false
    this.#isInPitLane = false
    this.#start = start
    this.#seen = Number.NaN
  }

  /** A point of the lap. */
  point(time: number): void {
    if (Number.isNaN(this.#seen)) this.#seen = time
  }

  /** Passed split 1, 2 or 3, this long after the line: ms. */
  split(split: number, ms: number): void {
    this.#passed = Math.max(this.#passed, split)
    if (split === 1) this.#first = timeOf(ms)
    else if (split === 2) this.#second = timeOf(ms)
  }

  /** The lap will not count. */
  spoil(): void {
    this.#spoilt = true
  }

  /** In the pit lane, or out of it: a lap with it in it does not count (contract, section 4). */
  pitLane(isIn: boolean): void {
    this.#spoilt = true
    this.#isInPitLane = isIn
  }

  /** The lap ended at `end` (s on the feed's clock; NaN where that is not known), after `ms`. */
  complete(lapNumber: number, ms: number, end: number, events: EventBuffer): void {
    const lap = timeOf(ms)
    const splits = this.splits ?? this.#passed
    const timed = lap === undefined ? Number.NaN : end - lap / 1000
    const start = lapStart(this.#start, end, seconds(lap))
    // InSim tells what spoils a lap when it happens: of a lap that was joined midway it is unknown.
    const isWhole = !Number.isNaN(this.#start) || timed >= this.#seen - FITS_S
    events.lap({
      lapNumber,
      lapTime: seconds(lap),
      sectors: [
        splits === 0 ? null : seconds(this.#first),
        splits === 0 ? null : between(this.#first, splits === 1 ? lap : this.#second),
        splits < 2 ? null : between(this.#second, lap)
      ],
      valid: lap === undefined || this.#spoilt ? false : isWhole ? true : undefined,
      start: Number.isNaN(start) ? undefined : start,
      end: Number.isNaN(end) ? undefined : end
    })
    const isInPitLane = this.#isInPitLane
    this.begin(end)
    if (isInPitLane) this.pitLane(true)
  }
}
