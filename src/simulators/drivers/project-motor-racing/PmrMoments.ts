/**
 * Turns a state of the player's car into the timekeeper's words. Version 1 does not send the time of the last lap: it
 * is computed as the last reading of the lap's clock plus the time from then to the line. If a state was lost there,
 * the lap has no time.
 */
import type { Moment } from "../../timekeeping/Moment.ts"
import { timeOfSeconds, toMillis } from "../../timekeeping/reportedTimes.ts"
import type { CarState } from "./StateClock.ts"

/** A longer time than this many intervals of the states before means that one was lost. */
const INTERVALS = 1.5

/** The `currentLap` of a car that has driven all laps. */
const FINISHED = -1

export const isOver = ({ currentLap, sessionFinished }: CarState): boolean =>
  currentLap === FINISHED || sessionFinished !== 0

export class PmrMoments {
  readonly #moment: Moment = { time: Number.NaN, lapNumber: Number.NaN, clock: Number.NaN, lastLap: null }
  #last: { readonly state: CarState; readonly arrival: number } | undefined
  /** s between the last two states of one lap. */
  #interval = Number.NaN
  /** The lap time, measured for a version that does not send it. */
  #measured: number | null = null
  /** Whether the game declared the lap under way invalid. */
  #isSpoilt = false

  /** Another session. */
  begin(): void {
    this.#last = undefined
    this.#isSpoilt = false
  }

  /** A state at `time`, s on the feed's clock. The next call fills the same object. */
  of(state: CarState, time: number, arrival: number): Moment {
    const last = this.#last
    const moment = this.#moment
    this.#last = { state, arrival }
    moment.time = time
    moment.isOver = isOver(state)
    if (!moment.isOver && state.currentLap !== moment.lapNumber) {
      this.#isSpoilt = false
      moment.lapNumber = state.currentLap
    }
    if (state.lapValid === 0) this.#isSpoilt = true
    if (last !== undefined) this.#measure(last.state, state, arrival - last.arrival)
    const [sector1, sector2] = state.currentSectorTimes
    moment.clock = moment.isOver ? Number.NaN : state.currentLapTime
    moment.lastLap = state.lastLapTime === undefined ? this.#measured : timeOfSeconds(state.lastLapTime)
    moment.sector1 = state.currentSector >= 1 ? timeOfSeconds(sector1) : null
    moment.sector2 = state.currentSector >= 2 ? timeOfSeconds(sector2) : null
    // The points show whether the lap was heard as a whole.
    moment.valid = this.#isSpoilt ? false : undefined
    moment.isInPit = state.inPits !== 0 || state.inPitLane === 1
    return moment
  }

  #measure(last: CarState, now: CarState, passed: number): void {
    if (now.currentLap === last.currentLap) this.#interval = passed
    if (now.currentLap !== last.currentLap + 1) return
    const toLine = passed - now.currentLapTime
    const isNext = toLine >= 0 && passed <= INTERVALS * this.#interval
    this.#measured = isNext ? toMillis(last.currentLapTime + toLine) : null
  }
}
