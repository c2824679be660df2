import { SimulatorEvent } from "../../domain/SimulatorEvent.ts"
import { justAfter, toMicros } from "../../domain/Time.ts"
import type { Lap, RowLaps } from "./RowLaps.ts"

/** The rows end this much before the line, or behind it, s. */
const MAX_MISSING_S = 1

interface Reported {
  readonly number: number
  /** s. */
  readonly lapTime: number
}

/** A table that is one lap, whose number and time it reports. Plain. */
export class OneLap implements RowLaps {
  readonly #reported: Reported
  readonly #start: number
  readonly warnings: Array<string> = []

  /** `start`: the time of the first row. */
  constructor(reported: Reported, start: number) {
    this.#reported = reported
    this.#start = start
  }

  take(): ReadonlyArray<Lap> {
    return []
  }

  finish(last: number): ReadonlyArray<Lap> {
    const { lapTime, number } = this.#reported
    const isWhole = Math.abs(last - this.#start - lapTime) <= MAX_MISSING_S
    if (!isWhole) {
      this.warnings.push(
        `Lap ${number}: its reported time of ${lapTime} s is not that of the rows, ${toMicros(last - this.#start)} s: it has none`
      )
    }
    return [
      SimulatorEvent.LapCompleted({
        lapNumber: number,
        lapTime: isWhole ? lapTime : null,
        sectors: [null, null, null],
        valid: isWhole ? undefined : false,
        start: this.#start,
        end: justAfter(last)
      })
    ]
  }
}
