import { SimulatorEvent } from "../../domain/SimulatorEvent.ts"
import { toMicros } from "../../domain/Time.ts"

/** Laps by the numbers of rows: the first row of a number stands on the line. Plain. */
export class NumberedLaps {
  #number = Number.NaN
  #start = Number.NaN
  /** The lap began on the line. */
  #isWhole = false

  /** Takes the next row (epoch seconds); gives the lap that ends there. A row without a number is in no lap. */
  take(time: number, number: number): ReadonlyArray<SimulatorEvent> {
    if (Object.is(number, this.#number)) return []
    const ended = this.#end(time, this.#isWhole && number === this.#number + 1)
    this.#isWhole = number === this.#number + 1
    this.#number = number
    this.#start = time
    return ended
  }

  /** The lap under way at the last row, without a time. */
  finish(last: number): ReadonlyArray<SimulatorEvent> {
    return this.#end(last, false)
  }

  #end(end: number, isTimed: boolean): ReadonlyArray<SimulatorEvent> {
    if (Number.isNaN(this.#number) || !(end > this.#start)) return []
    const lap = SimulatorEvent.LapCompleted({
      lapNumber: this.#number,
      lapTime: isTimed ? toMicros(end - this.#start) : null,
      sectors: [null, null, null],
      valid: isTimed ? undefined : false,
      start: this.#start,
      end
    })
    return [lap]
  }
}
