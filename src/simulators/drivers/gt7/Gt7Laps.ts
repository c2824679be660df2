/** The laps of one session, from the game's counter and the time of the last lap. */
import { CountedLaps } from "../../CountedLaps.ts"
import type { EventBuffer } from "../../EventBuffer.ts"

/** If the packet in which the counter rises shows a larger current lap time than this, the time is still the old lap's, s. */
const FRESH_LAP_S = 1
/** The tolerance between a new last lap time and the current lap, if the lap ended then, s. */
const FITS_S = 0.1

/** The lap fields of a packet, times in seconds. */
export interface LapCount {
  readonly time: number
  /** The current lap, from 1; 0 before the start, -1 in a menu. */
  readonly lap: number
  readonly lastLap: number | null
  /** Since the line; NaN where the format does not tell it. */
  readonly sinceLine: number
  /** Whether the car has driven in this session. */
  readonly hasMoved: boolean
}

export class Gt7Laps {
  readonly #counted = new CountedLaps()
  #lap = Number.NaN
  #lastLap: number | null = null
  /** When the current lap was seen to begin. */
  #began = Number.NaN
  /** The lap whose time was shown although the counter did not rise: the last lap of a race. */
  #over: number | undefined
  /** The current lap, from 1; 0 on the drive to the start; NaN where the game does not count. */
  lapNumber = Number.NaN
  /** m since the line: known only at the line, NaN elsewhere. */
  lapDistance = Number.NaN

  /** Another session. `lap`: the count before it. */
  begin(lap: number): void {
    this.#counted.reset()
    this.#lap = lap
    this.#lastLap = null
    this.#began = Number.NaN
    this.#over = undefined
  }

  read({ hasMoved, lap, lastLap, sinceLine, time }: LapCount, events: EventBuffer): void {
    if (lap <= 0) {
      const isWaiting = lap === 0 && !hasMoved
      this.lapNumber = lap === 0 && hasMoved ? 0 : Number.NaN
      // The first lap begins where the car stands before the start.
      this.lapDistance = isWaiting ? 0 : Number.NaN
      this.#lap = lap
      return
    }
    const isCounted = lap > this.#lap
    const since = isCounted && !(sinceLine <= FRESH_LAP_S) ? Number.NaN : sinceLine
    this.lapDistance = isCounted && this.#lap === 0 ? 0 : Number.NaN
    if (isCounted) {
      if (this.#lap !== this.#over) this.#began = time - (since || 0)
    } else if (lastLap !== null && lastLap !== this.#lastLap && this.#isOver(lastLap, time)) {
      this.#over = lap
      this.#began = time
    }
    const isOver = lap === this.#over
    this.#lap = lap
    this.#lastLap = lastLap
    this.lapNumber = isOver ? lap + 1 : lap
    this.#counted.read(
      {
        time,
        lapNumber: this.lapNumber,
        sinceLine: isOver ? Number.NaN : since,
        lastLap
      },
      events
    )
  }

  #isOver(lastLap: number, time: number): boolean {
    return Math.abs(lastLap - (time - this.#began)) <= FITS_S
  }
}
