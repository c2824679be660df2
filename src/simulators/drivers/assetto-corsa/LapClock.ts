/**
 * A session's clock for Assetto Corsa, which has none: a lap's begin plus the time of the lap under way. A lap begins
 * where the one before began plus that one's official time, so that laps are as long on this clock as the simulator
 * says, to the millisecond.
 *
 * The official time may come some packets after the line was crossed. What comes in between is held back for it.
 *
 * The clock's first reading is the arrival's: a link that was lost and opened again goes on after what the old one
 * gave, although nothing tells how long the laps before it took.
 */
import { Timeline } from "../../Timeline.ts"

/** How far into a lap the time of the one before is waited for, ms: some packets at the lowest rate, 20 Hz. */
const PATIENCE_MS = 500
/** A time that is longer than the lap was seen to take by more than this is not that lap's, ms. */
const MISFIT_MS = 1000

/** The player's car, and what orders its packets: laps completed; of the lap under way and the last, ms, 0 for none. */
export interface CarInfo {
  readonly bytes: Buffer
  readonly lapCount: number
  readonly lapTime: number
  readonly lastLap: number
}

/** A car info that has its time, and the official time of the last lap then, ms. */
export type Timed = (info: CarInfo, time: number, lastLap: number) => void

interface Waiting {
  readonly info: CarInfo
  readonly arrival: number
}

export class AssettoCorsaLapClock {
  readonly #give: Timed
  readonly #timeline = new Timeline()
  /** When the lap under way began, s on the simulator's part of the clock; NaN before the first reading. */
  #lapStart = Number.NaN
  /** The last car info that has its time; its bytes are gone. */
  #last: Waiting | undefined
  #waiting: Array<Waiting> = []

  constructor(give: Timed) {
    this.#give = give
  }

  /** In order: a car info that follows the last one. */
  read(info: CarInfo, arrival: number): void {
    const before = this.#waiting.at(-1) ?? this.#last
    // How long an unseen lap took is unknown; it is no less than what is driven of the next one.
    if (before !== undefined && info.lapCount > before.info.lapCount + 1) this.interrupt(info.lapTime / 1000)
    const last = this.#last
    if (last === undefined) {
      if (Number.isNaN(this.#lapStart)) this.#lapStart = arrival - info.lapTime / 1000
      this.#pass({ info, arrival }, info.lastLap)
    } else if (this.#waiting.length === 0 && info.lapCount === last.info.lapCount) {
      this.#pass({ info, arrival }, info.lastLap)
    } else {
      const newest = this.#waiting.at(-1)
      // No lap takes less than the patience, but a broken counter may.
      if (newest !== undefined && newest.info.lapCount !== info.lapCount) this.#settle(newest.info.lastLap)
      // Its bytes are the socket's again by then.
      this.#waiting.push({ info: { ...info, bytes: Buffer.from(info.bytes) }, arrival })
      if (info.lastLap !== last.info.lastLap || info.lapTime > PATIENCE_MS) this.#settle(info.lastLap)
    }
  }

  /** A lap's end was told of besides, with this time, ms: one that is shown already is the new lap's. */
  confirm(lapTime: number): void {
    const newest = this.#waiting.at(-1)
    if (newest?.info.lastLap === lapTime) this.#settle(lapTime)
  }

  /** What comes next does not follow on: time goes on by as much as the service's own clock says, or `atLeast`, s. */
  interrupt(atLeast = 0): void {
    this.#settle(this.#waiting.at(-1)?.info.lastLap ?? 0)
    this.#timeline.restart(atLeast)
    this.#last = undefined
  }

  /** The lap that ended took `lastLap`, ms, unless that cannot be. */
  #settle(lastLap: number): void {
    const last = this.#last
    const waiting = this.#waiting
    const first = waiting[0]
    if (last === undefined || first === undefined) return
    this.#waiting = []
    const seen = last.info.lapTime
    const passed = (first.arrival - last.arrival) * 1000
    // A time that is new is this lap's; arrivals of what waited for the service tell nothing.
    const isNew = lastLap !== last.info.lastLap
    const fits = lastLap >= seen && (isNew || lastLap <= seen + passed + MISFIT_MS)
    const lapTime = fits ? lastLap : seen + Math.max(1, passed - first.info.lapTime)
    this.#lapStart += lapTime / 1000
    for (const one of waiting) this.#pass(one, lastLap)
  }

  #pass(one: Waiting, lastLap: number): void {
    const time = this.#timeline.at(this.#lapStart + one.info.lapTime / 1000, one.arrival)
    this.#last = one
    if (time !== undefined) this.#give(one.info, time, lastLap)
  }
}
