/**
 * Laps of a simulator that counts them: the counter goes up at the line, and the time of the lap that ended
 * appears beside it, in the same packet or some packets later.
 */
import type { EventBuffer } from "./EventBuffer.ts"
import { LapMarks } from "./LapMarks.ts"
import { type Sectors, type SectorsSeen, sectorsOf, toldOrPlaced, validity } from "./toldTimes.ts"

/** How long after its end a lap waits for its time, s on the feed's clock; after that it is reported without one. */
const PATIENCE_S = 2
/**
 * A time that was shown before the lap ended counts as the lap's if it differs from the lap's span by no more than this,
 * s.
 */
const FITS_S = 0.1
/**
 * How long to wait before such a time is used, s: a steady driver's laps differ by less than `FITS_S`, so it may be
 * the time of the lap before.
 */
const ALIKE_S = 0.25

/** The content of one packet. Times in seconds; sectors are those of the current lap, each its own duration. */
export interface LapReading {
  readonly time: number
  /** Of the current lap. */
  readonly lapNumber: number
  /** Since the line; NaN where the simulator does not tell it. */
  readonly sinceLine: number
  /** The simulator's time of the last lap it timed; null without one. */
  readonly lastLap: number | null
  readonly sector1?: number | null
  readonly sector2?: number | null
  /** Whether the current lap is valid; undefined where the simulator does not tell it. */
  readonly valid?: boolean | undefined
  /** Whether the car is in the pits: a lap with a visit to the pits is invalid (contract, section 4). */
  readonly isInPit?: boolean
  /** The place along the track, 0..1 from the line, from which LapMarks cuts sectors if the simulator sends none. */
  readonly place?: number
  /** The details of the last lap, from a simulator that keeps them; they replace what was seen during the lap. */
  readonly lastLapWas?: LastLap
}

export interface LastLap {
  readonly sectors: Sectors
  readonly valid: boolean
}

interface Ended {
  readonly ref: number
  readonly lapNumber: number
  readonly start: number
  readonly end: number
  readonly seen: SectorsSeen
  readonly valid: boolean | undefined
  readonly wasInPit: boolean
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

/**
 * Whether the counter rises, and the clock is still that of the lap before: it goes on, or stands. Under the flag the last
 * lap's time stays.
 */
const isClockOfBefore = (last: LapReading, { lapNumber, sinceLine, time }: LapReading): boolean => {
  const passed = time - last.time
  const step = sinceLine - last.sinceLine
  return (
    lapNumber > last.lapNumber &&
    (Math.abs(step - passed) <= FITS_S || (step === 0 && passed <= PATIENCE_S)) &&
    last.sinceLine > passed
  )
}

/**
 * Reports a lap once its time is known, at the latest when the next one ends. A time that comes after the report, but before
 * the next lap ends, corrects it.
 */
export class CountedLaps {
  readonly #marks = new LapMarks()
  #last: LapReading | undefined
  #start = Number.NaN
  #ended: Ended | undefined
  /** The lap before the current one, if it was reported without a time. */
  #untimed: Ended | undefined
  #refs = 0

  /** A new session. The current lap belongs to the old one, whose recorder ends it. */
  reset(): void {
    this.#last = undefined
    this.#ended = undefined
    this.#untimed = undefined
    this.#start = Number.NaN
    this.#marks.begin()
  }

  /** Takes readings in order of time; the caller leaves out late packets. */
  read(reading: LapReading, events: EventBuffer): void {
    const last = this.#last
    this.#last = reading
    const isTimed =
      Number.isFinite(reading.sinceLine) && !(last !== undefined && isClockOfBefore(last, reading))
    const crossed = isTimed ? reading.time - reading.sinceLine : reading.time
    if (last === undefined) this.#start = crossed
    else if (reading.lapNumber !== last.lapNumber) this.#passLine(last, reading, crossed, events)
    this.#marks.read(reading.sinceLine, reading.place ?? Number.NaN, reading.isInPit === true)
    if (last !== undefined) this.#settle(reading, events)
  }

  /** The current lap ended at `time` without a rise of the counter, as under a chequered flag. */
  finish(time: number, events: EventBuffer): void {
    const last = this.#last
    if (last === undefined || !(time > this.#start)) return
    this.#end(last, time, events)
  }

  /** Another lap is counted. */
  #passLine(last: LapReading, reading: LapReading, crossed: number, events: EventBuffer): void {
    if (reading.lapNumber > last.lapNumber + 1) this.#miss(last, crossed, events)
    else if (reading.lapNumber > last.lapNumber) this.#end(last, crossed, events)
    else {
      this.#conclude(last, events)
      this.#untimed = undefined
      this.#start = crossed
    }
    this.#marks.begin()
  }

  #end(last: LapReading, end: number, events: EventBuffer): void {
    this.#conclude(last, events)
    this.#untimed = undefined
    const marks = this.#marks
    this.#ended = {
      ref: ++this.#refs,
      lapNumber: last.lapNumber,
      start: this.#start,
      end,
      seen: toldOrPlaced([last.sector1 ?? null, last.sector2 ?? null], marks.sectors),
      valid: last.valid,
      wasInPit: marks.wasInPit,
      shown: last.lastLap
    }
    this.#start = end
    marks.begin()
  }

  /** Laps ended without a packet: the shown time belongs to the last one, and the first one's is unknown. */
  #miss(last: LapReading, crossed: number, events: EventBuffer): void {
    if (last.time > this.#start) {
      this.#end(last, last.time, events)
      this.#conclude(last, events)
    }
    this.#start = crossed
  }

  /** Reports the lap that ended once its time is known, or the wait is over. */
  #settle(reading: LapReading, events: EventBuffer): void {
    const ended = this.#ended
    if (ended === undefined) return this.#correct(reading, events)
    const { lastLap, time } = reading
    const { end, shown, start } = ended
    const waited = time - end
    const isNew = lastLap !== null && lastLap !== shown
    const fits = lastLap !== null && waited >= ALIKE_S && Math.abs(lastLap - (end - start)) <= FITS_S
    if (isNew || fits) this.#tell(ended, lastLap, reading, events)
    else if (waited >= PATIENCE_S) this.#tell(ended, null, reading, events)
  }

  /** If the lap that ended still waits for its time, reports it without one. */
  #conclude(last: LapReading, events: EventBuffer): void {
    const ended = this.#ended
    if (ended !== undefined) this.#tell(ended, null, last, events)
  }

  /** The time of the lap that was reported without one has come. */
  #correct({ lastLap, lastLapWas }: LapReading, events: EventBuffer): void {
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

  #tell(ended: Ended, lapTime: number | null, { lastLapWas }: LapReading, events: EventBuffer): void {
    const { end, lapNumber, ref, seen, start, valid, wasInPit } = ended
    const was = lapTime === null ? undefined : lastLapWas
    this.#ended = undefined
    if (lapTime === null) this.#untimed = ended
    events.lap({
      ref,
      lapNumber,
      lapTime,
      ...(was === undefined ? sectorsOf(seen, lapTime) : { sectors: was.sectors }),
      valid: validity(lapTime, wasInPit, was?.valid ?? valid),
      start: lapStart(start, end, lapTime),
      end
    })
  }
}
