/** A reading less than this behind the newest was overtaken on the way, or is a repetition; further behind, the clock went back, s. */
const OVERTAKEN_S = 1
/** No simulator's clock advances this far in one step: the value is broken, or the clock is another one, s. */
const LEAP_S = 3600
/** The minimum between the last point before the clock went back and the first one after it, s. */
const STEP_S = 0.001

/**
 * A clock that only goes forward, from a simulator's clock that may go back: a flashback, a restart.
 *
 * It runs with the simulator's clock. Where that one goes back, it continues from its last value, and advances by as
 * much as the service's own clock did (contract, section 1: re-anchored).
 */
export class Timeline {
  #offset = 0
  #clock = Number.NaN
  #time = Number.NaN
  #arrival = 0
  /** The minimum time before the reading that is a new beginning, s. */
  #least = STEP_S

  /** The newest time, NaN before the first. */
  get time(): number {
    return this.#time
  }

  /** The next reading is a new beginning, however close to the last; at least this many seconds passed. */
  restart(atLeast = STEP_S): void {
    this.#clock = Number.NaN
    this.#least = Math.max(STEP_S, atLeast)
  }

  /**
   * The time of a reading of the simulator's clock that came at `arrival` (both s); undefined for a reading that was
   * overtaken or repeated. `clock` must be finite.
   */
  at(clock: number, arrival: number): number | undefined {
    const step = clock - this.#clock
    if (step <= 0 && step > -OVERTAKEN_S) return undefined
    if (Number.isNaN(this.#time)) this.#time = clock
    else if (step > 0 && step < LEAP_S) {
      const time = clock + this.#offset
      // A step below the resolution of the time's doubles is no step.
      if (!(time > this.#time)) return undefined
      this.#time = time
    } else this.#time += Math.max(this.#least, arrival - this.#arrival)
    this.#least = STEP_S
    this.#offset = this.#time - clock
    this.#clock = clock
    this.#arrival = arrival
    return this.#time
  }
}
