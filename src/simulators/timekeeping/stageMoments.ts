/** The content of one packet of a game of stages, and the state of a run by two packets. Times in s, distances in m. */

import { relate, type Relation } from "./SequenceFilter.ts"

/** A stage's clock that goes back by more than this starts anew, s; at the finish it may be corrected by less. */
const BACK_S = 1
/** A run that ends beyond this share of the stage was finished: the line may lie a little before the stage's length. */
export const NEARLY_DONE = 0.999
/** A run was at the line if this many further packets would have been behind it. */
const FRAMES = 2
/** The pace is measured over this time, s: two packets in a row may have the same distance. */
const WHILE_S = 0.1

export interface StageMoment {
  /** The game's clock; it runs through stages, or restarts with each. It may be a float that is coarser than a frame. */
  readonly clock: number
  /** Counts the packets, where the game does. */
  readonly order?: number
  /** Whether nothing but the clock has changed since the packet before: the game is paused. */
  readonly isStill?: boolean
  /** Of the run, or of the current lap on a circuit. */
  readonly stageTime: number
  readonly distance: number
  /** 0 where the game does not report it. */
  readonly length: number
  /** 0..1; NaN for a run that is not finished although it stops just before the line. */
  readonly progress: number
  /** Numbers that identify stage and car. Several stages may share a number, or a length. */
  readonly stage: number
  /** m, on the ground. */
  readonly x: number
  readonly y: number
  readonly car: number
  /** Completed laps, and the time of the last one: on a circuit, as in rallycross. */
  readonly circuit?: { readonly laps: number; readonly lastLap: number | null } | undefined
  readonly sector1?: number | null
  readonly sector2?: number | null
  /** Whether the run is past the finish. */
  readonly isDone: boolean
  /** How long the run has been past the finish, s, where that shows only later. */
  readonly doneFor?: number
  /** Whether the run's clock goes on behind the finish, so that its first value there is not the run's time. */
  readonly runsOn?: boolean
  /** Whether the game reports that the run was given up or did not count. */
  readonly isOut: boolean
  /** The official time of the run: null where the game will still send it, undefined where it never does. */
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

  /**
   * Whether the run came within a thousandth of the line while moving: a car that is standing there has not finished.
   */
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

/** Two stages of one number differ in length by more than this, m, or begin farther from each other. */
const OTHER_LENGTH_M = 1
const OTHER_START_M = 100

/** Equality in which NaN equals itself. */
const isSameNumber = (last: StageMoment, now: StageMoment): boolean =>
  Object.is(now.stage, last.stage) && Object.is(now.car, last.car)

/** Whether a run is of the same stage, in the same car, as another; both are known by their first moments. */
export const isSameCourse = (one: StageMoment, other: StageMoment): boolean => {
  const areAtStart = Math.max(one.distance, other.distance) <= OTHER_LENGTH_M
  return (
    isSameNumber(one, other) &&
    !(one.length > 0 && Math.abs(one.length - other.length) > OTHER_LENGTH_M && other.length > 0) &&
    !(areAtStart && Math.hypot(one.x - other.x, one.y - other.y) > OTHER_START_M)
  )
}

const lapsBetween = (last: StageMoment, now: StageMoment): number =>
  (now.circuit?.laps ?? 0) - (last.circuit?.laps ?? 0)

export const isAnotherRun = (last: StageMoment, now: StageMoment): boolean => {
  if (!isSameNumber(last, now)) return true
  const laps = lapsBetween(last, now)
  return laps < 0 || (laps === 0 && now.stageTime < last.stageTime - BACK_S)
}

/** Whether a car on a circuit was put back over the line, into the lap before, `elapsed` s after the last packet. A restart begins a lap. */
export const isRewound = (last: StageMoment, now: StageMoment, elapsed: number): boolean =>
  isSameNumber(last, now) && lapsBetween(last, now) === -1 && now.stageTime > elapsed + last.stageTime

/** The step of a clock of this size that is reported as a float, s. */
export const resolutionOf = (clock: number): number => 2 ** (Math.floor(Math.log2(Math.max(1, clock))) - 23)

/** The order of two packets, of which the second came `elapsed` s after the first. */
export const relateMoments = (last: StageMoment, now: StageMoment, elapsed: number): Relation => {
  const relation = relate(last.clock, now.clock, elapsed)
  if (relation !== "same") return relation
  const step = now.order === undefined ? now.stageTime - last.stageTime : now.order - (last.order ?? 0)
  return step > 0 ? "next" : step < 0 ? "late" : "same"
}

/**
 * The time that passed between two packets, s: by the run's clock, which is finer, where it agrees with the game's
 * clock, or where the game's clock ran through a pause.
 */
export const passedBetween = (last: StageMoment, now: StageMoment, wasPaused: boolean): number => {
  const ran = now.stageTime - last.stageTime
  const passed = now.clock - last.clock
  const agree = Math.abs(passed - ran) <= 4 * resolutionOf(now.clock)
  return ran > 0 && (wasPaused || agree) ? ran : passed
}

/**
 * A lap with a longer gap is invalid (contract, section 4), s of both clocks: the game's clock goes on in a pause, and the
 * stage's clock leaps by the penalty when a car is put back on the road.
 */
const GAP_S = 1

/** A moment with its time. */
export interface Heard {
  /** The packet's time, s on the feed's clock. A finish before the packet is earlier; a finish that no packet shows is later. */
  readonly time: number
  readonly moment: StageMoment
}

/** The moment of the finish, where the game reports no result: packets may be rare, and the run's clock may go on. */
export const finishBetween = (last: Heard | undefined, now: Heard): Heard => {
  const { distance, length, progress, result, runsOn } = now.moment
  const before = last?.moment
  if (before === undefined || result !== undefined || runsOn !== true) return now
  if (!(before.progress < 1 && progress >= 1)) return now
  const way = distance - before.distance
  const share = way > 0 ? Math.min(1, (length - before.distance) / way) : 1
  const stageTime = before.stageTime + share * (now.moment.stageTime - before.stageTime)
  return { time: last!.time + share * (now.time - last!.time), moment: { ...now.moment, stageTime } }
}

export const isGap = (last: StageMoment, now: StageMoment): boolean =>
  now.stageTime - last.stageTime > GAP_S && now.clock - last.clock > GAP_S
