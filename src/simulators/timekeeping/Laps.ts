/**
 * The laps of a game that counts them, from one moment after another (timekeeping.md, rules 4 to 6).
 *
 * A lap begins where its clock starts, whatever its number: what was driven of the number before that was the way to the line,
 * or a try that was given up, and is in no lap. A lap ends where the count rises, or where a time appears that is the lap's,
 * as behind the flag. The game tells its time in the same packet or some packets later. A lap is reported once its time is
 * known, or after a while without one; a time that comes later corrects it.
 *
 * Over 250 lines: all of these signs change the lap under way and the one before.
 */
import type { EventBuffer } from "../EventBuffer.ts"
import { LapMarks } from "../LapMarks.ts"
import { type SectorsSeen, sectorsOf, toldOrPlaced, validity } from "../toldTimes.ts"
import type { Moment } from "./Moment.ts"

/** How long after its end a lap waits for its time, s on the feed's clock; after that it is reported without one. */
const PATIENCE_S = 2
/** A told time and the lap's span by the moments differ by no more than this, s. */
const FITS_S = 0.1
/**
 * How long to wait before a time is used that was shown before the lap ended, s: a steady driver's laps differ by less than
 * `FITS_S`, so it may be the time of the lap before.
 */
const ALIKE_S = 0.25

/** No game is rewound over more laps. */
const TAKEN_BACK = 16

/** A lap under way. */
interface Driven {
  number: number
  /** NaN where its begin is unknown. */
  start: number
  readonly marks: LapMarks
}

interface Ended {
  readonly ref: number
  readonly lapNumber: number
  readonly start: number
  readonly end: number
  readonly seen: SectorsSeen
  readonly valid: boolean | undefined
  readonly wasInPit: boolean
  readonly driver: string
  /** The time that was shown before the lap ended. */
  readonly shown: number | null
}

/**
 * When a lap began that ended at `end`; all in s. `seen`: its begin by the packet that ended the lap before; NaN for a lap
 * that was joined midway. `lapTime`: null or NaN without one. The lap's own time gives its begin more exactly than `seen`,
 * but a lap with a pause or a flashback took longer than its time.
 */
export const lapStart = (seen: number, end: number, lapTime: number | null): number => {
  const timed = lapTime === null ? Number.NaN : end - lapTime
  return timed > seen + FITS_S || Number.isNaN(timed) ? seen : timed
}

const isCounted = ({ lapNumber, laps = 0 }: Moment): boolean =>
  lapNumber >= 1 && !(laps >= 1 && lapNumber > laps)

export class Laps {
  /** The last moment; its time is NaN before the first. */
  readonly #last: Moment = { time: Number.NaN, lapNumber: Number.NaN, clock: Number.NaN, lastLap: null }
  /** Undefined while the car is in no lap. */
  #driven: Driven | undefined
  /** What was driven of a number whose clock started anew within `PATIENCE_S`: a lap, if the count rises by then. */
  #before: { readonly driven: Driven; readonly last: Moment } | undefined
  /** The number of a lap that ended without a rise of the count. */
  #over = Number.NaN
  /** The session's driver: the first one. */
  #driver = ""
  /** Whether the lap's clock stands at 0. */
  #stands = false
  #ended: Ended | undefined
  /** The lap before the one under way, if it was reported without a time. */
  #untimed: Ended | undefined
  /** The reported laps that the game may take back. */
  readonly #told: Array<{ readonly lapNumber: number; readonly ref: number }> = []
  #refs = 0

  /** The lap in which the car is; NaN in none. */
  get lapNumber(): number {
    return this.#driven === undefined || this.#stands ? Number.NaN : this.#driven.number
  }

  /** When the lap under way began, s on the feed's clock; NaN where that is unknown, or without one. */
  get start(): number {
    return this.#driven?.start ?? Number.NaN
  }

  /** The last moment of the session, but for those behind the flag; undefined before the first. It changes with the next. */
  get last(): Moment | undefined {
    return Number.isNaN(this.#last.time) ? undefined : this.#last
  }

  /** Another session. The lap under way belongs to the old one, whose recorder ends it. */
  begin(): void {
    this.#last.time = this.#last.lapNumber = this.#last.clock = this.#over = Number.NaN
    this.#driven = this.#before = this.#ended = this.#untimed = undefined
    this.#stands = false
    this.#driver = ""
    this.#told.length = 0
  }

  /** Takes moments in order of time; the caller leaves out late packets. */
  read(moment: Moment, events: EventBuffer): void {
    const last = this.#last
    this.#driver ||= moment.driver ?? ""
    if (moment.isOver === true) return this.#behindFlag(moment, events)
    const isFirst = Number.isNaN(last.time)
    if (moment.completed !== undefined && !isFirst) this.#complete(moment, moment.completed, events)
    else if (isFirst || Number.isNaN(last.lapNumber)) this.#join(moment)
    else if (moment.lapNumber > last.lapNumber) this.#countOn(moment, events)
    else if (moment.lapNumber < last.lapNumber) this.#countBack(moment, events)
    else this.#goOn(moment, events)
    this.#stands = moment.clock === 0 && last.clock === 0
    Object.assign(last, moment)
    this.#driven?.marks.read(moment.clock, moment.place ?? Number.NaN, moment.isInPit === true)
    if (!isFirst) this.#settle(moment, events)
  }

  /** The same driver has another name; returns whether it is the session's. */
  rename(from: string, to: string): boolean {
    if (this.#last.driver === from) this.#last.driver = to
    if (from === "" || this.#driver !== from) return false
    this.#driver = to
    return true
  }

  #behindFlag(moment: Moment, events: EventBuffer): void {
    const { time: lastTime } = this.#last
    const { lastLap, time } = moment
    const isNew = lastLap !== null && lastLap !== this.#last.lastLap
    // The first packet behind the flag comes some time after the line.
    this.finish(isNew ? Math.min(time, Math.max(lastTime, this.start + lastLap)) : time, events)
    if (!Number.isNaN(lastTime)) this.#settle(moment, events)
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
    return { number: lapNumber, start, marks: new LapMarks() }
  }

  /** A packet tells that this lap has ended. The number of a lap that was joined midway may come with its end only. */
  #complete(moment: Moment, lapNumber: number, events: EventBuffer): void {
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
    const line = isClockOfBefore(last, moment) ? moment.time : lineOf(moment)
    if (driven !== undefined && isCounted(last)) {
      if (step === 1) this.#end(driven, last, line, events)
      else this.#miss(driven, moment, events)
    }
    this.#driven = isCounted(moment) ? this.#from(moment, line) : undefined
  }

  /** The count falls in a session that goes on: the car is in no lap, or the game took laps back. */
  #countBack(moment: Moment, events: EventBuffer): void {
    this.#conclude(this.#last, events)
    this.#untimed = this.#before = undefined
    this.#over = Number.NaN
    if (!isCounted(moment)) {
      this.#driven = undefined
      return
    }
    while ((this.#told.at(-1)?.lapNumber ?? -1) >= moment.lapNumber) {
      events.changeLap(this.#told.pop()!.ref, { valid: false, withdrawn: true })
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
      // One packet told another clock.
      this.#driven = before.driven
      this.#before = undefined
    } else if (isStart(last, moment)) {
      if (moment.lapNumber === this.#over) return
      if (driven !== undefined && last.clock > 0) this.#before = { driven, last: { ...last } }
      if (driven === undefined || last.clock > 0) this.#driven = this.#from(moment, lineOf(moment))
      else driven.start = lineOf(moment)
    } else if (driven !== undefined && this.#isLapsTime(moment)) {
      this.finish(Math.min(moment.time, Math.max(last.time, driven.start + moment.lastLap!)), events)
    }
  }

  /** Whether a new time is that of the lap under way, which ended since the last moment. */
  #isLapsTime({ lastLap, time }: Moment): boolean {
    const last = this.#last
    if (lastLap === null || lastLap === last.lastLap || this.#ended !== undefined) return false
    const passed = time - last.time
    const driven = last.clock > 0 ? last.clock : last.time - this.#driven!.start
    return lastLap >= driven - FITS_S && lastLap <= driven + passed + FITS_S
  }

  #end(driven: Driven, last: Moment, end: number, events: EventBuffer): void {
    this.#conclude(last, events)
    this.#untimed = undefined
    this.#ended = {
      ref: ++this.#refs,
      lapNumber: driven.number,
      start: driven.start,
      end,
      seen: toldOrPlaced([last.sector1 ?? null, last.sector2 ?? null], driven.marks.sectors),
      valid: last.valid,
      wasInPit: driven.marks.wasInPit,
      driver: last.driver ?? "",
      shown: last.lastLap
    }
  }

  /** Laps ended without a packet: the shown time belongs to the last one, and the first one's is unknown. */
  #miss(driven: Driven, { time }: Moment, events: EventBuffer): void {
    const last = this.#last
    if (!(last.time > driven.start) || !(time > last.time)) return
    this.#end(driven, last, last.time, events)
    this.#conclude(last, events)
  }

  /** Reports the lap that ended once its time is known, or the wait is over. */
  #settle(moment: Moment, events: EventBuffer): void {
    const ended = this.#ended
    if (ended === undefined) return this.#correct(moment, events)
    const { lastLap, time } = moment
    const { end, shown, start } = ended
    const waited = time - end
    const isNew = moment.completed !== undefined || (lastLap !== null && lastLap !== shown)
    const fits = lastLap !== null && waited >= ALIKE_S && Math.abs(lastLap - (end - start)) <= FITS_S
    if (isNew || fits) this.#tell(ended, lastLap, moment, events)
    else if (waited >= PATIENCE_S) this.#tell(ended, null, moment, events)
  }

  /** If the lap that ended still waits for its time, reports it without one. */
  #conclude(last: Moment, events: EventBuffer): void {
    const ended = this.#ended
    if (ended !== undefined) this.#tell(ended, null, last, events)
  }

  /** The time of the lap that was reported without one has come. */
  #correct({ lastLap, lastLapWas }: Moment, events: EventBuffer): void {
    const ended = this.#untimed
    if (ended === undefined || lastLap === null || lastLap === ended.shown) return
    const { end, ref, start, valid, wasInPit } = ended
    if (lastLap > end - start + FITS_S) return
    this.#untimed = undefined
    const told = validity(lastLap, wasInPit, lastLapWas?.valid ?? valid)
    events.changeLap(ref, {
      lapTime: lastLap,
      ...(lastLapWas && { sectors: lastLapWas.sectors }),
      // Where the game does not say it, a lap counts if it was seen from line to line.
      valid: told ?? !Number.isNaN(start)
    })
  }

  #tell(ended: Ended, lapTime: number | null, { completed, lastLapWas }: Moment, events: EventBuffer): void {
    const { driver, end, lapNumber, ref, seen, valid, wasInPit } = ended
    const was = lapTime === null && completed === undefined ? undefined : lastLapWas
    const start = lapStart(ended.start, end, lapTime)
    this.#ended = undefined
    if (lapTime === null) this.#untimed = ended
    this.#told.push({ lapNumber, ref })
    if (this.#told.length > TAKEN_BACK) this.#told.shift()
    events.lap({
      ref,
      lapNumber,
      lapTime,
      ...(was === undefined ? sectorsOf(seen, lapTime) : { sectors: was.sectors }),
      valid: validity(lapTime, wasInPit, was?.valid ?? valid),
      start: Number.isNaN(start) ? undefined : start,
      end,
      ...(driver === "" || driver === this.#driver ? {} : { driver })
    })
  }
}

/** When the lap of a moment began: by its clock, or where that is not told, at the moment. */
const lineOf = ({ clock, time }: Moment): number => (Number.isNaN(clock) ? time : time - clock)

/** Whether the lap's clock started since the last moment, or does not run. */
const isStart = (last: Moment, { clock, isRewound, time }: Moment): boolean => {
  if (clock === 0) return true
  if (last.clock === 0) return clock > 0
  return clock < last.clock && isRewound !== true && clock <= time - last.time + FITS_S
}

/** Whether the lap's clock went on as time did. */
const isContinued = (last: Moment, { clock, time }: Moment): boolean =>
  Math.abs(clock - last.clock - (time - last.time)) <= FITS_S

/**
 * Whether the count rises, and the clock is still that of the lap before: it goes on, or stands. Under the flag the last
 * lap's time stays.
 */
const isClockOfBefore = (last: Moment, moment: Moment): boolean => {
  const passed = moment.time - last.time
  const stands = moment.clock === last.clock && passed <= PATIENCE_S
  return (stands || isContinued(last, moment)) && last.clock > passed
}
