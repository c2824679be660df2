/** The order of a car's states, which have no number except the lap's, and the lap's clock. */
import { type Relation, SLACK_S } from "../../timekeeping/SequenceFilter.ts"
import { isOver } from "./PmrMoments.ts"
import type { CarState } from "./StateClock.ts"

export interface Reached {
  readonly lap: number
  /** s since the line. */
  readonly time: number
  /** The time of the lap before, s; NaN if it is not reported. */
  readonly lapBefore: number
}

/** After the last lap: no later lap is counted. */
const AFTER_ALL: Reached = { lap: 1e6, time: 0, lapBefore: Number.NaN }

export const reachedIn = (state: CarState): Reached =>
  isOver(state)
    ? AFTER_ALL
    : { lap: state.currentLap, time: state.currentLapTime, lapBefore: state.lastLapTime ?? Number.NaN }

/** Relates two states, of which the second came `elapsed` s after the first. */
export const relateStates = (last: Reached, next: Reached, elapsed: number): Relation => {
  const laps = next.lap - last.lap
  // The end of the race, and laps that were not heard, are believed with the next state.
  if (laps > 1) return "ahead"
  if (laps > 0) {
    // The lap that ended took no longer than its clock had shown and the time since then.
    const isTooLong = next.lapBefore > 0 && next.lapBefore - last.time > elapsed + SLACK_S
    return next.time <= elapsed + SLACK_S && !isTooLong ? "next" : "ahead"
  }
  // It was sent just before the line, and the last state just behind it.
  if (laps === -1 && last.time < SLACK_S && next.time > SLACK_S) return "late"
  if (laps < 0) return last.lap === AFTER_ALL.lap && elapsed < SLACK_S ? "late" : "back"
  const step = next.time - last.time
  if (step === 0) return "same"
  if (step > 0) return step <= elapsed + SLACK_S ? "next" : "ahead"
  return step > -SLACK_S ? "late" : "back"
}
