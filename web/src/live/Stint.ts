/** Finds where a stint began: the car stood, or sent nothing for long. Plain. */

/** Slower than this the car stands, km/h. */
const STANDING_KMH = 5
/** Standing for so long is a stop, s: a spin is shorter, a pit stop with a change of tyres or fuel is longer. */
const STOP_S = 10
/** So long without points is a pause, s. */
const PAUSE_S = 60

export class Stint {
  /** The time of the first point after the last stop; NaN before the first point. */
  began = Number.NaN
  #stood = Number.NaN
  #last = Number.NaN

  read(time: number, speed: number): void {
    if (!(time - this.#last <= PAUSE_S)) {
      this.began = time
      this.#stood = Number.NaN
    }
    this.#last = time
    if (speed < STANDING_KMH) {
      if (Number.isNaN(this.#stood)) this.#stood = time
      return
    }
    if (time - this.#stood >= STOP_S) this.began = time
    this.#stood = Number.NaN
  }
}
