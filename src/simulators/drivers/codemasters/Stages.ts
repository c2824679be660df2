/**
 * Runs of special stages, each of which is one lap, as in DiRT Rally and WRC.
 *
 * A run ends at the flying finish. Real runs of DiRT Rally 2.0 end a frame before it, at 0.99996 to 0.99999 of the stage. After
 * that come no packets, or packets of zeros, or the next run. So a run whose next packet would have been behind the line is
 * over after some seconds of silence. The finish may lie before the stage's length, so a run that came within a thousandth of
 * the line is over when it has certainly ended: by zeros, another run, or the end of the link.
 *
 * A driver who finishes a stage and drives it again in the same car drives the session's next lap. A run that is broken
 * off, another stage or another car means another session.
 *
 * Packets have no numbers; the game's clock tells their order. Our clock starts at the service's own time, so that
 * another link to the game continues after the points of the one before. Runs have no numbers either, so they are not
 * CountedLaps, as laps on a circuit are: a run ends by the driven distance, or by silence. Where the game tells no result, the
 * stage's clock at the finish is the run's time.
 */
import { CountedLaps } from "../../CountedLaps.ts"
import type { EventBuffer, Sample } from "../../EventBuffer.ts"
import { LapMarks } from "../../LapMarks.ts"
import { timedSession } from "../../NamedSession.ts"
import { relate, SequenceFilter } from "../../SequenceFilter.ts"
import { Timeline } from "../../Timeline.ts"
import { sectorsOf, toldOrPlaced, toMillis } from "../../toldTimes.ts"
import { isAnotherRun, isSameCourse, StageProgress, type StageMoment } from "./moments.ts"

/** A run whose first heard packet is later than this was joined midway, s of the stage's clock. */
const JOINED_AFTER_S = 1
/**
 * A lap with a longer gap is invalid (contract, section 4), s of both clocks: the game's clock goes on in a pause, and the
 * stage's clock leaps by the penalty when a car is put back on the road.
 */
const GAP_S = 1
/** The result of a run arrives at the latest this long after its finish, s. */
const RESULT_WITHIN_S = 1
/** A run that stopped at the line is over after this long without a packet, s: no frame takes so long. */
const OVER_AFTER_S = 3

/** A finish that no packet shows is this long after the last packet, s, so that its point belongs to the lap. */
const BEHIND_S = 0.001

interface Heard {
  /** The packet's time, s on the feed's clock. A finish before the packet is earlier; a finish that no packet shows is later. */
  readonly time: number
  readonly moment: StageMoment
}

const isGap = (last: StageMoment, now: StageMoment): boolean =>
  now.stageTime - last.stageTime > GAP_S && now.clock - last.clock > GAP_S

/** The game's names of the stage and the car. */
export interface StageNames {
  readonly circuit: string
  readonly vehicle: string
}

/** For a game that sends no names. */
export const NAMELESS: StageNames = { circuit: "", vehicle: "" }

export class Stages {
  readonly #begins: (moment: StageMoment) => StageNames
  readonly #sequence = new SequenceFilter<number>(relate)
  readonly #timeline = new Timeline()
  readonly #counted = new CountedLaps()
  readonly #progress = new StageProgress()
  readonly #marks = new LapMarks()
  /** The offset from the game's clock to ours, s. */
  #shift = Number.NaN
  #last: Heard | undefined
  /** When the stage's clock began to run, s on the feed's clock. */
  #start = Number.NaN
  #isWhole = false
  #finish: Heard | undefined
  #isTold = false
  /** The distance at the line where the current lap began. */
  #lineAt = 0
  /** The current lap on a circuit, from 1; NaN on a stage. */
  lapNumber = Number.NaN
  /** m since the line; NaN before the line, and where it is unknown. */
  lapDistance = 0

  /** `begins` is called when a session begins, for its names. */
  constructor(begins: (moment: StageMoment) => StageNames = () => NAMELESS) {
    this.#begins = begins
  }

  /** The time of the packet's point, s on the feed's clock; undefined where the packet gives no point. */
  read(moment: StageMoment, arrival: number, events: EventBuffer): number | undefined {
    const verdict = this.#sequence.take(moment.clock, arrival)
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
    else if (isGap(last, moment)) this.#isWhole = false
    this.#progress.follow(moment)
    if (!(moment.stageTime > 0) || Number.isNaN(this.#start)) this.#start = time - moment.stageTime
    this.#last = { time, moment }
    if (moment.circuit !== undefined) return this.#lap(moment, moment.circuit, last, time, events)
    this.lapDistance = moment.distance >= 0 ? moment.distance : Number.NaN
    this.#marks.read(moment.stageTime, moment.distance / moment.length, false)
    if (moment.isDone) this.#finish ??= { time: time - (moment.doneFor ?? 0), moment }
    return this.#settle(moment, time, events) ? undefined : time
  }

  /** The point of the packet that was read last, at the time that `read` returned. */
  point(sample: Sample, time: number, events: EventBuffer): void {
    sample.time = time
    sample.lapNumber = this.lapNumber
    sample.lapDistance = this.lapDistance
    events.point(sample)
  }

  /** No packet came for this many seconds. */
  silence(seconds: number, events: EventBuffer): void {
    const isOver = this.#finish !== undefined || this.#progress.isAtLine
    if (seconds >= OVER_AFTER_S && isOver) this.end(events)
  }

  #begin(moment: StageMoment, events: EventBuffer): void {
    const before = this.#last?.moment
    this.end(events)
    const isNext = this.#isTold && before !== undefined && isSameCourse(before, moment)
    this.lapNumber = Number.NaN
    this.#progress.reset()
    this.#marks.begin()
    this.#start = Number.NaN
    this.#isWhole = moment.stageTime <= JOINED_AFTER_S
    this.#finish = undefined
    this.#isTold = false
    this.#lineAt = 0
    this.#counted.reset()
    if (isNext) return
    const circuitLength = moment.length > 0 ? moment.length : undefined
    events.start(timedSession({ ...this.#begins(moment), driver: "", circuitLength }))
  }

  /**
   * No more packets of the run come: the link has ended, or a packet belongs to no run. It was finished if it came close
   * enough to the finish and was moving.
   */
  end(events: EventBuffer): void {
    const last = this.#last
    if (last === undefined || this.#isTold || last.moment.circuit !== undefined) return
    if (this.#progress.isNearlyDone) this.#finish ??= { ...last, time: last.time + BEHIND_S }
    const finish = this.#finish
    if (finish !== undefined) this.#tell(finish, finish.moment.result ?? finish.moment.stageTime, events)
  }

  /** Whether the run is over: nothing behind the finish belongs to it. */
  #settle({ result }: StageMoment, time: number, events: EventBuffer): boolean {
    const finish = this.#finish
    if (finish === undefined) return false
    if (this.#isTold) return true
    const isLate = time - finish.time > RESULT_WITHIN_S
    if (result !== null || isLate) this.#tell(finish, result ?? finish.moment.stageTime, events)
    return true
  }

  #tell({ moment, time }: Heard, result: number, events: EventBuffer): void {
    const { length, sector1 = null, sector2 = null } = moment
    // Where the length is unknown there are no thirds. Lines placed elsewhere would give other sectors than the next run's.
    const seen = toldOrPlaced([sector1, sector2], length > 0 ? this.#marks.sectors : null)
    const lapTime = toMillis(result)
    this.#isTold = true
    events.lap({
      lapNumber: undefined,
      lapTime,
      ...sectorsOf(seen, lapTime),
      valid: this.#isWhole,
      start: this.#start,
      end: time
    })
  }

  #lap(
    { distance, sector1 = null, sector2 = null, stageTime }: StageMoment,
    { lastLap, laps }: NonNullable<StageMoment["circuit"]>,
    last: StageMoment | undefined,
    time: number,
    events: EventBuffer
  ): number {
    // No sheet says whether the distance restarts with each lap.
    if (laps > (last?.circuit?.laps ?? laps)) this.#lineAt = distance < last!.distance ? 0 : last!.distance
    this.lapNumber = laps + 1
    this.lapDistance = Math.max(0, distance - this.#lineAt)
    this.#counted.read(
      { time, lapNumber: this.lapNumber, sinceLine: stageTime, lastLap, sector1, sector2 },
      events
    )
    return time
  }
}
