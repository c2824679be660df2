/**
 * The laps of a game that counts them, from one moment after another (timekeeping.md, rules 4 to 6).
 *
 * A lap begins where its clock starts, whatever its number. A drive with its number before that was the way to the
 * line, or an attempt that was given up, and is in no lap. A lap ends where the count rises, or where the lap's own
 * time appears, as behind the flag. The game sends its time in the same packet or some packets later, and may keep the
 * laps that are over. A lap is reported once all its data is known, or after a wait without some of it; later data
 * corrects it.
 *
 * Over 250 lines: all of these signs change the lap under way and the one before.
 */
import type { EventBuffer } from "../EventBuffer.ts"
import { LapMarks } from "./LapMarks.ts"
import { sectorsOf, reportedOrPlaced, validity } from "./reportedTimes.ts"
import {
  FITS_S,
  isClockOfBefore,
  isContinued,
  isCounted,
  isStart,
  lapStart,
  lineOf,
  PATIENCE_S,
  zeroOf
} from "./lapClocks.ts"
import type { CompletedLap, LastLap, Moment } from "./Moment.ts"

/**
 * How long to wait before a time is used that was shown before the lap ended, s: a steady driver's laps differ by less than
 * `FITS_S`, so it may be the time of the lap before.
 */
const ALIKE_S = 0.25
/** A game may round one time differently by 2 ms in two packets; the float adds 0.5 ms. In s. */
const ROUNDING_S = 0.0025

/** No game is rewound over more laps. */
const TAKEN_BACK = 16

/** A lap under way. */
interface Driven {
  number: number
  /** NaN where its start is unknown. */
  start: number
  /** Whether its number came before its clock, which was still that of the lap before. */
  isEarly: boolean
  /** The newest reported values: they may be gone before the count rises. */
  sector1: number | null
  sector2: number | null
  readonly marks: LapMarks
}

interface Ended {
  readonly ref: number
  readonly driven: Driven
  end: number
  /** When its clock was 0 by the last moment before its end: later than its start where it was paused or rewound. */
  readonly zero: number
  readonly valid: boolean | undefined
  readonly driver: string
  /** The time that was shown before the lap ended, and its own; null while unknown. */
  readonly shown: number | null
  lapTime: number | null
}

export class Laps {
  /** The last moment; its time is NaN before the first. */
  readonly #last: Moment = { time: Number.NaN, lapNumber: Number.NaN, clock: Number.NaN, lastLap: null }
  /** Undefined while the car is in no lap. */
  #driven: Driven | undefined
  /** The drive before the clock of its number started anew: it is a lap if the count rises within `PATIENCE_S`. */
  #before: { readonly driven: Driven; readonly last: Moment } | undefined
  /** The number of a lap that ended without a rise of the count. */
  #over = Number.NaN
  /** The session's driver: the first one. */
  #driver = ""
  /** Whether the lap's clock stays at 0. */
  #stands = false
  #ended: Ended | undefined
  /**
   * The lap before the one under way, if it was reported without a time, or without the data that the game keeps of it.
   */
  #unsure: Ended | undefined
  /** The reported laps that the game may take back. */
  readonly #reported: Array<{ readonly lapNumber: number; readonly ref: number }> = []
  #refs = 0
  /** The end of the last reported lap. Laps do not overlap, not even where one was taken back. */
  #until = -Infinity

  /** The lap in which the car is; NaN in none. */
  get lapNumber(): number {
    return this.#driven === undefined || this.#stands ? Number.NaN : this.#driven.number
  }

  /** When the lap under way began, s on the feed's clock; NaN where that is unknown, or without one. */
  get start(): number {
    return this.#driven?.start ?? Number.NaN
  }

  /**
   * The last moment of the session, except those behind the flag; undefined before the first. It changes with the next.
   */
  get last(): Moment | undefined {
    return Number.isNaN(this.#last.time) ? undefined : this.#last
  }

  /** Another session. The lap under way belongs to the old one, whose recorder ends it. */
  begin(): void {
    this.#last.time = this.#last.lapNumber = this.#last.clock = this.#over = Number.NaN
    this.#driven = this.#before = this.#ended = this.#unsure = undefined
    this.#stands = false
    this.#until = -Infinity
    this.#driver = ""
    this.#reported.length = 0
  }

  /** Takes moments in order of time; the caller leaves out late packets. */
  read(moment: Moment, events: EventBuffer): void {
    const last = this.#last
    this.#driver ||= moment.driver ?? ""
    if (moment.isOver === true && !this.#runsOn(moment)) return this.#behindFlag(moment, events)
    const isFirst = Number.isNaN(last.time)
    if (moment.ended !== undefined && !isFirst) this.#endReported(moment, moment.ended, events)
    else if (isFirst || Number.isNaN(last.lapNumber)) this.#join(moment)
    else if (moment.isRewound === true && moment.lapNumber === this.#ended?.driven.number)
      this.#reopen(this.#ended)
    else if (moment.lapNumber > last.lapNumber) this.#countOn(moment, events)
    else if (moment.lapNumber < last.lapNumber) this.#countBack(moment, events)
    else this.#goOn(moment, events)
    this.#stands = moment.clock === 0 && last.clock === 0
    Object.assign(last, moment)
    const driven = this.#driven
    if (driven !== undefined) {
      driven.sector1 = moment.sector1 ?? driven.sector1
      driven.sector2 = moment.sector2 ?? driven.sector2
      driven.marks.read(moment.clock, moment.place ?? Number.NaN, moment.isInPit === true)
    }
    this.#settle(moment, events)
  }

  /** Called when the game reports, without a moment, laps that it keeps. */
  learn(events: EventBuffer): void {
    const last = this.#last
    if (last.isOver === true) this.#finishKept(last.time, events)
    if (this.#ended !== undefined) return this.#settle(last, events)
    const unsure = this.#unsure
    const kept = unsure && keptOf(unsure, last)
    if (unsure === undefined || kept === undefined) return
    this.#unsure = undefined
    change(unsure, kept.lapTime, kept, events)
  }

  /**
   * The session is over, or may be: reports a lap that waits, and a lap whose end shows only in the laps that the game
   * keeps. `isSure`: also a lap without a time.
   */
  close(isSure: boolean, events: EventBuffer): void {
    if (isSure || this.#ended?.lapTime != null) this.#conclude(this.#last, events)
    this.#finishKept(Infinity, events)
    this.learn(events)
  }

  /** Whether the flag is shown and the lap goes on, as its clock does: its time will show its end. */
  #runsOn(moment: Moment): boolean {
    const last = this.#last
    const isNew = moment.lastLap !== null && moment.lastLap !== last.lastLap
    const isSame = this.#driven !== undefined && moment.lapNumber === last.lapNumber
    return isSame && !isNew && last.clock > 0 && isContinued(last, moment)
  }

  /** The lap under way ended by `latest`, if the game keeps it as one that is over. */
  #finishKept(latest: number, events: EventBuffer): void {
    const { clock, completed, isOver } = this.#last
    const driven = this.#driven
    const kept = driven && completed?.(driven.number)
    if (kept !== undefined && (isOver === true || kept.lapTime >= clock)) {
      this.finish(this.#lineAfter(kept.lapTime, latest), events)
    }
  }

  /** When the lap under way ended by its time: after the last moment, unless that showed the flag, and by `latest`. */
  #lineAfter(lapTime: number, latest: number): number {
    const { isOver, time } = this.#last
    const { start } = this
    return Math.min(latest, Math.max(isOver === true ? start : time, zeroOf(this.#last, start) + lapTime))
  }

  /** The same driver has another name; returns whether it is the session's. */
  rename(from: string, to: string): boolean {
    if (this.#last.driver === from) this.#last.driver = to
    if (from === "" || this.#driver !== from) return false
    this.#driver = to
    return true
  }

  #behindFlag(moment: Moment, events: EventBuffer): void {
    const { lastLap, time } = moment
    // The session was joined there: it is known by this moment.
    if (Number.isNaN(this.#last.time)) Object.assign(this.#last, moment, { lapNumber: Number.NaN })
    const isNew = lastLap !== null && lastLap !== this.#last.lastLap
    // The first packet behind the flag comes some time after the line.
    this.finish(isNew ? this.#lineAfter(lastLap, time) : time, events)
    this.#settle(moment, events)
  }

  /** The lap under way ended at `time` without a rise of the count, as under a chequered flag. */
  finish(time: number, events: EventBuffer): void {
    const driven = this.#driven
    if (driven === undefined || !(time > driven.start)) return
    this.#over = driven.number
    this.#end(driven, this.#last, time, events)
    this.#driven = undefined
  }

  /** The first moment of a session, or the first with a count. */
  #join(moment: Moment): void {
    const isInLap = isCounted(moment) && moment.lapNumber !== this.#over
    this.#driven = isInLap ? this.#from(moment, lineOf(moment)) : undefined
  }

  #from({ lapNumber }: Moment, start: number): Driven {
    return { number: lapNumber, start, isEarly: false, sector1: null, sector2: null, marks: new LapMarks() }
  }

  /** A rewind over the line: the lap that waits goes on. */
  #reopen({ driven }: Ended): void {
    this.#driven = driven
    this.#ended = this.#before = undefined
    this.#over = Number.NaN
  }

  /** A packet reports the end of this lap. The number of a lap that was joined midway may come only with its end. */
  #endReported(moment: Moment, lapNumber: number, events: EventBuffer): void {
    const last = this.#last
    const isUnknown = Number.isNaN(last.lapNumber)
    const driven = this.#driven ?? (isUnknown ? this.#from(moment, Number.NaN) : undefined)
    this.#before = undefined
    this.#driven = isCounted(moment) ? this.#from(moment, moment.time) : undefined
    if (driven === undefined) return
    driven.number = lapNumber
    this.#end(driven, last, moment.time, events)
  }

  /** The count rises. */
  #countOn(moment: Moment, events: EventBuffer): void {
    const last = this.#last
    const driven = this.#driven
    const before = this.#before
    const step = moment.lapNumber - last.lapNumber
    this.#before = undefined
    if (before !== undefined && driven !== undefined && step === 1) {
      // The clock of the new lap came before its number.
      this.#end(before.driven, before.last, driven.start, events)
      driven.number = moment.lapNumber
      return
    }
    const isEarly = isClockOfBefore(last, moment)
    const line = isEarly ? moment.time : lineOf(moment)
    if (driven !== undefined && isCounted(last)) {
      if (step === 1) this.#end(driven, last, line, events)
      else this.#miss(driven, moment, events)
    }
    this.#driven = isCounted(moment) ? this.#from(moment, line) : undefined
    if (this.#driven !== undefined) this.#driven.isEarly = isEarly
  }

  /** The count falls in a session that goes on: the car is in no lap, begins another run, or the game took laps back. */
  #countBack(moment: Moment, events: EventBuffer): void {
    this.#conclude(this.#last, events)
    this.#unsure = this.#before = undefined
    this.#over = Number.NaN
    if (!isCounted(moment)) {
      this.#driven = undefined
      return
    }
    const isRun = moment.isRace === false && moment.isRewound !== true
    const from = isRun ? Infinity : moment.lapNumber
    while ((this.#reported.at(-1)?.lapNumber ?? -1) >= from) {
      events.changeLap(this.#reported.pop()!.ref, { valid: false, withdrawn: true })
    }
    this.#driven = this.#from(moment, lineOf(moment))
  }

  /** The count stays. */
  #goOn(moment: Moment, events: EventBuffer): void {
    const last = this.#last
    const driven = this.#driven
    const before = this.#before
    if (!isCounted(moment)) {
      this.#driven = this.#before = undefined
      return
    }
    if (before !== undefined && !(moment.time - before.last.time <= PATIENCE_S)) this.#before = undefined
    if (before !== undefined && isContinued(before.last, moment)) {
      // One packet reported another clock.
      this.#driven = before.driven
      this.#before = undefined
    } else if (isStart(last, moment)) {
      if (moment.lapNumber === this.#over) return
      const line = lineOf(moment)
      const isEarly = driven?.isEarly === true && this.#ended !== undefined
      if (isEarly) this.#ended!.end = line
      else if (driven !== undefined && last.clock > 0) this.#before = { driven, last: { ...last } }
      if (driven === undefined || last.clock > 0) this.#driven = this.#from(moment, line)
      else {
        driven.start = line
        if (this.#stands || moment.clock === 0) forget(driven)
      }
    } else if (driven !== undefined && this.#isLapsTime(moment)) {
      this.finish(this.#lineAfter(moment.lastLap!, moment.time), events)
    }
  }

  /** Whether a new time is that of the lap under way, which ended since the last moment. */
  #isLapsTime({ lastLap, time }: Moment): boolean {
    const last = this.#last
    if (lastLap === null || lastLap === last.lastLap || this.#ended !== undefined) return false
    const passed = time - last.time
    const driven = last.time - zeroOf(last, this.start)
    return lastLap >= driven - FITS_S && lastLap <= driven + passed + FITS_S
  }

  #end(driven: Driven, last: Moment, end: number, events: EventBuffer): void {
    this.#conclude(last, events)
    this.#unsure = undefined
    this.#ended = {
      ref: ++this.#refs,
      driven,
      end,
      zero: zeroOf(last, driven.start),
      valid: last.valid,
      driver: last.driver ?? "",
      shown: last.lastLap,
      lapTime: null
    }
  }

  /**
   * Laps ended without a packet: the shown time is the last one's; the first one's may be in the laps that the game
   * keeps.
   */
  #miss(driven: Driven, moment: Moment, events: EventBuffer): void {
    const last = this.#last
    if (!(last.time > driven.start) || !(moment.time > last.time)) return
    const kept = moment.completed?.(driven.number)
    const end = kept === undefined ? last.time : this.#lineAfter(kept.lapTime, lineOf(moment))
    this.#end(driven, last, end, events)
    this.#tell(this.#ended!, kept, last, events)
  }

  /** Reports the lap that ended once all is known of it, or the wait is over. */
  #settle(moment: Moment, events: EventBuffer): void {
    const ended = this.#ended
    if (ended === undefined) return this.#correct(moment, events)
    const { completed, isOver, lastLap, time } = moment
    const isReported = moment.ended !== undefined
    const waited = time - ended.end
    if (ended.lapTime === null && lastLap !== null) {
      const fits = Math.abs(lastLap - (ended.end - ended.zero)) <= FITS_S
      const isSure = waited >= (completed === undefined ? ALIKE_S : PATIENCE_S)
      if (isReported || lastLap !== ended.shown || (fits && isSure)) ended.lapTime = lastLap
    }
    // Behind the flag the session may end any time.
    const isAll = isReported || (ended.lapTime !== null && (completed === undefined || isOver === true))
    const kept = keptOf(ended, moment)
    if (isAll || kept !== undefined || waited >= PATIENCE_S) this.#tell(ended, kept, moment, events)
  }

  /** If the lap that ended still waits, reports it as far as it is known. */
  #conclude(last: Moment, events: EventBuffer): void {
    const ended = this.#ended
    if (ended !== undefined) this.#tell(ended, keptOf(ended, last), last, events)
  }

  /** The time of the lap that was reported without one has come. */
  #correct({ lastLap, lastLapWas }: Moment, events: EventBuffer): void {
    const ended = this.#unsure
    if (ended === undefined || ended.lapTime !== null || lastLap === null || lastLap === ended.shown) return
    if (lastLap <= ended.end - ended.driven.start + FITS_S) change(ended, lastLap, lastLapWas, events)
  }

  #tell(ended: Ended, kept: CompletedLap | undefined, moment: Moment, events: EventBuffer): void {
    const { driven, driver, end, ref } = ended
    const { marks, number: lapNumber, sector1, sector2 } = driven
    const lapTime = kept?.lapTime ?? ended.lapTime
    const was = kept ?? (lapTime === null && moment.ended === undefined ? undefined : moment.lastLapWas)
    const start = Math.max(lapStart(driven.start, end, lapTime), this.#until)
    const seen = reportedOrPlaced([sector1, sector2], marks.sectors)
    this.#ended = undefined
    if (lapTime === null || (moment.completed !== undefined && kept === undefined)) this.#unsure = ended
    this.#reported.push({ lapNumber, ref })
    if (this.#reported.length > TAKEN_BACK) this.#reported.shift()
    events.lap({
      ref,
      lapNumber,
      lapTime,
      ...(was === undefined ? sectorsOf(seen, lapTime) : { sectors: was.sectors }),
      valid: validOf(ended, lapTime, was),
      start: Number.isNaN(start) ? undefined : start,
      end,
      ...(driver === "" || driver === this.#driver ? {} : { driver })
    })
    this.#until = end
  }
}

/**
 * The lap that the game keeps under this lap's number, if it is this lap: after a rewind the number may mean another.
 */
const keptOf = ({ driven, lapTime }: Ended, { completed }: Moment): CompletedLap | undefined => {
  const kept = completed?.(driven.number)
  return kept === undefined || Math.abs(kept.lapTime - (lapTime ?? kept.lapTime)) > ROUNDING_S
    ? undefined
    : kept
}

/** Whether a lap counts: not if the game reports it as invalid, during the lap or after it. */
const validOf = ({ driven, valid }: Ended, lapTime: number | null, was: LastLap | undefined) =>
  validity(
    lapTime,
    driven.marks.wasInPit,
    was === undefined || valid === false ? valid : (was.valid ?? valid)
  )

/** More data of a lap came after the lap was reported. */
const change = (ended: Ended, lapTime: number, was: LastLap | undefined, events: EventBuffer): void => {
  ended.lapTime = lapTime
  events.changeLap(ended.ref, {
    lapTime,
    ...(was && { sectors: was.sectors }),
    // Where the game does not report it, a lap counts if it was seen from line to line.
    valid: validOf(ended, lapTime, was) ?? !Number.isNaN(ended.driven.start)
  })
}

/** The drive while the clock stood still is in no lap. */
const forget = (driven: Driven): void => {
  driven.sector1 = driven.sector2 = null
  driven.marks.begin()
}
