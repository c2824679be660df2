/**
 * How long a session still is. Its update's end is the end by the game's sample code, and the time that is left by other programs
 * (addendum-acc-broadcasting.md): which of them is told by whether it falls. Absent until then. Plain.
 */
import { ABSENT } from "../../../domain/PointBatch.ts"
import type { SessionUpdate } from "./layout.ts"

/** Told by updates so far apart, ms; and how much what falls with the session's time may differ from it, and what stands may move. */
const MIN_APART_MS = 1000
const MOST_OFF = 0.1

export class TimeLeft {
  #time = Number.NaN
  #end = Number.NaN
  #falls: boolean | undefined

  /** Another session: its end says nothing of how the last one's fell. */
  begin(): void {
    this.#time = Number.NaN
  }

  /** s. */
  of({ sessionEndTime, sessionTime }: SessionUpdate): number {
    const apart = sessionTime - this.#time
    if (!(apart >= 0 && apart < MIN_APART_MS)) {
      const fall = (this.#end - sessionEndTime) / apart
      if (Math.abs(fall) < MOST_OFF) this.#falls = false
      else if (Math.abs(fall - 1) < MOST_OFF) this.#falls = true
      this.#time = sessionTime
      this.#end = sessionEndTime
    }
    if (this.#falls === undefined) return ABSENT
    const left = this.#falls ? sessionEndTime : sessionEndTime - sessionTime
    return left < 0 ? ABSENT : Math.fround(left / 1000)
  }
}
