/**
 * Runs of special stages, of which each is one lap: what DiRT Rally and WRC have in common.
 *
 * A run ends at the flying finish, or when the next one begins: the stage's clock goes back, or stage or car are others.
 * Who has finished a stage and drives it again in the same car, drives the session's next lap. A run that is broken
 * off, another stage or another car mean another session.
 *
 * Nothing numbers the packets; the game's clock tells what follows what. It begins with the service's own, so that
 * another link to the game goes on after the points of the one before.
 */
import { CountedLaps } from "../../CountedLaps.ts"
import type { EventBuffer } from "../../EventBuffer.ts"
import { relate, Succession } from "../../Succession.ts"
import { Timeline } from "../../Timeline.ts"

/** A stage's clock that goes back by more begins anew, s; at the finish it may be put right. */
const BACK_S = 1
/** A run that was under way for longer when it was first heard of was joined, s. */
const JOINED_AFTER_S = 1
/** No lap counts with a longer gap in it (contract, section 4), s of the stage's clock. */
const GAP_S = 1
/** The result of a run is told so long after its finish at the latest, s. */
const RESULT_WITHIN_S = 1
/** Share of a stage after which a run that goes no further was finished: the last packet comes before the line. */
const NEARLY_DONE = 0.999

/** What one packet says. Times in s, distances in m. */
export interface StageMoment {
  /** Of the game; goes on through stages, or begins with each. */
  readonly clock: number
  /** Of the run, or of the lap under way on a circuit. */
  readonly stageTime: number
  readonly distance: number
  /** 0 where the game does not say. */
  readonly length: number
  /** 0..1. */
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
  /** The official time of the run: null where the game has yet to tell it, undefined where it never does. */
  readonly result: number | null | undefined
}

interface Finish {
  readonly time: number
  readonly moment: StageMoment
}

const rounded = (seconds: number): number => Math.round(seconds * 1000) / 1000

export class Stages {
  readonly #succession = new Succession<number>(relate)
  readonly #timeline = new Timeline()
  readonly #counted = new CountedLaps()
  /** From the game's clock to ours, s. */
  #shift = Number.NaN
  #last: Finish | undefined
  #isWhole = false
  #finish: Finish | undefined
  #isTold = false
  /** Distance at the line where the lap under way began. */
  #lineAt = 0
  /** Of the lap under way, from 1. */
  lapNumber = 1
  /** m since the line. */
  lapDistance = 0

  /** The time of the packet's point, s on the feed's clock; undefined for one that gives none. */
  read(moment: StageMoment, arrival: number, events: EventBuffer): number | undefined {
    const verdict = this.#succession.take(moment.clock, arrival)
    if (verdict === "late" || verdict === "same" || verdict === "unsure") {
      events.late()
      return undefined
    }
    if (Number.isNaN(this.#shift)) this.#shift = arrival - moment.clock
    if (verdict === "back") this.#timeline.restart()
    const time = this.#timeline.at(moment.clock + this.#shift, arrival)
    if (time === undefined) {
      events.late()
      return undefined
    }
    const last = this.#last?.moment
    if (last === undefined || verdict === "back" || isAnotherRun(last, moment)) this.#begin(moment, events)
    else if (moment.stageTime - last.stageTime > GAP_S) this.#isWhole = false
    this.#last = { time, moment }
    if (moment.circuit !== undefined) return this.#lap(moment, moment.circuit, last, time, events)
    this.lapDistance = Math.max(0, moment.distance)
    if (moment.isDone) this.#finish ??= { time, moment }
    return this.#settle(moment, time, events) ? undefined : time
  }

  #begin(moment: StageMoment, events: EventBuffer): void {
    const before = this.#last?.moment
    if (before !== undefined) this.#conclude(before, events)
    const isNext = this.#isTold && before !== undefined && isSameCourse(before, moment)
    this.lapNumber = isNext ? this.lapNumber + 1 : 1
    this.#isWhole = moment.stageTime <= JOINED_AFTER_S
    this.#finish = undefined
    this.#isTold = false
    this.#lineAt = 0
    this.#counted.reset()
    if (isNext) return
    events.start({
      circuit: "",
      vehicle: "",
      driver: "",
      datetime: undefined,
      clockZero: undefined,
      circuitLength: moment.length > 0 ? moment.length : undefined,
      startLine: undefined,
      tellsLaps: true
    })
  }

  /** No more is heard of the run before. */
  #conclude(last: StageMoment, events: EventBuffer): void {
    if (this.#isTold || last.circuit !== undefined) return
    const finish = this.#finish ?? (last.progress >= NEARLY_DONE ? this.#last : undefined)
    if (finish !== undefined) this.#tell(finish, finish.moment.result ?? finish.moment.stageTime, events)
  }

  /** Whether the run is over: nothing that comes after the finish is a part of it. */
  #settle({ result }: StageMoment, time: number, events: EventBuffer): boolean {
    const finish = this.#finish
    if (finish === undefined) return false
    if (this.#isTold) return true
    const isLate = time - finish.time > RESULT_WITHIN_S
    if (result !== null || isLate) this.#tell(finish, result ?? finish.moment.stageTime, events)
    return true
  }

  #tell({ moment, time }: Finish, result: number, events: EventBuffer): void {
    const { sector1, sector2, stageTime } = moment
    const lapTime = rounded(result)
    const third = sector1 === null || sector2 === null ? null : rounded(lapTime - sector1 - sector2)
    this.#isTold = true
    events.lap({
      lapNumber: this.lapNumber,
      lapTime,
      sectors: [sector1, sector2, third],
      valid: this.#isWhole,
      start: time - stageTime,
      end: time
    })
  }

  #lap(
    { distance, sector1, sector2, stageTime }: StageMoment,
    { lastLap, laps }: NonNullable<StageMoment["circuit"]>,
    last: StageMoment | undefined,
    time: number,
    events: EventBuffer
  ): number {
    // Whether the distance begins anew with each lap, nobody says.
    if (laps > (last?.circuit?.laps ?? laps)) this.#lineAt = distance < last!.distance ? 0 : last!.distance
    this.lapNumber = laps + 1
    this.lapDistance = Math.max(0, distance - this.#lineAt)
    this.#counted.read(
      { time, lapNumber: this.lapNumber, sinceLine: stageTime, lastLap, sector1, sector2, valid: undefined },
      events
    )
    return time
  }
}

/** A number that is none is still the same as itself. */
const isSameCourse = (last: StageMoment, now: StageMoment): boolean =>
  Object.is(now.stage, last.stage) && Object.is(now.car, last.car)

const isAnotherRun = (last: StageMoment, now: StageMoment): boolean => {
  if (!isSameCourse(last, now)) return true
  const laps = (now.circuit?.laps ?? 0) - (last.circuit?.laps ?? 0)
  return laps < 0 || (laps === 0 && now.stageTime < last.stageTime - BACK_S)
}
