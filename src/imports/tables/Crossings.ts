/** Laps from the times at which a car crossed the line, of which the file or its line tells. Plain. */
import { SimulatorEvent } from "../../domain/SimulatorEvent.ts"
import { justAfter, toMicros } from "../../domain/Time.ts"
import type { Lap, RowLaps } from "./RowLaps.ts"

/** A crossing of the line, and what the file reports of the lap that ends there. */
export interface Crossing {
  /** s, on the clock of the session's start. */
  readonly time: number
  /** The reported time of the lap, s. */
  readonly lapTime?: number | undefined
  readonly sectors?: Lap["sectors"] | undefined
  readonly valid?: boolean | undefined
}

/** A reported and a computed time describe the same lap if they differ by no more, s. */
export const MAX_DIFFERENCE_S = 0.05

const noSectors = [null, null, null] as const

/**
 * The pieces between the crossings. The first, before the first crossing, has the number 0; it and the last, after the
 * last crossing, have no time and are not valid.
 */
export class Crossings implements RowLaps {
  readonly #crossings: ReadonlyArray<Crossing>
  #next = 0
  #number: number
  #start: number
  readonly warnings: Array<string> = []

  /**
   * `crossings`: in any order. `start`: of the session, epoch seconds. `isAtLine`: the session starts on the line, so the
   * first piece is a lap, with the number 1.
   */
  constructor(crossings: ReadonlyArray<Crossing>, start: number, isAtLine = false) {
    this.#number = isAtLine ? 1 : 0
    this.#crossings = crossings.filter(({ time }) => time > start).toSorted((a, b) => a.time - b.time)
    this.#start = start
  }

  get isAny(): boolean {
    return this.#crossings.length > 0
  }

  /** The laps that end at `time` at the latest, and were not given before. */
  until(time: number): ReadonlyArray<Lap> {
    const laps: Array<Lap> = []
    for (let next = this.#crossings[this.#next]; next !== undefined && next.time <= time;) {
      if (next.time > this.#start) laps.push(this.#lap(next))
      this.#start = next.time
      this.#number++
      next = this.#crossings[++this.#next]
    }
    return laps
  }

  take(time: number): ReadonlyArray<Lap> {
    return this.until(time)
  }

  /** The piece after the last crossing. `last`: the time of the last row. */
  finish(last: number): ReadonlyArray<Lap> {
    const laps = this.until(last)
    return last >= this.#start ? [...laps, this.#piece(justAfter(last))] : laps
  }

  #piece(end: number): Lap {
    return SimulatorEvent.LapCompleted({
      lapNumber: this.#number,
      lapTime: null,
      sectors: noSectors,
      valid: false,
      start: this.#start,
      end
    })
  }

  #lap({ lapTime: reported, sectors = noSectors, time, valid }: Crossing): Lap {
    if (this.#number === 0) return this.#piece(time)
    const computed = toMicros(time - this.#start)
    const isSame = reported !== undefined && Math.abs(reported - computed) <= MAX_DIFFERENCE_S
    if (reported !== undefined && !isSame) {
      this.warnings.push(
        `Lap ${this.#number}: its reported time of ${reported} s is not that between its crossings of the line, ${computed} s, which counts`
      )
    }
    return SimulatorEvent.LapCompleted({
      lapNumber: this.#number,
      lapTime: isSame ? reported : computed,
      sectors,
      valid,
      start: this.#start,
      end: time
    })
  }
}
