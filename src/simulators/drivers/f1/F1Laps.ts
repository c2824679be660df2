/**
 * Laps from LapData and SessionHistory (f1-udp-2023-2026.md, sections 4.2, 4.7 and 6).
 *
 * Three signs tell that a lap ended: the counter rises, the time of the last lap changes, the car is shown as finished.
 * Under the chequered flag the counter does not rise; outside races the first two signs come some packets apart. The first
 * sign ends the lap, the others complete it. The SessionHistory, which comes about once a second, tells its sectors and
 * validity; where it does not come in time, the last LapData tells them.
 *
 * These are no Laps of the timekeeper, which end by the counter and wait for one number. Here a lap that ended may continue: where
 * only the flag showed its end and no time follows, and after a flashback over the line. The lap waits for a packet of
 * another kind, and its time may be known before that.
 *
 * Over 250 lines: all of these signs change the state of one lap and of the one before.
 */
import type { EventBuffer } from "../../EventBuffer.ts"
import { LapMarks } from "../../LapMarks.ts"
import { timeOfMs, validity, withRest } from "../../toldTimes.ts"
import { type F1LapData, type LapHistory, readHistoryLap } from "./decode.ts"

/** How long a lap waits for its numbers, s on the feed's clock: one round of the SessionHistory, within the recorder's own wait. */
const PATIENCE_S = 1.5
/** A lap's clock below this has restarted at the line. */
const FRESH_MS = 1500
/** A computed crossing of the line must lie between the two packets around it, with this tolerance, s. */
const SLACK_S = 0.05
/** A time that was shown before the lap ended is also the lap's if it differs this little from the lap's clock, ms. */
const FITS_MS = 100
/** SessionHistory and LapData may round the same time differently by this, ms. */
const ROUNDING_MS = 2
/** A changed time belongs to the current lap only if the lap has lasted as long, with this tolerance, ms. */
const SOONER_MS = 1000

const IN_GARAGE = 0
/** Laps into the pits and out of the pits are invalid (contract, section 4). */
const PIT_LAPS: ReadonlySet<number> = new Set([2, 3])
const FINISHED = 3

/** LapData with its time on the feed's clock, s. */
export interface F1LapReading extends F1LapData {
  readonly time: number
}

/** The driven part of a lap: its begin, and its sectors, 0 for those that are not over. */
interface Driven {
  start: number
  sector1Ms: number
  sector2Ms: number
  readonly marks: LapMarks
}

interface Ended {
  readonly lapNumber: number
  readonly driven: Driven
  /** The last reading before its end, and the time of the first one after it, s. */
  readonly before: F1LapReading
  readonly seen: number
  end: number
  lapMs: number | undefined
  /** Whether the counter has passed it. If not, only the flag shows its end, until its time comes. */
  counted: boolean
}

const begunAt = (start: number): Driven => ({ start, sector1Ms: 0, sector2Ms: 0, marks: new LapMarks() })

/** When the clock of the current lap was zero. */
const zeroOf = ({ currentLapMs, time }: F1LapReading): number => time - currentLapMs / 1000

/** When the car crossed the line, computed from a reading after it. */
const crossing = (after: F1LapReading, before: F1LapReading, lapMs: number | undefined): number => {
  if (after.currentLapMs < FRESH_MS) return zeroOf(after)
  const end = lapMs === undefined ? Number.NaN : zeroOf(before) + lapMs / 1000
  return end >= before.time - SLACK_S && end <= after.time + SLACK_S ? end : after.time
}

/** Whether the lap's clock starts: a lap begins there, whatever its number. */
const isStart = (last: F1LapReading, lap: F1LapReading): boolean =>
  lap.currentLapMs > 0 &&
  lap.currentLapMs < FRESH_MS &&
  (last.currentLapMs === 0 || last.currentLapMs > FRESH_MS)

export class F1Laps {
  #last: F1LapReading | undefined
  /** The current lap. */
  #driven = begunAt(Number.NaN)
  #ended: Ended | undefined
  /** The laps that were reported, and not taken back by a flashback. */
  readonly #tolds: Array<{ readonly lapNumber: number; readonly ref: number }> = []
  #refs = 0
  /** The last lap that was reported, and its end. */
  #told: number | undefined
  #toldUntil = -Infinity
  #rewound = false
  readonly #history = Buffer.alloc(1460)
  #hasHistory = false

  /** Takes readings in order of time. */
  read(lap: F1LapReading, events: EventBuffer): void {
    const last = this.#last
    this.#last = lap
    if (last === undefined) this.#driven.start = zeroOf(lap)
    else if (this.#rewound) this.#goBack(last, lap, events)
    else if (lap.lapNumber < last.lapNumber) this.#beginAgain(lap, events)
    else this.#goOn(last, lap, events)
    this.#rewound = false
    const driven = this.#driven
    // The drive to the start, and the time in the garage, belong to no lap.
    const isNoLap = lap.driverStatus === IN_GARAGE || lap.lapDistance < 0
    if (isNoLap) driven.start = zeroOf(lap)
    // They may return to zero before the counter rises.
    if (lap.sector1Ms > 0) driven.sector1Ms = lap.sector1Ms
    if (lap.sector2Ms > 0) driven.sector2Ms = lap.sector2Ms
    driven.marks.read(lap.currentLapMs / 1000, Number.NaN, lap.pitStatus !== 0 && !isNoLap)
    this.#settle(lap.time, events)
  }

  /** Takes a SessionHistory of the player's car. */
  learn(bytes: Buffer, events: EventBuffer): void {
    bytes.copy(this.#history)
    this.#hasHistory = true
    this.#settle(-Infinity, events)
  }

  /** The clock went back: what was driven after that time is driven again. */
  rewind(): void {
    this.#rewound = true
    this.#hasHistory = false
  }

  /** The session is over. At low rates only the SessionHistory tells that the last lap was finished. */
  finish(events: EventBuffer): void {
    this.#settle(Infinity, events)
    const last = this.#last
    if (last === undefined || !this.#hasHistory || !this.#isOpen(last.lapNumber)) return
    const history = readHistoryLap(this.#history, last.lapNumber)
    if (history === undefined || history.lapMs < last.currentLapMs) return
    const end = zeroOf(last) + history.lapMs / 1000
    const ended = { lapNumber: last.lapNumber, driven: this.#driven, before: last, seen: end, end }
    this.#tell({ ...ended, lapMs: history.lapMs, counted: true }, history, events)
  }

  #goOn(last: F1LapReading, lap: F1LapReading, events: EventBuffer): void {
    const passed = lap.lapNumber - last.lapNumber
    if (passed > 0) this.#count(last, lap, events)
    if (passed > 1) {
      // Laps passed unseen; the shown time is that of the last one.
      const ended = this.#ended
      const isUntimed =
        ended !== undefined && ended.lapMs === undefined && this.#historyOf(ended) === undefined
      if (isUntimed) ended.end = last.time
      this.#settle(Infinity, events)
      this.#driven.start = zeroOf(lap)
    } else if (lap.lastLapMs !== last.lastLapMs && lap.lastLapMs > 0) this.#time(last, lap)
    // In practice and qualifying a flying lap has the number of its out lap, whose clock stands.
    else if (isStart(last, lap)) this.#driven = begunAt(zeroOf(lap))
    else if (lap.resultStatus === FINISHED && last.resultStatus !== FINISHED && this.#isOpen(lap.lapNumber)) {
      this.#end(last, lap)
    }
  }

  /** The counter rose. */
  #count(last: F1LapReading, lap: F1LapReading, events: EventBuffer): void {
    if (this.#ended?.lapNumber !== last.lapNumber) this.#settle(Infinity, events)
    if (this.#isOpen(last.lapNumber)) this.#end(last, lap)
    if (this.#ended !== undefined) this.#ended.counted = true
  }

  /** The time of the last lap changed. */
  #time(last: F1LapReading, lap: F1LapReading): void {
    const drivenMs = (lap.time - this.#driven.start) * 1000
    if (this.#isOpen(lap.lapNumber) && this.#ended === undefined && drivenMs > lap.lastLapMs - SOONER_MS) {
      this.#end(last, lap)
    }
    const ended = this.#ended
    if (ended === undefined || ended.lapMs !== undefined) return
    ended.lapMs = lap.lastLapMs
    ended.end = crossing(lap, ended.before, ended.lapMs)
    this.#driven.start = ended.end
  }

  #isOpen(lapNumber: number): boolean {
    return this.#told !== lapNumber && this.#ended?.lapNumber !== lapNumber
  }

  #end(last: F1LapReading, lap: F1LapReading): void {
    const end = crossing(lap, last, undefined)
    this.#ended = {
      lapNumber: last.lapNumber,
      driven: this.#driven,
      before: last,
      seen: lap.time,
      end,
      lapMs: undefined,
      counted: false
    }
    this.#driven = begunAt(end)
  }

  /** The lap that was ended too early continues. */
  #reopen({ driven }: Ended): void {
    this.#ended = undefined
    this.#driven = driven
  }

  /** Called after a flashback. A flashback over the line continues the lap before, if its end was not reported yet. */
  #goBack(last: F1LapReading, lap: F1LapReading, events: EventBuffer): void {
    const ended = this.#ended
    if (ended !== undefined && lap.lapNumber <= ended.lapNumber) this.#reopen(ended)
    else if (lap.lapNumber < last.lapNumber) this.#driven = begunAt(lap.time)
    if (this.#told !== undefined && lap.lapNumber <= this.#told) this.#told = undefined
    // The game takes back the laps that ended after that time.
    while ((this.#tolds.at(-1)?.lapNumber ?? -Infinity) >= lap.lapNumber) {
      events.changeLap(this.#tolds.pop()!.ref, { withdrawn: true })
    }
  }

  /** The counter went back, but not the clock: the car was put back. */
  #beginAgain(lap: F1LapReading, events: EventBuffer): void {
    this.#settle(Infinity, events)
    this.#told = undefined
    this.#driven = begunAt(zeroOf(lap))
  }

  #historyOf({ lapMs, lapNumber }: Ended): LapHistory | undefined {
    if (!this.#hasHistory) return undefined
    const history = readHistoryLap(this.#history, lapNumber)
    if (history === undefined || history.lapMs === 0) return undefined
    return lapMs === undefined || Math.abs(history.lapMs - lapMs) <= ROUNDING_MS ? history : undefined
  }

  /** Reports the lap that ended, once all its numbers are known or the wait is over. */
  #settle(now: number, events: EventBuffer): void {
    const ended = this.#ended
    if (ended === undefined) return
    const history = this.#historyOf(ended)
    if (history !== undefined) return this.#tell(ended, history, events)
    // Under the flag no more packets may come: the end of the session follows in a tenth of a second.
    const isFinal = this.#last?.resultStatus === FINISHED && ended.lapMs !== undefined
    if (!isFinal && now - ended.seen < PATIENCE_S) return
    const { before, counted, end } = ended
    const { sector1Ms, sector2Ms } = ended.driven
    const shown = before.lastLapMs
    const fits = shown > 0 && Math.abs((end - zeroOf(before)) * 1000 - shown) <= FITS_MS
    const lapMs = ended.lapMs ?? (fits ? shown : 0)
    if (lapMs === 0 && !counted) return this.#reopen(ended)
    const sectors = withRest([timeOfMs(sector1Ms), timeOfMs(sector2Ms), null], timeOfMs(lapMs))
    this.#tell(ended, { lapMs, sectors, valid: !before.invalid }, events)
  }

  #tell(ended: Ended, { lapMs, sectors, valid }: LapHistory, events: EventBuffer): void {
    const { before, lapNumber } = ended
    const { marks, start: begun } = ended.driven
    const untold = ended.lapMs === undefined && lapMs > 0
    const computed = zeroOf(before) + lapMs / 1000
    const end = untold && computed >= before.time && computed <= ended.end ? computed : ended.end
    // The lap's own time gives the begin where its clock was not seen to start; a flashback makes the lap longer than its time.
    const start = lapMs > 0 ? Math.min(begun, end - lapMs / 1000) : begun
    const lapTime = timeOfMs(lapMs)
    this.#ended = undefined
    this.#told = lapNumber
    const ref = ++this.#refs
    this.#tolds.push({ lapNumber, ref })
    events.lap({
      ref,
      lapNumber,
      lapTime,
      sectors,
      valid: validity(lapTime, marks.wasInPit || PIT_LAPS.has(before.driverStatus), valid),
      start: Math.max(start, this.#toldUntil),
      end
    })
    this.#toldUntil = end
  }
}
