/**
 * The laps of the player: counted by the timings, timed by the time stats, which come some packets before or after
 * (project-cars2-ams2-udp.md, section 10). The stats keep the last lap and the last sector only, and are sent when any
 * car crosses a sector, so what they show is told from what they showed before by its having changed.
 */
import { CountedLaps, type LastLap } from "../../CountedLaps.ts"
import type { EventBuffer } from "../../EventBuffer.ts"
import type { Stats, CarTimings } from "./decode.ts"
import { RaceState } from "./layout.ts"

/** Stats may come so long before the timings that show the same crossing, s. */
const EARLY_S = 0.5
/** A lap that was under way for longer when it was first heard of was joined, s. */
const JOINED_AFTER_S = 1
/** A sector's time is at most so much less, or more, than its clock last showed, s: packets may be few, or lost. */
const LESS_S = 0.02
const MORE_S = 0.5
const SECTORS = 3

type Sectors = LastLap["sectors"]
type FirstSectors = readonly [number | null, number | null]

const rounded = (seconds: number): number => Math.round(seconds * 1000) / 1000

/** Two thirds' times of a lap and its own tell the third's. */
const completed = ([one, two]: FirstSectors, three: number | null, lap: number): Sectors => [
  one ?? (two === null || three === null ? null : rounded(lap - two - three)),
  two ?? (one === null || three === null ? null : rounded(lap - one - three)),
  three
]

export class Pc2Laps {
  readonly #counted = new CountedLaps()
  #last: CarTimings | undefined
  /** Of the lap under way. */
  #began = Number.NaN
  #isJoined = false
  #sectors: [number | null, number | null] = [null, null]
  /** Sectors of it that ended, and what the clock of the last one showed; without an `expected` none is waited for. */
  #passed = 0
  #expected: number | undefined
  /** The lap that ended and waits for its time. */
  #ended: { readonly sectors: FirstSectors; readonly valid: boolean } | undefined
  /** The last lap that the stats show, and since when. */
  #shownLap: number | null | undefined
  #shownSince = Number.NaN
  /** The last sector that they showed which was taken, or is none of this lap's. */
  #oldSector: number | null = null
  /** The lap that was counted when the race was over. */
  #overIn: number | undefined

  /** What is under way is not finished: another session, or the lap is begun again. */
  reset(): void {
    this.#counted.reset()
    this.#last = undefined
    this.#ended = undefined
    this.#overIn = undefined
  }

  /** The times of the first two sectors of the lap under way, s; null where not known, as which of them ended is of a lap that was joined. */
  get sectors(): FirstSectors {
    return this.#isJoined ? [null, null] : this.#sectors
  }

  /** `sinceLine`: s at `time`, NaN where the game does not say. */
  read(time: number, sinceLine: number, timing: CarTimings, stats: Stats, events: EventBuffer): void {
    const last = this.#last
    this.#last = timing
    if (stats.lastLap !== this.#shownLap) {
      this.#shownLap = stats.lastLap
      this.#shownSince = time
    }
    if (last === undefined) {
      this.#begin(time, !(sinceLine <= JOINED_AFTER_S))
      this.#oldSector = stats.lastSector
    } else if (this.#overIn === undefined) {
      const isCounted = timing.currentLap > last.currentLap
      const isOver = timing.raceState >= RaceState.finished && last.raceState < RaceState.finished
      if (isOver) this.#overIn = timing.currentLap
      if (isCounted || isOver) {
        if (!isCounted) this.#counted.finish(time, events)
        this.#end(time, last)
        if (isCounted && timing.currentTime - timing.currentSectorTime > LESS_S) this.#missSectors()
      } else if (timing.sector !== last.sector) {
        if ((timing.sector - last.sector + SECTORS) % SECTORS !== 1) this.#missSectors()
        this.#expected = this.#passed < 2 ? last.currentSectorTime : undefined
        this.#passed++
      }
    }
    this.#learnSector(stats)
    this.#count(time, sinceLine, timing, stats, events)
  }

  #begin(time: number, isJoined: boolean): void {
    this.#began = time
    this.#isJoined = isJoined
    this.#sectors = [null, null]
    this.#passed = 0
    this.#expected = undefined
  }

  /** Nothing was heard while sectors ended: which of them the next one will be is not known. */
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
      // Who is over the finish may be counted on: no lap of his.
      lapNumber: this.#overIn ?? timing.currentLap,
      sinceLine,
      lastLap: null,
      sector1: null,
      sector2: null,
      valid: undefined,
      isInPit: timing.pitMode !== 0
    }
    if (ended === undefined) return this.#counted.read(reading, events)
    const sectors = completed(ended.sectors, lastSector, lastLap!)
    this.#counted.read({ ...reading, lastLap, lastLapWas: { sectors, valid: ended.valid } }, events)
    this.#ended = undefined
    this.#oldSector = lastSector
  }
}
