/**
 * Turns the packets about the player into the timekeeper's words. The timings count the laps; the time stats, which
 * come some packets before or after, time them (project-cars2-ams2-udp.md, section 10). The stats keep only the last
 * lap and the last sector, and are sent when any car crosses a sector line, so a value is new if it has changed.
 */
import type { CompletedLap, Moment } from "../../timekeeping/Moment.ts"
import { type FirstSectors, withRest } from "../../timekeeping/reportedTimes.ts"
import type { CarTimings, Stats } from "./decode.ts"
import { RaceState, SessionState } from "./layout.ts"
import type { KnownNames } from "./Pc2Names.ts"
import type { Pc2State } from "./Pc2State.ts"

/** Stats may come this long before the timings that show the same crossing, s. */
const EARLY_S = 0.5
/** A lap that was older than this when it was first heard was joined midway, s. */
const JOINED_AFTER_S = 1
/** A lap's clock that starts further from the line did not start there, m: at the slowest rate, a second at full speed. */
const AT_LINE_M = 100
/** A sector's time differs from its clock's last reading by at most this, s: packets may be rare, or lost. */
const LESS_S = 0.02
const MORE_S = 0.5

const NO_STATS: Stats = { lastLap: null, lastSector: null }

export class Pc2Moments {
  readonly #moment: Moment = {
    time: Number.NaN,
    lapNumber: Number.NaN,
    clock: Number.NaN,
    lastLap: null,
    completed: (lapNumber) => (this.#timed?.lapNumber === lapNumber ? this.#timed : undefined)
  }
  #timing: CarTimings | undefined
  #stats = NO_STATS
  /** Since when the stats show their last lap, s on the feed's clock. */
  #shownSince = Number.NaN
  /** The last sector of the stats that was taken or belongs to another lap. */
  #oldSector: number | null = null
  /**
   * Whether the car was in the pits since the session began or a lap was given up: the next clock starts a lap that
   * leaves the pits.
   */
  #wasInPit = false
  /** The lap under way: its number, when it began (s on the feed's clock), whether from its line on, and its sectors (s). */
  #lapNumber = Number.NaN
  #start = Number.NaN
  #isWhole = false
  #sectors: [number | null, number | null] = [null, null]
  /**
   * The number of its sectors that ended, and the last reading of the last one's clock; undefined if no sector time is
   * awaited.
   */
  #passed = 0
  #expected: number | undefined
  /** The lap that ended and waits for its time; and the one that has it. */
  #ended: { readonly lapNumber: number; readonly at: number; readonly sectors: FirstSectors } | undefined
  #timed: (CompletedLap & { readonly lapNumber: number }) | undefined

  /** The times of the first two sectors of the lap under way, s; null where unknown, as in a lap that was joined midway. */
  get sectors(): FirstSectors {
    return this.#isWhole ? this.#sectors : [null, null]
  }

  /** All reports so far belong to another session. */
  forget(): void {
    this.#timing = undefined
    this.#stats = NO_STATS
    this.#moment.course = this.#moment.car = undefined
  }

  /** A session begins. */
  begin(): void {
    this.#wasInPit = this.#timing !== undefined && this.#timing.pitMode !== 0
    this.#oldSector = this.#stats.lastSector
    this.#lapNumber = this.#start = Number.NaN
    this.#ended = this.#timed = undefined
    this.#beginLap(false, 0)
  }

  /** `sinceLine`: s at `time`, NaN where the game does not report it. The next call fills the same object. */
  of(time: number, sinceLine: number, timing: CarTimings, names: KnownNames, state: Pc2State): Moment {
    const last = this.#timing
    this.#timing = timing
    if (timing.pitMode !== 0) this.#wasInPit = true
    if (last?.currentLap === timing.currentLap && timing.sector !== last.sector)
      this.#passSector(timing, last)
    const moment = this.#moment
    const isOnTheWay = state.isFormationLap || timing.raceState === RaceState.notStarted
    moment.time = time
    moment.kind = state.kind
    moment.isRace = state.kind === undefined ? undefined : state.kind === SessionState.race
    // A name that is not reported any more is still that of the session.
    moment.course = names.place?.circuit ?? moment.course
    moment.car = names.vehicle === undefined || names.vehicle === "" ? moment.car : names.vehicle
    moment.lapNumber = isOnTheWay ? 0 : timing.currentLap
    moment.isOver = timing.raceState >= RaceState.finished
    // Behind the flag there is no clock, or it is still that of the lap that ended.
    moment.clock = moment.isOver ? Number.NaN : Number.isNaN(sinceLine) ? 0 : sinceLine
    moment.valid = !timing.isLapInvalid && this.#isWhole
    moment.isInPit = timing.pitMode !== 0
    return moment
  }

  /**
   * The timekeeper took the moment: the lap under way has this number and start. Returns whether the lap before has new
   * data.
   */
  follow(lapNumber: number, start: number): boolean {
    if (Object.is(start, this.#start)) return false
    const { clock, isOver, time } = this.#moment
    const { currentSectorTime, currentTime, lapDistance, pitMode } = this.#timing!
    const before = this.#lapNumber
    const hasEnded = lapNumber > before || (isOver === true && !Number.isNaN(before))
    const at = Number.isNaN(start) ? time : start
    if (hasEnded) this.#ended = { lapNumber: before, at, sectors: this.sectors }
    this.#lapNumber = lapNumber
    this.#start = start
    this.#timed = undefined
    // A lap that leaves the pits is not whole; one that begins at the line after them is a lap like any other.
    const isFromPits = this.#wasInPit && !(pitMode === 0 && lapDistance < AT_LINE_M)
    if (!hasEnded && !Number.isNaN(before)) this.#wasInPit = pitMode !== 0
    // Nothing was heard while sectors ended: the next one may be any of them.
    const isBehindSector = hasEnded && time - start - clock + currentTime - currentSectorTime > LESS_S
    this.#beginLap(hasEnded || (time - start <= JOINED_AFTER_S && !isFromPits), isBehindSector ? 2 : 0)
    return this.#time()
  }

  /** Takes time stats at `time`. Returns whether they report more about the lap that ended. */
  learn(stats: Stats, time: number): boolean {
    if (stats.lastLap !== this.#stats.lastLap) this.#shownSince = time
    this.#stats = stats
    this.#learnSector()
    return this.#time()
  }

  #beginLap(isWhole: boolean, passed: number): void {
    this.#isWhole = isWhole
    this.#sectors = [null, null]
    this.#passed = passed
    this.#expected = undefined
  }

  #passSector(timing: CarTimings, last: CarTimings): void {
    // A race's grid is in the last sector: its first lap is counted there already.
    if (timing.sector < last.sector) {
      this.#passed = 0
      this.#expected = undefined
      return
    }
    if (timing.sector - last.sector !== 1) this.#passed = 2
    this.#expected = this.#passed < 2 ? last.currentSectorTime : undefined
    this.#passed++
    this.#learnSector()
  }

  #learnSector(): void {
    const { lastSector } = this.#stats
    const expected = this.#expected
    if (expected === undefined || lastSector === null || lastSector === this.#oldSector) return
    if (lastSector < expected - LESS_S || lastSector > expected + MORE_S) return
    this.#sectors[this.#passed - 1] = lastSector
    this.#oldSector = lastSector
    this.#expected = undefined
  }

  /** The lap that ended gets its time, if the stats show a new one. */
  #time(): boolean {
    const ended = this.#ended
    const { lastLap, lastSector } = this.#stats
    if (ended === undefined || lastLap === null || !(this.#shownSince >= ended.at - EARLY_S)) return false
    // Once the next lap has passed a sector, the last sector is that one.
    const sectors = withRest([...ended.sectors, this.#passed === 0 ? lastSector : null], lastLap)
    this.#timed = { lapNumber: ended.lapNumber, lapTime: lastLap, sectors, valid: undefined }
    this.#ended = undefined
    this.#oldSector = lastSector
    return true
  }
}
