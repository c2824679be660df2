/**
 * The player's laps: SPX tells the time since the line at each split, LAP the lap time, HLV that the lap is invalid.
 *
 * Tracks have none to three splits. With two splits there are three sectors; with one, two sectors and no third; with three,
 * the third and fourth part of the lap together are sector 3, so that the sectors always add up to the lap; with none, no
 * sectors.
 *
 * No lap waits for a later packet, so these are no Laps of the timekeeper: a LAP packet tells the end and the time at once, over TCP,
 * which loses no packet, and it has the lap's number.
 */
import { lapStart } from "../../timekeeping/lapClocks.ts"
import type { EventBuffer } from "../../EventBuffer.ts"
import { timeOfMs, validity } from "../../toldTimes.ts"
import { NO_TIME_MS } from "./insim.ts"

/** A lap whose time leads back this close to its first point was seen whole, s. */
const FITS_S = 0.1

/** ms; undefined for 'no time'. */
const timeOf = (ms: number): number | undefined => (ms > 0 && ms < NO_TIME_MS ? ms : undefined)

const between = (from: number | undefined, to: number | undefined): number | null =>
  from === undefined || to === undefined ? null : timeOfMs(to - from)

export class LapTimes {
  /** The number of the track's splits; undefined until a packet tells it. */
  splits: number | undefined
  /** Who drives instead of the session's driver; "" for nobody. */
  driver = ""
  #first: number | undefined
  #second: number | undefined
  /** The highest split of this lap. */
  #passed = 0
  #spoilt = false
  #isInPitLane = false
  /** On the feed's clock, NaN where not seen: the begin of the lap, and its first point. */
  #start = Number.NaN
  #seen = Number.NaN

  /** Another lap has begun; `start` where its begin was seen. */
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

  /** The car passed split 1, 2 or 3 this long after the line, ms. */
  split(split: number, ms: number): void {
    this.#passed = Math.max(this.#passed, split)
    if (split === 1) this.#first = timeOf(ms)
    else if (split === 2) this.#second = timeOf(ms)
  }

  /** The lap is invalid. */
  spoil(): void {
    this.#spoilt = true
  }

  /** Called when the car enters and leaves the pit lane: a lap with a visit to the pits is invalid (contract, section 4). */
  pitLane(isIn: boolean): void {
    this.#spoilt = true
    this.#isInPitLane = isIn
  }

  /** The lap ended at `end` (s on the feed's clock; NaN where unknown), after `ms`. */
  complete(lapNumber: number, ms: number, end: number, events: EventBuffer): void {
    const lap = timeOf(ms)
    const splits = this.splits ?? this.#passed
    const lapTime = timeOfMs(lap)
    const timed = lapTime === null ? Number.NaN : end - lapTime
    const start = lapStart(this.#start, end, lapTime)
    // InSim tells when a lap becomes invalid, so the validity of a lap that was joined midway is unknown.
    const isWhole = !Number.isNaN(this.#start) || timed >= this.#seen - FITS_S
    events.lap({
      lapNumber,
      lapTime,
      sectors: [
        splits === 0 ? null : timeOfMs(this.#first),
        splits === 0 ? null : between(this.#first, splits === 1 ? lap : this.#second),
        splits < 2 ? null : between(this.#second, lap)
      ],
      valid: validity(lapTime, this.#spoilt, isWhole ? true : undefined),
      start: Number.isNaN(start) ? undefined : start,
      end: Number.isNaN(end) ? undefined : end,
      ...(this.driver === "" ? {} : { driver: this.driver })
    })
    const isInPitLane = this.#isInPitLane
    this.begin(end)
    if (isInPitLane) this.pitLane(true)
  }
}
