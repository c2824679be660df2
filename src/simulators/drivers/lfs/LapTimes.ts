/**
 * The sectors and the validity of the lap under way: SPX reports the time since the line at each split, HLV an invalid
 * lap.
 *
 * A track has 0 to 3 splits. A lap has no sectors with 0 splits, two with 1, and three with 2. With 3 splits, sector 3
 * is the third and fourth part of the lap together, so that the sectors always add up to the lap.
 */
import type { LastLap } from "../../timekeeping/Moment.ts"
import { timeOfMs } from "../../timekeeping/reportedTimes.ts"
import { NO_TIME_MS } from "./insim.ts"

/** ms; undefined for 'no time'. */
const timeOf = (ms: number): number | undefined => (ms > 0 && ms < NO_TIME_MS ? ms : undefined)

/** s; null for 'no time'. */
export const lapTimeOf = (ms: number): number | null => timeOfMs(timeOf(ms))

const between = (from: number | undefined, to: number | undefined): number | null =>
  from === undefined || to === undefined ? null : timeOfMs(to - from)

export class LapTimes {
  /** The number of the track's splits; undefined until a packet reports it. */
  splits: number | undefined
  #first: number | undefined
  #second: number | undefined
  /** The highest split of this lap. */
  #passed = 0
  #isSpoilt = false
  #isFromLine = false

  /** Another lap has begun; `isFromLine`: its start was seen. */
  begin(isFromLine: boolean): void {
    this.#first = undefined
    this.#second = undefined
    this.#passed = 0
    this.#isSpoilt = false
    this.#isFromLine = isFromLine
  }

  /** The car passed split 1, 2 or 3 this long after the line, ms. */
  split(split: number, ms: number): void {
    this.#passed = Math.max(this.#passed, split)
    if (split === 1) this.#first = timeOf(ms)
    else if (split === 2) this.#second = timeOf(ms)
  }

  /** The lap is invalid. */
  spoil(): void {
    this.#isSpoilt = true
  }

  /**
   * The reported details of the lap that ended after `ms`. `isCovered`: by its time it began no earlier than the first
   * point.
   */
  was(ms: number, isCovered: boolean): LastLap {
    const lap = timeOf(ms)
    const splits = this.splits ?? this.#passed
    // InSim reports the moment when a lap becomes invalid, so the validity of a lap that was joined midway is unknown.
    const isWhole = this.#isFromLine || isCovered
    return {
      sectors: [
        splits === 0 ? null : timeOfMs(this.#first),
        splits === 0 ? null : between(this.#first, splits === 1 ? lap : this.#second),
        splits < 2 ? null : between(this.#second, lap)
      ],
      valid: this.#isSpoilt ? false : isWhole ? true : undefined
    }
  }
}
