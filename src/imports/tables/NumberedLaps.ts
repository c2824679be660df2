import { SimulatorEvent } from "../../domain/SimulatorEvent.ts"
import { toMicros } from "../../domain/Time.ts"
import { MAX_DIFFERENCE_S } from "./Crossings.ts"
import type { Lap, RowLaps } from "./RowLaps.ts"

/** What a file reports of a lap, s. */
export interface ReportedLap {
  readonly lapTime: number
  readonly sectors?: Lap["sectors"] | undefined
}

/**
 * Laps by the numbers of rows: the first row of a number stands on the line, or up to a row behind it. Number 0 is the way
 * to the line. Plain.
 */
export class NumberedLaps implements RowLaps {
  readonly #column: number
  /** By lap number. Its time counts unless rows contradict it. */
  readonly #reported: ReadonlyMap<number, ReportedLap>
  #number = Number.NaN
  #start = Number.NaN
  /** How long before the lap's first row the row before it is, s: the line is between them. */
  #slack = 0
  #last = Number.NaN
  /** The lap began on the line. */
  #isWhole = false
  readonly warnings: Array<string> = []

  /** `column`: of the numbers. A row without a number is in no lap. */
  constructor(column: number, reported: ReadonlyMap<number, ReportedLap> = new Map()) {
    this.#column = column
    this.#reported = reported
  }

  take(time: number, cells: Float64Array): ReadonlyArray<SimulatorEvent> {
    const number = cells[this.#column]!
    const slack = Number.isNaN(this.#last) ? 0 : time - this.#last
    this.#last = time
    if (Object.is(number, this.#number)) return []
    const isNext = number === this.#number + 1
    const ended = this.#end(time, this.#isWhole && isNext, slack)
    this.#isWhole = isNext
    this.#number = number
    this.#start = time
    this.#slack = slack
    return ended
  }

  /** The lap under way at the last row, without a time unless the file reports it. */
  finish(last: number): ReadonlyArray<SimulatorEvent> {
    return this.#end(last, false, 0)
  }

  #end(end: number, isWhole: boolean, slack: number): ReadonlyArray<SimulatorEvent> {
    if (Number.isNaN(this.#number) || !(end > this.#start)) return []
    const computed = toMicros(end - this.#start)
    const reported = this.#number === 0 ? undefined : this.#reported.get(this.#number)
    const tolerance = MAX_DIFFERENCE_S + this.#slack + slack
    const isSame = reported !== undefined && Math.abs(reported.lapTime - computed) <= tolerance
    if (reported !== undefined && !isSame && isWhole) {
      this.warnings.push(
        `Lap ${this.#number}: its reported time of ${reported.lapTime} s is not that of its rows, ${computed} s, which counts`
      )
    }
    const lapTime = isSame ? reported.lapTime : isWhole ? computed : null
    return [
      SimulatorEvent.LapCompleted({
        lapNumber: this.#number,
        lapTime,
        sectors: (isSame ? reported.sectors : undefined) ?? [null, null, null],
        valid: lapTime === null ? false : undefined,
        start: this.#start,
        end
      })
    ]
  }
}
