/** What one packet of a game of stages says, and what two of them tell of a run. Times in s, distances in m. */

/** A stage's clock that goes back by more begins anew, s; at the finish it may be put right. */
const BACK_S = 1
/** Share of a stage after which a run that goes no further was finished: the line may lie a little before the stage's length. */
export const NEARLY_DONE = 0.999
/** A run of which so many packets more would have been behind the line was at it. */
const FRAMES = 2
/** The pace is that of a little while, s: two packets in a row may say the same. */
const WHILE_S = 0.1

export interface StageMoment {
  /** Of the game; goes on through stages, or begins with each. */
  readonly clock: number
  /** Of the run, or of the lap under way on a circuit. */
  readonly stageTime: number
  readonly distance: number
  /** 0 where the game does not say. */
  readonly length: number
  /** 0..1; NaN where a run that stops before the line is never over it. */
  readonly progress: number
  /** Numbers that tell stage and car from others. */
  readonly stage: number
  readonly car: number
  /** Laps that were driven, and the time of the last one: on a circuit, as in rallycross. */
  readonly circuit: { readonly laps: number; readonly lastLap: number | null } | undefined
  readonly sector1: number | null
  readonly sector2: number | null
  /** Over the finish. */
  readonly isDone: boolean
  /** For so long already, s, where that shows only later. */
  readonly doneFor?: number
  /** The game says that the run was given up, or did not count. */
  readonly isOut: boolean
  /** The official time of the run: null where the game has yet to tell it, undefined where it never does. */
  readonly result: number | null | undefined
}

/** How fast a run goes on. */
export class StageProgress {
  #since: StageMoment | undefined
  #last: StageMoment | undefined
  /** s between two packets. */
  #frame = 0
  /** m/s along the stage; NaN before it is known. */
  #speed = Number.NaN

  /** Another run: what follows is not measured by what was. */
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

  /** Whether the run came within a thousandth of the line and was going on: a car that stands there is not over it. */
  get isNearlyDone(): boolean {
    const last = this.#last
    return last !== undefined && !last.isOut && last.progress >= NEARLY_DONE && this.#speed > 0
  }

  /** Whether it was so near that the next packets would have been behind the line. */
  get isAtLine(): boolean {
    const { length, progress } = this.#last ?? { length: 0, progress: 0 }
    return this.isNearlyDone && length * (1 - progress) <= FRAMES * this.#frame * this.#speed
  }
}

/** A number that is none is still the same as itself. */
export const isSameCourse = (last: StageMoment, now: StageMoment): boolean =>
  Object.is(now.stage, last.stage) && Object.is(now.car, last.car)

export const isAnotherRun = (last: StageMoment, now: StageMoment): boolean => {
  if (!isSameCourse(last, now)) return true
  const laps = (now.circuit?.laps ?? 0) - (last.circuit?.laps ?? 0)
  return laps < 0 || (laps === 0 && now.stageTime < last.stageTime - BACK_S)
}
