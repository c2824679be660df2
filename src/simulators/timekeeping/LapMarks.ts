/**
 * Notes, by the lap's own clock, when the car passed one and two thirds of the lap by the simulator's measure along the
 * track, and whether it was in the pits. Plain code, the same for all drivers.
 *
 * If the lap's clock goes back (a flashback, a restart), everything noted at a later time of that clock was undone.
 *
 * A sector line is at a place of the track, so it is the same in each lap, however far the car drove to it. The first
 * passage forwards counts; a car that turns and passes the line again does not change it. A lap has sectors only if the car
 * was seen to drive over both lines: not if the lap was joined behind a line, has a gap over one, or if the car was put
 * elsewhere.
 */
import { MAX_GAP_S } from "../../domain/lapLimits.ts"
import { toMicros } from "../../domain/Time.ts"

/** The places of the lines, as shares of the lap. */
const FIRST_LINE = 1 / 3
const SECOND_LINE = 2 / 3
/** No car drives a larger share of a lap in a second: a step that is larger was not driven. */
const MAX_PACE = 0.25
/** A simulator may send places in steps, of a metre or a node of the track: a jump this small is always possible. */
const MIN_JUMP = 0.005
/**
 * If the car is further than `OFF_LINE` from the place 0 this soon after the lap's start, s, laps do not begin at that
 * place.
 */
const BEGUN_S = 1
const OFF_LINE = 0.1

/** Durations of the first two sectors, s: null if they are not certain, undefined if the simulator sends no places. */
export type PlacedSectors = readonly [sector1: number, sector2: number] | null | undefined

export class LapMarks {
  /** The last reading with a place: the lap's clock, s, and the place. */
  #clock = Number.NaN
  #place = Number.NaN
  /**
   * When, by the lap's clock, the car passed the lines, its way was lost (by a leap, or a gap over a line), and it was first
   * in the pits; NaN for never.
   */
  #first = Number.NaN
  #second = Number.NaN
  #lost = Number.NaN
  #pitted = Number.NaN
  #isOffLine = false
  #hasMoved = false

  /** Another lap begins. */
  begin(): void {
    this.#clock = this.#place = Number.NaN
    this.#first = this.#second = this.#lost = this.#pitted = Number.NaN
    this.#isOffLine = this.#hasMoved = false
  }

  /**
   * Takes readings in order of arrival. `clock`: s since the lap began, NaN where unknown. `place`: how far along the track,
   * from 0 at the line to 1; any other number where unknown.
   */
  read(clock: number, place: number, isInPit: boolean): void {
    if (clock < this.#pitted) this.#pitted = Number.NaN
    if (isInPit && Number.isNaN(this.#pitted)) this.#pitted = Number.isNaN(clock) ? -Infinity : clock
    if (clock >= 0 && place >= 0 && place <= 1) this.#follow(clock, place)
  }

  /** The car was in the pits in this lap. */
  get wasInPit(): boolean {
    return !Number.isNaN(this.#pitted)
  }

  /** The sectors of the lap as far as it was driven. */
  get sectors(): PlacedSectors {
    if (!this.#hasMoved || this.#isOffLine) return undefined
    if (!Number.isNaN(this.#lost) || !(this.#second > this.#first)) return null
    const sector1 = toMicros(this.#first)
    return [sector1, toMicros(this.#second - sector1)]
  }

  #follow(clock: number, place: number): void {
    const since = this.#clock
    const from = this.#place
    this.#clock = clock
    this.#place = place
    if (Number.isNaN(since)) {
      this.#isOffLine = clock <= BEGUN_S && place > OFF_LINE && place < 1 - OFF_LINE
      return
    }
    if (place !== from) this.#hasMoved = true
    const passed = clock - since
    if (passed < 0) return this.#undo(clock)
    const step = place - from
    // Across the start line, either way, the place restarts.
    const way = step - Math.round(step)
    if (Math.abs(way) > Math.max(MIN_JUMP, MAX_PACE * passed)) return this.#lose(clock)
    if (passed > MAX_GAP_S) {
      if (isBetween(FIRST_LINE, from, place) || isBetween(SECOND_LINE, from, place)) this.#lose(clock)
      return
    }
    if (way !== step) return
    if (Number.isNaN(this.#first) && from < FIRST_LINE && place >= FIRST_LINE)
      this.#first = since + (passed * (FIRST_LINE - from)) / step
    if (Number.isNaN(this.#second) && from < SECOND_LINE && place >= SECOND_LINE)
      this.#second = since + (passed * (SECOND_LINE - from)) / step
  }

  #lose(clock: number): void {
    if (Number.isNaN(this.#lost)) this.#lost = clock
  }

  #undo(clock: number): void {
    if (clock < this.#first) this.#first = Number.NaN
    if (clock < this.#second) this.#second = Number.NaN
    if (clock < this.#lost) this.#lost = Number.NaN
  }
}

const isBetween = (line: number, one: number, other: number): boolean => one < line !== other < line
