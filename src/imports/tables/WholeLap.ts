import { SimulatorEvent } from "../../domain/SimulatorEvent.ts"
import { justAfter, toMicros } from "../../domain/Time.ts"
import type { Lap, RowLaps } from "./RowLaps.ts"

/** Rows farther from the line than this share of the lap leave a part of it out. */
const MAX_MISSING = 0.01

/** A table that is one lap, from line to line, by the share of the lap at its rows. Plain. */
export class WholeLap implements RowLaps {
  readonly #column: number
  readonly #start: number
  #rows = 0
  /** Time and share of the lap, of the first two rows and the last two. */
  #first: readonly [time: number, share: number] = [Number.NaN, Number.NaN]
  #second = this.#first
  #before = this.#first
  #last = this.#first
  readonly warnings: ReadonlyArray<string> = []

  /** `column`: of the share of the lap, 0 to 1. `start`: the time of the first row. */
  constructor(column: number, start: number) {
    this.#column = column
    this.#start = start
  }

  take(time: number, cells: Float64Array): ReadonlyArray<Lap> {
    const row = [time, cells[this.#column]!] as const
    if (this.#rows === 0) this.#first = row
    if (this.#rows === 1) this.#second = row
    this.#rows++
    this.#before = this.#last
    this.#last = row
    return []
  }

  /** The line is extrapolated from the two rows at either end. */
  finish(last: number): ReadonlyArray<Lap> {
    const begin = lineBy(this.#first, this.#second, this.#first[1] > 0.5 ? 1 : 0)
    const end = lineBy(this.#before, this.#last, this.#last[1] > 0.5 ? 1 : 0)
    const lapTime = begin === undefined || end === undefined ? null : toMicros(end - begin)
    return [
      SimulatorEvent.LapCompleted({
        lapNumber: 1,
        lapTime,
        sectors: [null, null, null],
        valid: lapTime === null ? false : undefined,
        start: this.#start,
        end: justAfter(last)
      })
    ]
  }
}

/** When the car crossed the line, which is at this share of the lap; undefined if the rows are not near it. */
const lineBy = (
  [t0, s0]: readonly [number, number],
  [t1, s1]: readonly [number, number],
  line: number
): number | undefined => {
  const time = t0 + ((line - s0) * (t1 - t0)) / (s1 - s0)
  return s1 > s0 && Math.abs(line - s0) < MAX_MISSING ? time : undefined
}
