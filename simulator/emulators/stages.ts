/**
 * A drive on a circuit as special stages, each of one lap: after the finish the game shows the time for a moment, and then the car
 * is at the start of the same stage again, already moving. In a pause, and after the last stage, nothing is sent.
 */
import type { DrivenLap } from "../model/lap.ts"
import type { Frame } from "./Emulator.ts"

/** The time is shown for this long after the finish, s. */
const SHOWN_S = 0.25
/** Loading of a stage, s: the game's clock runs, and no packet comes. */
const LOADING_S = 2

/** The state of the stage at a moment. Times in s. */
export interface StageView {
  /** The game's clock; stands still in a pause. */
  readonly clock: number
  readonly stageTime: number
  /** m. */
  readonly distance: number
  /** s since the finish; undefined on the way to it. */
  readonly sinceFinish: number | undefined
  readonly lap: DrivenLap
  readonly sector: number
}

export class StageDrive {
  readonly #length: number
  #session = 0
  /** The game's clock at the start of the session. */
  #base = 100
  #clock = 100
  #finish: { readonly at: number; readonly lap: DrivenLap } | undefined

  /** Length of a stage, m. */
  constructor(length: number) {
    this.#length = length
  }

  /** The game's clock, s: it runs on after the last stage. */
  get clock(): number {
    return this.#clock
  }

  /** Undefined while the game sends nothing. */
  at(frame: Frame): StageView | undefined {
    if (frame.paused) return undefined
    if (frame.session !== this.#session) {
      this.#session = frame.session
      this.#base = this.#clock + LOADING_S
      this.#finish = undefined
    }
    const { finished, lap, lapDistance, lapEnded, lapTime, lastLap, sector, sessionTime } = frame
    this.#clock = this.#base + sessionTime
    if (lapEnded && lastLap !== undefined) this.#finish = { at: sessionTime, lap: lastLap }
    const finish = this.#finish
    const sinceFinish = finish === undefined ? Infinity : sessionTime - finish.at
    const clock = this.#clock
    if (finish !== undefined && sinceFinish < SHOWN_S) {
      const { lap: driven } = finish
      return { clock, stageTime: driven.lapTime, distance: this.#length, sinceFinish, lap: driven, sector: 2 }
    }
    if (finished) return undefined
    return { clock, stageTime: lapTime, distance: lapDistance, sinceFinish: undefined, lap, sector }
  }
}
