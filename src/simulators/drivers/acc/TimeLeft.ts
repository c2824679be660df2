/**
 * The remaining time of a session. By the game's sample code the update states the session's end; by other programs, its
 * remaining time (addendum-acc-broadcasting.md). A value that falls is the remaining time. Absent until that is known.
 */
import { ABSENT } from "../../../domain/RowBatch.ts"
import type { SessionUpdate } from "./layout.ts"

/** The minimum time between two compared updates, ms, and the largest deviation of the value's fall from 0 or from 1. */
const MIN_APART_MS = 1000
const MAX_OFF = 0.1

export class TimeLeft {
  #time = Number.NaN
  #end = Number.NaN
  #falls: boolean | undefined

  /** Another session: its end has no relation to the last one's. */
  begin(): void {
    this.#time = Number.NaN
  }

  /** In s. */
  of({ sessionEndTime, sessionTime }: SessionUpdate): number {
    const apart = sessionTime - this.#time
    if (!(apart >= 0 && apart < MIN_APART_MS)) {
      const fall = (this.#end - sessionEndTime) / apart
      if (Math.abs(fall) < MAX_OFF) this.#falls = false
      else if (Math.abs(fall - 1) < MAX_OFF) this.#falls = true
      this.#time = sessionTime
      this.#end = sessionEndTime
    }
    if (this.#falls === undefined) return ABSENT
    const left = this.#falls ? sessionEndTime : sessionEndTime - sessionTime
    return left < 0 ? ABSENT : Math.fround(left / 1000)
  }
}
