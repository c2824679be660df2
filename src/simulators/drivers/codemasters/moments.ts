/** The content of one packet of a game of stages, and what two packets tell about a run. Times in s, distances in m. */

/** A stage's clock that goes back by more than this starts anew, s; at the finish it may be corrected by less. */
const BACK_S = 1
/** A run that ends beyond this share of the stage was finished: the line may lie a little before the stage's length. */
export const NEARLY_DONE = 0.999
/** A run was at the line if this many further packets would have been behind it. */
const FRAMES = 2
/** The pace is measured over this time, s: two packets in a row may have the same distance. */
const WHILE_S = 0.1

export interface StageMoment {
  /** The game's clock; it runs through stages, or restarts with each. */
  readonly clock: number
  /** Of the run, or of the current lap on a circuit. */
  readonly stageTime: number
  readonly distance: number
  /** 0 where the game does not tell it. */
  readonly length: number
  /** 0..1; NaN for a run that is not finished although it stops just before the line. */
  readonly progress: number
  /** Numbers that identify stage and car. */
  readonly stage: number
  readonly car: number
  /** Completed laps, and the time of the last one: on a circuit, as in rallycross. */
  readonly circuit?: { readonly laps: number; readonly lastLap: number | null } | undefined
  readonly sector1?: number | null
  readonly sector2?: number | null
  /** Whether the run is past the finish. */
  readonly isDone: boolean
  /** How long the run has been past the finish, s, where that shows only later. */
  readonly doneFor?: number
  /** Whether the game says that the run was given up or did not count. */
  readonly isOut: boolean
  /** The official time of the run: null where the game will still tell it, undefined where it never does. */
  readonly result: number | null | undefined
}

/** The pace of a run. */
export class StageProgress {
  #since: StageMoment | undefined
  #last: StageMoment | undefined
  /** s between two packets. */
  #frame = 0
  /** m/s along the stage; NaN while it is unknown. */
  #speed = Number.NaN

  /** Another run: the pace before it does not count. */
  reset(): void {
    this.#since = undefined
    this.#last = undefined
    this.#speed = Number.NaN
  }

  follow(moment: StageMoment): void {
    this.#since ??= moment
    const passed = moment.clock - this.#since.clock
    if (passed >= WHILE_S) {
      this.#speed = (moment.distance - this.#since.distance) / passed
      this.#since = moment
    }
    this.#frame = moment.clock - (this.#last ?? moment).clock
    this.#last = moment
  }

  /** Whether the run came within a thousandth of the line while moving: a car that stands there has not finished. */
  get isNearlyDone(): boolean {
    const last = this.#last
    return last !== undefined && !last.isOut && last.progress >= NEARLY_DONE && this.#speed > 0
  }

  /** Whether the run was so near that its next packets would have been behind the line. */
  get isAtLine(): boolean {
    const { length, progress } = this.#last ?? { length: 0, progress: 0 }
    return this.isNearlyDone && length * (1 - progress) <= FRAMES * this.#frame * this.#speed
  }
}

/** Equality in which NaN equals itself. */
export const isSameCourse = (last: StageMoment, now: StageMoment): boolean =>
  Object.is(now.stage, last.stage) && Object.is(now.car, last.car)

export const isAnotherRun = (last: StageMoment, now: StageMoment): boolean => {
  if (!isSameCourse(last, now)) return true
  const laps = (now.circuit?.laps ?? 0) - (last.circuit?.laps ?? 0)
  return laps < 0 || (laps === 0 && now.stageTime < last.stageTime - BACK_S)
}
