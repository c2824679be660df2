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
 * Packets have no numbers; the game's clock shows their order. Our clock starts at the service's own time, so that
 * another link to the game continues after the points of the one before. Runs have no numbers either, so they are not
 * counted laps, as those on a circuit are: a run ends by the driven distance, or by silence. Where the game reports no
 * result, the stage's clock at the finish is the run's time.
 *
 * Over 250 lines: one state machine.
 *
 * No Timekeeper decides on these sessions: it continues a session until its count falls. Here each run restarts the
 * clock, and the end of the run before decides whether the session goes on.
 */
import type { EventBuffer, Sample } from "../EventBuffer.ts"
import { LapMarks } from "./LapMarks.ts"
import { timedSession } from "./NamedSession.ts"
import { SequenceFilter } from "./SequenceFilter.ts"
import { Laps } from "./Laps.ts"
import { Timeline } from "./Timeline.ts"
import { sectorsOf, reportedOrPlaced, toMillis } from "./reportedTimes.ts"
import {
  finishBetween,
  type Heard,
  isAnotherRun,
  isGap,
  isRewound,
  isSameCourse,
  passedBetween,
  relateMoments,
  resolutionOf,
  StageProgress,
  type StageMoment
} from "./stageMoments.ts"

/** A run whose first heard packet is later than this was joined midway, s of the stage's clock. */
const JOINED_AFTER_S = 1
/** A run is reported this long after its finish, s; a result that comes later corrects it. */
const RESULT_WITHIN_S = 1
/** A run that stopped at the line is over after this long without a packet, s: no frame takes so long. */
const OVER_AFTER_S = 3

/** A finish that no packet shows is this long after the last packet, s, so that its point belongs to the lap. */
const BEHIND_S = 0.001

/** The game's names of the stage and the car. */
export interface StageNames {
  readonly circuit: string
  readonly vehicle: string
}

/** For a game that sends no names. */
export const NAMELESS: StageNames = { circuit: "", vehicle: "" }

export class Stages {
  readonly #begins: (moment: StageMoment) => StageNames
  readonly #sequence = new SequenceFilter(relateMoments)
  readonly #timeline = new Timeline()
  readonly #counted = new Laps()
  readonly #progress = new StageProgress()
  readonly #marks = new LapMarks()
  /** s; continues where the game's clock starts anew, and stops in a pause. */
  #clock = Number.NaN
  /** How far it is ahead of the game's, s. */
  #ahead = 0
  #isPaused = false
  #last: Heard | undefined
  /** When its packet came, s. */
  #arrival = Number.NaN
  /** The first moment of the run. */
  #first: StageMoment | undefined
  /** The session of the first moment of all, which begins when another follows. */
  #waits: ReturnType<typeof timedSession> | undefined
  /** When the stage's clock began to run, s on the feed's clock. */
  #start = Number.NaN
  #isWhole = false
  #finish: Heard | undefined
  /** The report of the run; undefined while it is not reported. */
  #reported: { readonly ref: number; readonly lapTime: number; readonly isGuess: boolean } | undefined
  #refs = 0
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
    const verdict = this.#sequence.take(moment, arrival)
    if (verdict === "late" || verdict === "same" || verdict === "unsure") {
      events.late()
      return undefined
    }
    if (verdict === "first") this.#forget(events)
    else this.#startWaiting(events)
    const before = this.#last?.moment
    if (before === undefined) this.#clock = arrival
    else if (verdict === "back") this.#timeline.restart()
    else if (moment.isStill === true && moment.stageTime > 0) {
      this.#isPaused = true
      return undefined
    } else this.#advance(before, moment)
    this.#isPaused = false
    const time = this.#timeline.at(this.#clock, arrival)
    if (time === undefined) {
      events.late()
      return undefined
    }
    const last = this.#last?.moment
    const isBack = last !== undefined && isRewound(last, moment, arrival - this.#arrival)
    this.#arrival = arrival
    // A distance that counts over laps is unknown until the line comes again.
    if (isBack) this.#lineAt = this.#lineAt > 0 ? Number.NaN : 0
    else if (last === undefined || verdict === "back" || isAnotherRun(last, moment))
      this.#begin(moment, events)
    else {
      if (this.#reported?.isGuess === true) this.#takeBack(events)
      if (isGap(last, moment)) this.#isWhole = false
    }
    this.#progress.follow(moment)
    if (!(moment.stageTime > 0) || Number.isNaN(this.#start)) this.#start = time - moment.stageTime
    const since = this.#last
    this.#last = { time, moment }
    if (moment.circuit !== undefined) return this.#lap(moment, moment.circuit, last, time, events)
    this.lapDistance = moment.distance >= 0 ? moment.distance : Number.NaN
    this.#marks.read(moment.stageTime, moment.distance / moment.length, false)
    if (moment.isDone) this.#finish ??= finishBetween(since, { time: time - (moment.doneFor ?? 0), moment })
    return this.#settle(moment, time, events) ? undefined : time
  }

  #advance(before: StageMoment, moment: StageMoment): void {
    const passed = passedBetween(before, moment, this.#isPaused)
    // Packets between two ticks of a coarse clock lie between its times.
    const ahead = passed === 0 ? (resolutionOf(moment.clock) - this.#ahead) / 2 : 0
    this.#clock += passed === 0 ? ahead : passed - this.#ahead
    this.#ahead = passed === 0 ? this.#ahead + ahead : 0
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
    const before = this.#first
    this.end(events)
    const isNext = this.#reported !== undefined && before !== undefined && isSameCourse(before, moment)
    this.#first = moment
    this.lapNumber = Number.NaN
    this.#progress.reset()
    this.#marks.begin()
    this.#start = Number.NaN
    this.#isWhole = moment.stageTime <= JOINED_AFTER_S
    this.#finish = undefined
    this.#reported = undefined
    this.#lineAt = 0
    this.#counted.begin()
    if (isNext) return
    const circuitLength = moment.length > 0 ? moment.length : undefined
    const session = timedSession({ ...this.#begins(moment), driver: "", circuitLength })
    if (before !== undefined) return events.start(session)
    this.#waits = session
    events.hold()
  }

  /** The first moment was right: another follows it, or none will. */
  #startWaiting(events: EventBuffer): void {
    if (this.#waits !== undefined) events.start(this.#waits)
    this.#waits = undefined
  }

  /** The next moment is the first: the packet before was false. */
  #forget(events: EventBuffer): void {
    if (this.#waits !== undefined) events.late(events.drop())
    this.#waits = this.#last = this.#first = this.#reported = this.#finish = undefined
    this.#timeline.restart()
  }

  /**
   * No more packets of the run come: the link has ended, or a packet belongs to no run. It was finished if it came close
   * enough to the finish and was moving.
   */
  end(events: EventBuffer): void {
    this.#startWaiting(events)
    const last = this.#last
    // A lap that ended still waits for its time, which may come after all.
    if (last?.moment.circuit !== undefined) return this.#counted.close(true, events)
    if (last === undefined || this.#reported !== undefined) return
    const isGuess = this.#finish === undefined
    if (this.#progress.isNearlyDone) this.#finish ??= { ...last, time: last.time + BEHIND_S }
    const finish = this.#finish
    if (finish === undefined) return
    this.#tell(finish, finish.moment.result ?? finish.moment.stageTime, isGuess, events)
  }

  /** Whether the run is over: nothing behind the finish belongs to it. */
  #settle({ result }: StageMoment, time: number, events: EventBuffer): boolean {
    const finish = this.#finish
    if (finish === undefined) return false
    const reported = this.#reported
    if (reported !== undefined) {
      const lapTime = toMillis(result ?? reported.lapTime)
      // A result with its penalties may come seconds later.
      if (lapTime !== reported.lapTime) events.changeLap(reported.ref, { lapTime })
      this.#reported = { ...reported, lapTime }
      return true
    }
    const isLate = time - finish.time > RESULT_WITHIN_S
    if (result !== null || isLate) this.#tell(finish, result ?? finish.moment.stageTime, false, events)
    return true
  }

  /** The run went on: the silence that looked like its end was a pause. */
  #takeBack(events: EventBuffer): void {
    events.changeLap(this.#reported!.ref, { valid: false, withdrawn: true })
    this.#reported = undefined
    this.#finish = undefined
  }

  #tell({ moment, time }: Heard, result: number, isGuess: boolean, events: EventBuffer): void {
    const { length, sector1 = null, sector2 = null } = moment
    // Where the length is unknown there are no thirds. Lines placed elsewhere would give other sectors than the next run's.
    const seen = reportedOrPlaced([sector1, sector2], length > 0 ? this.#marks.sectors : null)
    const lapTime = toMillis(result)
    this.#reported = { ref: ++this.#refs, lapTime, isGuess }
    events.lap({
      ref: this.#refs,
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
      { time, lapNumber: this.lapNumber, clock: stageTime, lastLap, sector1, sector2 },
      events
    )
    return time
  }
}
