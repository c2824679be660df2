/**
 * The feed's clock, from the race's clock in OutGauge (s), which restarts with each race. Plain.
 *
 * TCP reports a restart, and UDP brings readings of the clock; either may arrive first.
 */
import { Timeline } from "../../timekeeping/Timeline.ts"

/**
 * Datagrams from before a restart may arrive after TCP reports it. They continue the old clock by at most `OLD_STEP_S`
 * (s of that clock), and arrive at most `OLD_FOR_S` (s) after the restart.
 */
const OLD_STEP_S = 0.5
const OLD_FOR_S = 0.25
/** A message over TCP counts as at most this much later than the newest point, s: after a longer time the points had stopped. */
const AFTER_POINT_S = 0.5

export class RaceClock {
  readonly #timeline = new Timeline()
  #restartedAt: number | undefined
  /** The newest reading, and its arrival, s. */
  #clock = Number.NaN
  #arrival = 0
  /** When the clock last leapt. */
  #leaptAt = Number.NEGATIVE_INFINITY

  /** Whether TCP reported a restart and no reading that surely belongs to the new race has come since. */
  get isAwaited(): boolean {
    return this.#restartedAt !== undefined
  }

  restart(arrival: number): void {
    this.#timeline.restart()
    // The new clock may arrive before TCP reports the restart.
    if (arrival - this.#leaptAt > OLD_FOR_S) this.#restartedAt = arrival
  }

  /** The time of a reading; undefined for a reading from before the restart, and for late or repeated ones. */
  at(clock: number, arrival: number): number | undefined {
    if (this.#isOfBefore(clock, arrival)) return undefined
    const time = this.#timeline.at(clock, arrival)
    if (time === undefined) return undefined
    if (Math.abs(clock - this.#clock) > OLD_STEP_S) this.#leaptAt = arrival
    this.#clock = clock
    this.#arrival = arrival
    return time
  }

  /** The time of a message that TCP brought at `arrival`. */
  beside(arrival: number): number {
    return this.#timeline.time + Math.min(AFTER_POINT_S, Math.max(0, arrival - this.#arrival))
  }

  #isOfBefore(clock: number, arrival: number): boolean {
    if (this.#restartedAt === undefined) return false
    const step = clock - this.#clock
    if (Math.abs(step) <= OLD_STEP_S && arrival - this.#restartedAt <= OLD_FOR_S) return true
    this.#restartedAt = undefined
    return false
  }
}
