/** Turns LFS's reports about our player's race into the timekeeper's words. */
import type { Moment } from "../../timekeeping/Moment.ts"
import { heard } from "./insim.ts"
import { LapTimes, lapTimeOf } from "./LapTimes.ts"
import type { Entrant } from "./Paddock.ts"

/** A lap whose time leads back this close to the session's first point was seen whole, s. */
const FITS_S = 0.1

export class RaceMoments {
  readonly laps = new LapTimes()
  /** Of the last point or message. */
  readonly moment: Moment = { time: Number.NaN, lapNumber: Number.NaN, clock: Number.NaN, lastLap: null }
  isRace = false
  /** When the session began, s on the feed's clock. */
  began = Number.NaN
  #isCounted = false
  /** How many of the session's laps are of earlier runs. */
  #lapsBefore = 0

  /** Of a point. */
  at(time: number, track: string, { driver, vehicle }: Entrant): Moment {
    const { moment } = this
    moment.time = time
    moment.course = track === "" ? undefined : track
    moment.car = vehicle === "" ? undefined : vehicle
    moment.driver = driver
    return moment
  }

  /** Takes MCI's number of the lap. Once it is known, LAP packets count the laps: they come in order, and none is lost. */
  tellLap(lap: number): void {
    if (!this.#isCounted && lap > 0) this.#count(lap)
  }

  /** Takes a LAP packet, of a lap that ended at `end`. */
  lapDone(bytes: Buffer, end: number): Moment {
    const { LapsDone, LTime } = heard.LAP.read
    const { laps, moment } = this
    const ms = LTime(bytes)
    const lapTime = lapTimeOf(ms)
    this.#count(LapsDone(bytes) + 1)
    moment.time = end
    moment.lastLap = lapTime
    moment.lastLapWas = laps.was(ms, lapTime !== null && end - lapTime >= this.began - FITS_S)
    moment.ended = Math.max(1, moment.lapNumber - 1)
    return moment
  }

  /** The next lap begins, at a line that was seen if a session runs. */
  beginLap(isBegun: boolean): void {
    this.moment.ended = undefined
    this.laps.begin(isBegun)
  }

  /** In the pit lane, or out of it. A lap with a visit to the pits is invalid (contract, section 4). */
  pitLane(isIn: boolean): void {
    this.moment.isInPit = isIn
    // The timekeeper knows of no lap before its number is reported.
    this.laps.spoil()
  }

  /** Takes a FIN packet: a driver who has finished drives on until leaving the race, in no lap. */
  finish(bytes: Buffer): void {
    this.moment.laps = heard.FIN.read.LapsDone(bytes)
  }

  /** The car comes out of the garage: it is in no lap until the lap's number is reported. */
  leaveGarage(): Moment {
    this.#leaveLap()
    // No source says whether LFS reports that the car leaves the pit lane.
    this.laps.spoil()
    this.moment.clock = 0
    return this.moment
  }

  /** The next point is another session's, whose laps are counted anew. */
  renew(): void {
    this.#leaveLap()
    this.#lapsBefore = 0
    const { moment } = this
    moment.lapNumber = moment.clock = Number.NaN
    moment.lastLap = null
  }

  /**
   * The lap under way is this one of the run from the garage. Outside a race the runs belong to one session, whose count goes
   * on; a race whose count falls was restarted.
   */
  #count(lap: number): void {
    const { moment } = this
    const isAnew = !this.isRace && this.#lapsBefore + lap < moment.lapNumber
    if (isAnew) this.#lapsBefore = moment.lapNumber - lap
    moment.lapNumber = this.#lapsBefore + lap
    moment.clock = Number.NaN
    this.#isCounted = true
  }

  #leaveLap(): void {
    this.#isCounted = false
    this.laps.begin(false)
    this.moment.isInPit = false
    this.moment.laps = 0
  }
}
