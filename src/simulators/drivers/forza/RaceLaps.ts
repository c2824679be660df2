/** The laps of one race, from its counter, clocks and distance. */
import { CountedLaps } from "../../CountedLaps.ts"
import type { EventBuffer } from "../../EventBuffer.ts"
import { timeOfSeconds } from "../../toldTimes.ts"
import { isTimed, type Moment, stampsBetween } from "./moment.ts"

/** If the packet in which the counter rises shows a larger current lap time than this, the time is still the old lap's, s. */
const FRESH_LAP_S = 1
/** The tolerance between a new last lap time and the current lap time before it, if the lap ended then, s. */
const FITS_S = 0.1

/** The race's clock runs on the way to the first line, which no lap counts. */
const isBeforeLine = ({ currentLap, lap }: Moment): boolean => lap === 0 && currentLap === 0

/** Whether the first lap begins at this line only: its clock ran on the way there. The distance is counted from the line on. */
const beginsAnew = (now: Moment, last: Moment): boolean =>
  now.lap === 0 &&
  now.raceTime >= last.raceTime &&
  now.currentLap < last.currentLap &&
  (last.distance <= 0 || now.distance < last.distance)

export class RaceLaps {
  readonly #counted = new CountedLaps()
  /** The packet before, if it was timed. */
  #last: Moment | undefined
  /** When the current lap was seen to begin, s on the feed's clock. */
  #began = -Infinity
  /** The distance at the line where the current lap began; NaN where that was not seen. */
  #lineAt = Number.NaN
  /** The lap whose time was shown although the counter did not rise: the last lap of a race. */
  #over: number | undefined
  /** The current lap, from 1; NaN without one. */
  lapNumber = Number.NaN
  /** m since the line; NaN where it is unknown. */
  lapDistance = Number.NaN

  /** Another race. */
  begin(): void {
    this.#counted.reset()
    this.#last = undefined
    this.#began = -Infinity
    this.#over = undefined
  }

  read(now: Moment, time: number, events: EventBuffer): void {
    if (this.#last !== undefined && beginsAnew(now, this.#last)) {
      this.#last = undefined
      this.#counted.reset()
    }
    if (!isTimed(now) || (this.#last === undefined && isBeforeLine(now))) {
      this.#last = undefined
      this.lapNumber = Number.NaN
      // On the grid or on the way to the line: at the line or before it.
      this.lapDistance = now.distance <= 0 ? 0 : Number.NaN
      return
    }
    const sinceLine = this.#follow(now, time)
    this.#last = now
    this.lapNumber = now.lap + (now.lap === this.#over ? 2 : 1)
    this.lapDistance = Math.max(0, now.distance - this.#lineAt)
    this.#counted.read(
      {
        time,
        lapNumber: this.lapNumber,
        sinceLine,
        lastLap: timeOfSeconds(now.lastLap)
      },
      events
    )
  }

  /** Finds where the current lap began; returns the time since then, NaN where the game does not tell it. */
  #follow(now: Moment, time: number): number {
    const last = this.#last
    if (last === undefined || now.lap < last.lap) {
      // The lap was joined midway, or rewound over the line. The first lap begins with the race.
      this.#lineAt = now.lap === 0 ? 0 : Number.NaN
    }
    if (last === undefined) return now.currentLap
    if (now.raceTime < last.raceTime) this.#over = undefined
    if (now.lap > last.lap) {
      const sinceLine = now.currentLap <= FRESH_LAP_S ? now.currentLap : Number.NaN
      const counted = last.lap === this.#over
      if (!counted) this.#passLine(now.distance - now.speed * (sinceLine || 0), time)
      return sinceLine
    }
    if (this.#isOver(now, last, time)) {
      this.#over = now.lap
      this.#passLine(now.distance, time)
    }
    return now.lap === this.#over ? Number.NaN : now.currentLap
  }

  #passLine(distance: number, time: number): void {
    this.#lineAt = distance
    this.#began = time
  }

  #isOver(now: Moment, last: Moment, time: number): boolean {
    const left = now.lastLap - last.currentLap
    const fits = left >= -FITS_S && left <= stampsBetween(last, now) / 1000 + FITS_S
    return fits && now.lastLap !== last.lastLap && time - this.#began > FRESH_LAP_S
  }
}
