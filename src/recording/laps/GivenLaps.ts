import type { LapCut, LapMessage } from "./laps.ts"

/** The laps of a session that were given out: the end of the last one, epoch seconds, and its number. Plain. */
export class GivenLaps {
  #until: number
  #number: number | undefined

  /** `until`: the end of the last lap, -Infinity before the first. */
  constructor(until: number) {
    this.#until = until
  }

  get until(): number {
    return this.#until
  }

  add(cut: LapCut): void {
    this.#until = cut.endTime
    this.#number = cut.lapNumber
  }

  /** Whether the last lap has this number. */
  isLast(number: number | undefined): boolean {
    return number === this.#number
  }

  /** Whether most of a message's lap was already given out. `start` and `end` replace times that the message lacks. */
  includes({ lapTime, start: reported }: LapMessage, start: number, end: number): boolean {
    const from = reported ?? (lapTime === null ? start : end - lapTime)
    return this.#until > (from + end) / 2
  }
}
