/**
 * Decides which sessions are old enough to be removed. A removal cannot be undone, and any clock may be wrong (a
 * machine without a battery starts in the past, a feed has its own time), so no single reading decides:
 *
 * - "now" is the machine's clock or the end of the newest session, whichever is earlier: a clock ahead ages nothing.
 * - A session's end is the later of its source's time and the machine's (Deletions.ts).
 * - A session since the start is removed only after that many days of the process's own clock, which never steps.
 * - After a step of the machine's clock nothing is removed for an hour.
 */
import type { NewestSession } from "../store/Deletions.ts"

const DAY_S = 86_400
/** The machine's clock stepped if it and the process's differ by more than this between two looks, s: NTP slews less. */
const STEP_S = 60
const HOUR_S = 3600

export interface Readings {
  /** Of the machine's clock, epoch s. */
  readonly now: number
  /** Of the process's own clock, s. */
  readonly steady: number
}

/** Sessions that ended before `before` (epoch s), and whose id is at most `until`, are too old. */
export interface TooOld {
  readonly before: number
  readonly until: number
}

/** `look` returns undefined while nothing may be removed by age. */
export const makeAges = (days: number) => {
  let last: Readings | undefined
  let steppedAt = -Infinity
  /** The newest session's id at times of the process's own clock, once an hour; the first is at least `days` old, or the start. */
  const seen: Array<{ readonly at: number; readonly id: number }> = []

  return {
    look: (readings: Readings, newest: NewestSession): TooOld | undefined => {
      const { now, steady } = readings
      const stepped = last === undefined ? 0 : now - last.now - (steady - last.steady)
      if (Math.abs(stepped) > STEP_S) steppedAt = steady
      last = readings
      if (seen.length === 0 || steady - seen.at(-1)!.at >= HOUR_S) seen.push({ at: steady, id: newest.id })
      while (seen.length > 1 && seen[1]!.at <= steady - days * DAY_S) seen.shift()
      if (steady - steppedAt < HOUR_S) return undefined
      return { before: Math.min(now, newest.ended) - days * DAY_S, until: seen[0]!.id }
    }
  }
}
