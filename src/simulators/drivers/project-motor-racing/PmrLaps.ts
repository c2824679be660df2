/**
 * The player's laps. The states count them and, since version 2, time them. In version 1 a lap's time is the last reading of
 * its clock plus the time from then to the line; where a state was lost there, the lap has no time.
 */
import { CountedLaps } from "../../CountedLaps.ts"
import type { EventBuffer } from "../../EventBuffer.ts"
import { timeOfSeconds, toMillis } from "../../toldTimes.ts"
import type { CarState } from "./StateClock.ts"

/** States further apart do not tell when the car crossed the line, s. */
const CLOSE_S = 0.1

/** The `currentLap` of a car that has driven all laps. */
const FINISHED = -1

export const isOver = ({ currentLap, sessionFinished }: CarState): boolean =>
  currentLap === FINISHED || sessionFinished !== 0

export class PmrLaps {
  readonly #counted = new CountedLaps()
  #last: { readonly state: CarState; readonly arrival: number } | undefined
  /** The current lap at the moment when all were driven. */
  #overIn: number | undefined
  /** The lap time, measured for a version that does not tell it. */
  #measured: number | null = null
  /** Whether the game declared the current lap invalid. */
  #isSpoilt = false
  /** The current lap. */
  lapNumber = Number.NaN

  /** The current lap is not finished: another session, or the lap starts again. */
  reset(): void {
    this.#counted.reset()
    this.#last = undefined
    this.#overIn = undefined
    this.#isSpoilt = false
  }

  /** Takes a state at `time`, s on the feed's clock. */
  read(state: CarState, time: number, arrival: number, events: EventBuffer): void {
    const last = this.#last
    this.#last = { state, arrival }
    if (last !== undefined && this.#overIn === undefined && isOver(state)) {
      this.#overIn = last.state.currentLap
      this.#counted.finish(time, events)
    }
    const lapNumber = this.#overIn ?? state.currentLap
    if (lapNumber !== this.lapNumber) this.#isSpoilt = false
    this.lapNumber = lapNumber
    if (state.lapValid === 0) this.#isSpoilt = true
    if (last !== undefined && state.currentLap === last.state.currentLap + 1) {
      this.#measured = measured(last.state, state, arrival - last.arrival)
    }
    const [sector1, sector2] = state.currentSectorTimes
    this.#counted.read(
      {
        time,
        lapNumber,
        sinceLine: this.#overIn === undefined ? state.currentLapTime : Number.NaN,
        lastLap: state.lastLapTime === undefined ? this.#measured : timeOfSeconds(state.lastLapTime),
        sector1: state.currentSector >= 1 ? timeOfSeconds(sector1) : null,
        sector2: state.currentSector >= 2 ? timeOfSeconds(sector2) : null,
        // The points show whether the lap was heard as a whole.
        valid: this.#isSpoilt ? false : undefined,
        isInPit: state.inPits !== 0 || state.inPitLane === 1
      },
      events
    )
  }
}

const measured = (last: CarState, now: CarState, passed: number): number | null => {
  const toLine = passed - now.currentLapTime
  return toLine >= 0 && passed <= CLOSE_S ? toMillis(last.currentLapTime + toLine) : null
}
