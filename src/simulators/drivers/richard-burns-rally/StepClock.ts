/**
 * The time of the game's physics, whose steps each packet counts. One source states 720 steps a second. Where the stage's time
 * shows another rate, that rate is used from then on, and the clock continues without a leap.
 */

const STEPS_A_SECOND = 720
/** The rate is checked over this many steps of a stage: about a second. */
const STEPS = 720
/** The minimum and maximum rate, steps a second; outside, the stage's time leapt by a penalty. */
const MIN_RATE = 60
const MAX_RATE = 5000
/** The tolerance of the stage's time, as a share: it is a float, and advances by steps. */
const OFF = 0.02

export class StepClock {
  #secondsPerStep = 1 / STEPS_A_SECOND
  /** The clock at a number of steps. */
  #base = { steps: 0, seconds: 0 }
  #isSure = false
  /** Where the current check of the rate began. */
  #since: { readonly steps: number; readonly raceTime: number } | undefined

  /** s since some moment; goes back where the steps do. `raceTime`: s of the stage, 0 before it. */
  at(steps: number, raceTime: number): number {
    if (!this.#isSure) this.#compare(steps, raceTime)
    return this.#seconds(steps)
  }

  #seconds(steps: number): number {
    return this.#base.seconds + (steps - this.#base.steps) * this.#secondsPerStep
  }

  #compare(steps: number, raceTime: number): void {
    const since = this.#since
    if (!(raceTime > 0)) this.#since = undefined
    else if (since === undefined || steps < since.steps) this.#since = { steps, raceTime }
    else if (steps - since.steps >= STEPS) {
      const rate = (steps - since.steps) / (raceTime - since.raceTime)
      this.#since = undefined
      if (!(rate >= MIN_RATE && rate <= MAX_RATE)) return
      this.#isSure = true
      if (Math.abs(rate / STEPS_A_SECOND - 1) <= OFF) return
      this.#base = { steps, seconds: this.#seconds(steps) }
      this.#secondsPerStep = 1 / rate
    }
  }
}
