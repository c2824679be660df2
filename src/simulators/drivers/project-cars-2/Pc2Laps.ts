/**
 * The laps of the player. The timings count them; the time stats, which come some packets before or after, time them
 * (project-cars2-ams2-udp.md, section 10). The stats keep only the last lap and the last sector, and are sent when any
 * car crosses a sector line, so a value is new if it has changed.
 */
import type { EventBuffer } from "../../EventBuffer.ts"
import { type FirstSectors, withRest } from "../../toldTimes.ts"
import { Laps } from "../../timekeeping/Laps.ts"
import type { Stats, CarTimings } from "./decode.ts"
import { RaceState } from "./layout.ts"

/** Stats may come this long before the timings that show the same crossing, s. */
const EARLY_S = 0.5
/** A lap that was older than this when it was first heard was joined midway, s. */
const JOINED_AFTER_S = 1
/** A lap's clock that starts further from the line did not start there, m: at the slowest rate, a second at full speed. */
const AT_LINE_M = 100
/** A sector's time differs from its clock's last reading by at most this, s: packets may be rare, or lost. */
const LESS_S = 0.02
const MORE_S = 0.5

/** Whether the lap's clock starts: it shows nothing on the grid and on the way to a rolling start. */
const isStart = (now: CarTimings, last: CarTimings): boolean =>
  now.currentLap === last.currentLap && Number.isNaN(last.currentTime) && now.currentTime <= JOINED_AFTER_S

/** Two readings of a clock that runs agree with the time between them to this, s. */
const STEADY_S = 0.1

export class Pc2Laps {
  readonly #counted = new Laps()
  #last: CarTimings | undefined
  /** The last reading, and the lap's clock then, both s. */
  #time = Number.NaN
  #clock = Number.NaN
  /** The current lap: when it began (s on the feed's clock), whether it was joined midway, and its sectors (s). */
  #began = Number.NaN
  #isJoined = false
  /** Whether the car was in the pits since the first packet: a clock that starts afterwards starts a lap that leaves them. */
  #wasInPit = false
  #sectors: [number | null, number | null] = [null, null]
  /** Its sectors that ended, and the last reading of the last one's clock; without an `expected` none is awaited. */
  #passed = 0
  #expected: number | undefined
  /** The lap that ended and waits for its time. */
  #ended: { readonly sectors: FirstSectors; readonly valid: boolean } | undefined
  /** The last lap that the stats show, and since when. */
  #shownLap: number | null | undefined
  #shownSince = Number.NaN
  /** The last sector of the stats that was taken or belongs to another lap. */
  #oldSector: number | null = null
  /** The lap that was counted when the race was over. */
  #overIn: number | undefined

  /** The current lap is not finished: another session, or the lap starts again. */
  reset(): void {
    this.#counted.begin()
    this.#last = undefined
    this.#ended = undefined
    this.#overIn = undefined
    this.#wasInPit = false
  }

  /** The lap in which the car is; NaN in none. */
  get lapNumber(): number {
    return this.#counted.lapNumber
  }

  /** The times of the first two sectors of the current lap, s; null where unknown, as in a lap that was joined midway. */
  get sectors(): FirstSectors {
    return this.#isJoined ? [null, null] : this.#sectors
  }

  /** `sinceLine`: s at `time`, NaN where the game does not tell it. */
  read(time: number, sinceLine: number, timing: CarTimings, stats: Stats, events: EventBuffer): void {
    const last = this.#last
    this.#last = timing
    if (stats.lastLap !== this.#shownLap) {
      this.#shownLap = stats.lastLap
      this.#shownSince = time
    }
    if (timing.pitMode !== 0) this.#wasInPit = true
    if (last === undefined) {
      this.#begin(time, !(sinceLine <= JOINED_AFTER_S))
      this.#oldSector = stats.lastSector
    } else if (this.#overIn === undefined) {
      const isCounted = timing.currentLap > last.currentLap
      const isOver = timing.raceState >= RaceState.finished && last.raceState < RaceState.finished
      if (isOver) this.#overIn = timing.currentLap
      if (isCounted || isOver) {
        if (!isCounted) this.#counted.finish(time, events)
        // Under the flag there is no clock, or it is still that of the lap that ended.
        const isAnew = isCounted && sinceLine >= 0 && !this.#isOn(time, sinceLine)
        this.#end(isAnew ? time - sinceLine : time, last)
        if (isAnew && timing.currentTime - timing.currentSectorTime > LESS_S) this.#missSectors()
      } else if (isStart(timing, last)) {
        this.#counted.begin()
        // A lap that leaves the pits is no whole one; one that begins at the line after them is a lap like any other.
        const isAtLine = timing.pitMode === 0 && timing.lapDistance < AT_LINE_M
        this.#begin(time, this.#wasInPit && !isAtLine)
      } else if (timing.sector !== last.sector) {
        this.#passSector(timing, last)
      }
    }
    this.#time = time
    this.#clock = sinceLine
    this.#learnSector(stats)
    this.#count(time, sinceLine, timing, stats, events)
  }

  /** Whether the clock goes on since the last reading, or stands. */
  #isOn(time: number, sinceLine: number): boolean {
    const step = sinceLine - this.#clock
    return step === 0 || Math.abs(step - (time - this.#time)) <= STEADY_S
  }

  #begin(time: number, isJoined: boolean): void {
    this.#began = time
    this.#isJoined = isJoined
    this.#sectors = [null, null]
    this.#passed = 0
    this.#expected = undefined
  }

  #passSector(timing: CarTimings, last: CarTimings): void {
    // A race's grid is in the last sector: its first lap is counted there already.
    if (timing.sector < last.sector) {
      this.#passed = 0
      this.#expected = undefined
      return
    }
    if (timing.sector - last.sector !== 1) this.#missSectors()
    this.#expected = this.#passed < 2 ? last.currentSectorTime : undefined
    this.#passed++
  }

  /** Nothing was heard while sectors ended: the next one may be any of them. */
  #missSectors(): void {
    this.#passed = 2
    this.#expected = undefined
  }

  #end(time: number, last: CarTimings): void {
    const valid = !last.isLapInvalid && !this.#isJoined
    this.#ended = { sectors: this.sectors, valid }
    this.#begin(time, false)
  }

  #learnSector({ lastSector }: Stats): void {
    const expected = this.#expected
    if (expected === undefined || lastSector === null || lastSector === this.#oldSector) return
    if (lastSector < expected - LESS_S || lastSector > expected + MORE_S) return
    this.#sectors[this.#passed - 1] = lastSector
    this.#oldSector = lastSector
    this.#expected = undefined
  }

  #count(time: number, sinceLine: number, timing: CarTimings, stats: Stats, events: EventBuffer): void {
    const { lastLap, lastSector } = stats
    const isNews = lastLap !== null && this.#shownSince >= this.#began - EARLY_S
    const ended = isNews ? this.#ended : undefined
    const reading = {
      time,
      // The counter may also rise for a car that has finished: that is no lap of the player.
      lapNumber: this.#overIn ?? timing.currentLap,
      clock: sinceLine,
      lastLap: null,
      isInPit: timing.pitMode !== 0
    }
    if (ended === undefined) return this.#counted.read(reading, events)
    // Once the next lap has passed a sector, the last sector is that one.
    const sectors = withRest([...ended.sectors, this.#passed === 0 ? lastSector : null], lastLap)
    this.#counted.read({ ...reading, lastLap, lastLapWas: { sectors, valid: ended.valid } }, events)
    this.#ended = undefined
    this.#oldSector = lastSector
  }
}
