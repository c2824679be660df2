/**
 * The time of the game's physics, whose steps each packet counts. One source has 720 of them in a second; where the stage's time
 * shows another rate, it is taken from then on, and the clock goes on from where it was.
 */

const STEPS_A_SECOND = 720
/** The rate is looked at over so many steps of a stage: a second, or nearly. */
const STEPS = 720
/** No physics has fewer steps a second, or more: the stage's time leapt by a penalty. */
const MIN_RATE = 60
const MAX_RATE = 5000
/** Share by which the stage's time may differ, as a float and from one step to the next. */
const OFF = 0.02

export class StepClock {
  #secondsPerStep = 1 / STEPS_A_SECOND
  /** The clock at a number of steps. */
  #base = { steps: 0, seconds: 0 }
  #isSure = false
  /** Where the rate is looked at from. */
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
