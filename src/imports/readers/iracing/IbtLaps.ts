/**
 * The laps of one session of an `.ibt` file (formats.md, 3.1). Plain: takes a record's values, gives laps.
 *
 * A lap begins where `Lap` rises while the car crosses the line. The crossing is interpolated by distance and speed. The
 * official time comes up to 2.5 s after the line. A jump along the lap that is no crossing (a reset to the pits) ends a
 * lap without a time.
 */
import { justAfter, toMicros } from "../../../domain/Time.ts"
import { SimulatorEvent } from "../../../domain/SimulatorEvent.ts"

/** The official time comes this soon after the line, s. */
const OFFICIAL_WITHIN_S = 3
/** A farther step along the lap within one record is no drive. */
const MAX_STEP = 0.05
/** The official and the computed time describe the same lap if they differ by no more, s. */
const MAX_DIFFERENCE_S = 0.05
/** The counter of laps follows the distance within this time, s. */
const COUNTED_WITHIN_S = 0.5
/** The car crosses the line if it was beyond this part of the lap, and is before the rest of it. */
const NEAR_LINE = 0.9

/** A record's values; NaN where the file lacks the variable. */
export interface Record {
  /** Epoch seconds. */
  time: number
  lap: number
  /** m since the line, and the same as a fraction of the lap. */
  distance: number
  fraction: number
  /** m/s. */
  speed: number
  /** The official time of the last lap, s. */
  lastLap: number
  incidents: number
}

interface OpenLap {
  number: number
  start: number
  /** The lap began at the line. */
  isWhole: boolean
  incidents: number
  /** When the car passed each of the sectors' beginnings. */
  readonly marks: Array<number>
}

interface Completed extends OpenLap {
  readonly end: number
  /** The official time that was shown before the line. */
  readonly before: number
  readonly hadIncident: boolean
}

type Lap = Extract<SimulatorEvent, { readonly _tag: "LapCompleted" }>

export class IbtLaps {
  readonly #sectors: ReadonlyArray<number>
  /** m; NaN if unknown. */
  readonly #length: number
  #open: OpenLap | undefined
  #completed: Completed | undefined
  readonly #last: Record = {
    time: Number.NaN,
    lap: Number.NaN,
    distance: Number.NaN,
    fraction: Number.NaN,
    speed: Number.NaN,
    lastLap: Number.NaN,
    incidents: Number.NaN
  }
  /** When the car last crossed the line by its distance. The counter of laps may follow a record later. */
  #passed = Number.NEGATIVE_INFINITY
  readonly #found: Array<Lap> = []
  readonly warnings: Array<string> = []

  /** `sectors`: where the second and the third sector begin, as fractions of the lap. `length`: m, NaN if unknown. */
  constructor(sectors: ReadonlyArray<number>, length: number) {
    this.#sectors = sectors.slice(0, 2)
    this.#length = length
  }

  /** Takes the next record; the caller may reuse it. */
  take(record: Record): void {
    const last = this.#last
    if (this.#isAtLine(record)) this.#passed = this.#crossing(record)
    if (this.#open === undefined) this.#begin(record, record.time, false)
    else if (this.#crosses(record)) this.#cross(record)
    else if (record.lap < last.lap || record.lap > last.lap || this.#jumps(record)) {
      this.#end(record.time, undefined)
      this.#begin(record, record.time, false)
    } else this.#mark(record)
    this.#judge(record)
    Object.assign(last, record)
  }

  /** The laps that were found since the last call. */
  found(): ReadonlyArray<Lap> {
    return this.#found.splice(0)
  }

  /** Ends the session; the lap under way has no time. */
  finish(): void {
    this.#settle(Number.NaN)
    if (this.#open !== undefined) this.#end(justAfter(this.#last.time), undefined)
    this.#open = undefined
  }

  #isAtLine({ fraction, lap }: Record): boolean {
    const last = this.#last
    const wraps = last.fraction > NEAR_LINE && fraction < 1 - NEAR_LINE
    return wraps || (lap === last.lap + 1 && (Number.isNaN(fraction) || fraction > NEAR_LINE))
  }

  #crosses({ lap, time }: Record): boolean {
    return lap === this.#last.lap + 1 && time - this.#passed < COUNTED_WITHIN_S
  }

  #jumps({ fraction }: Record): boolean {
    const step = Math.abs(fraction - this.#last.fraction)
    return step > MAX_STEP && step < 1 - MAX_STEP
  }

  /** When the car crossed the line between the last record and this one. */
  #crossing({ distance, speed, time }: Record): number {
    const last = this.#last
    const within = (at: number) => Math.min(Math.max(at, last.time), time)
    const isBehind = distance >= 0 && !(distance > this.#length / 2)
    const after = speed > 0 && isBehind ? within(time - distance / speed) : Number.NaN
    const before =
      last.speed > 0 ? within(last.time + Math.max(0, this.#length - last.distance) / last.speed) : Number.NaN
    if (Number.isNaN(after)) return Number.isNaN(before) ? time : before
    return Number.isNaN(before) ? after : (after + before) / 2
  }

  #cross(record: Record): void {
    const at = this.#passed
    this.#settle(Number.NaN)
    this.#end(at, this.#last.lastLap)
    this.#begin(record, at, true)
  }

  #begin({ incidents, lap }: Record, start: number, isWhole: boolean): void {
    this.#open = { number: lap, start, isWhole, incidents, marks: [] }
  }

  /** `before`: the official time that is shown, for a lap that ends at the line. */
  #end(end: number, before: number | undefined): void {
    const open = this.#open!
    if (before === undefined || !open.isWhole) {
      this.#settle(Number.NaN)
      this.#give(open, end, null, [null, null, null], false)
    } else this.#completed = { ...open, end, before, hadIncident: this.#last.incidents > open.incidents }
  }

  /** Notes the sectors' beginnings that the car passes. */
  #mark({ fraction, time }: Record): void {
    const { marks } = this.#open!
    const last = this.#last
    const next = this.#sectors[marks.length]
    if (next === undefined || !(last.fraction < next && fraction >= next)) return
    marks.push(last.time + ((next - last.fraction) / (fraction - last.fraction)) * (time - last.time))
  }

  /** Looks for the official time of the lap that was completed last. */
  #judge({ lastLap, time }: Record): void {
    const completed = this.#completed
    if (completed === undefined) return
    if (lastLap !== completed.before && lastLap > 0) return this.#settle(lastLap)
    if (time - completed.end <= OFFICIAL_WITHIN_S) return
    // Two laps may have taken the same time.
    const computed = completed.end - completed.start
    this.#settle(Math.abs(lastLap - computed) <= MAX_DIFFERENCE_S ? lastLap : Number.NaN)
  }

  /** Gives the completed lap out; `official`: its time, NaN if it has none. */
  #settle(official: number): void {
    const lap = this.#completed
    if (lap === undefined) return
    this.#completed = undefined
    if (Number.isNaN(official)) return this.#give(lap, lap.end, null, [null, null, null], false)
    const computed = toMicros(lap.end - lap.start)
    const isSame = Math.abs(official - computed) <= MAX_DIFFERENCE_S
    const time = isSame ? official : computed
    if (!isSame) {
      this.warnings.push(
        `Lap ${lap.number}: its reported time of ${official} s is not that between its crossings of the line, ${computed} s, which counts`
      )
    }
    this.#give(lap, lap.end, time, this.#sectorTimes(lap, time), !lap.hadIncident)
  }

  #sectorTimes({ marks, start }: OpenLap, time: number): Lap["sectors"] {
    if (marks.length === 0 || marks.length < this.#sectors.length) return [null, null, null]
    const ends = [...marks.map((mark) => mark - start), time]
    const times = ends.map((end, n) => toMicros(end - (ends[n - 1] ?? 0)))
    return times.every((sector) => sector > 0)
      ? [times[0] ?? null, times[1] ?? null, times[2] ?? null]
      : [null, null, null]
  }

  #give(lap: OpenLap, end: number, lapTime: number | null, sectors: Lap["sectors"], valid: boolean): void {
    if (!(end > lap.start)) return
    this.#found.push(
      SimulatorEvent.LapCompleted({ lapNumber: lap.number, lapTime, sectors, valid, start: lap.start, end })
    )
  }
}
