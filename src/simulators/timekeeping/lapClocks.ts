/** Finds when the car crossed the line, from two moments of a game that counts laps, and their clocks. Pure. */
import type { Moment } from "./Moment.ts"

/**
 * How long after its end a lap waits for the game's data about it, s on the feed's clock; then it is reported as it is
 * known.
 */
export const PATIENCE_S = 2
/** A reported time and the lap's span by the moments differ by no more than this, s. */
export const FITS_S = 0.1

/**
 * When a lap began that ended at `end`; all in s. `seen`: its start by the packet that ended the lap before; NaN for a
 * lap that was joined midway. `lapTime`: null or NaN without one. The lap's own time gives its start more exactly than
 * `seen`, but a lap with a pause or a flashback took longer than its time.
 */
export const lapStart = (seen: number, end: number, lapTime: number | null): number => {
  const timed = lapTime === null ? Number.NaN : end - lapTime
  return timed > seen + FITS_S || Number.isNaN(timed) ? seen : timed
}

export const isCounted = ({ lapNumber, laps = 0 }: Moment): boolean =>
  lapNumber >= 1 && !(laps >= 1 && lapNumber > laps)

/** The lap in which the car is by this moment alone; NaN in none. */
export const numberIn = (moment: Moment): number => (isCounted(moment) ? moment.lapNumber : Number.NaN)

/** When the lap's clock was 0. `start`: where that is not reported. */
export const zeroOf = ({ clock, time }: Moment, start: number): number => (clock > 0 ? time - clock : start)

/** When the lap of a moment began: by its clock, or where that is not reported, at the moment. */
export const lineOf = ({ clock, time }: Moment): number => (Number.isNaN(clock) ? time : time - clock)

/** Whether the lap's clock started since the last moment, or does not run. */
export const isStart = (last: Moment, { clock, isRewound, time }: Moment): boolean => {
  if (clock === 0) return true
  if (last.clock === 0) return clock > 0
  return clock < last.clock && isRewound !== true && clock <= time - last.time + FITS_S
}

/** Whether the lap's clock went on as time did. */
export const isContinued = (last: Moment, { clock, time }: Moment): boolean =>
  Math.abs(clock - last.clock - (time - last.time)) <= FITS_S

/**
 * Whether the count rises, and the clock is still that of the lap before: it goes on, or stands still. Under the flag
 * the last lap's time stays.
 */
export const isClockOfBefore = (last: Moment, moment: Moment): boolean => {
  const passed = moment.time - last.time
  const stands = moment.clock === last.clock && passed <= PATIENCE_S
  return (stands || isContinued(last, moment)) && last.clock > passed
}
