/** Finds faults of a feed's clock as a whole, and words them for the person who wrote the feed. Plain. */
import { formatDateTime } from "../../domain/Time.ts"

/** Times this much later than their arrival cannot come from an inaccurate clock, s: twenty years. */
const FAR_S = 20 * 365 * 86_400
/** The pace is compared over this much time, s. */
const MIN_PASSED_S = 10
/** Milliseconds that are read as seconds advance a thousand times as fast as they arrive. */
const MILLI = 1000
const TOLERANCE = 0.1

export class ClockOddities {
  #time = Number.NaN
  #arrival = Number.NaN
  #isLogged = false

  /** Takes the times of kept points and their arrival, epoch seconds. Returns a fault that it finds, once. */
  read(times: Float64Array, arrival: number): string | undefined {
    const last = times[times.length - 1]
    if (last === undefined || this.#isLogged) return undefined
    const oddity = Number.isNaN(this.#time) ? this.#begin(times[0]!, arrival) : this.#pace(last, arrival)
    this.#isLogged = oddity !== undefined
    return oddity
  }

  #begin(time: number, arrival: number): string | undefined {
    this.#time = time
    this.#arrival = arrival
    return time - arrival > FAR_S
      ? `a time of the year ${formatDateTime(time).slice(0, 4)}: start_time and timestamp are added, and both may be epoch seconds`
      : undefined
  }

  #pace(time: number, arrival: number): string | undefined {
    const passed = arrival - this.#arrival
    if (passed < MIN_PASSED_S) return undefined
    return Math.abs((time - this.#time) / passed / MILLI - 1) < TOLERANCE
      ? "times pass a thousand times as fast as they arrive: they may be milliseconds, and seconds are expected"
      : undefined
  }
}
