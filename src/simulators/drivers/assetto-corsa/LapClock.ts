/**
 * A session's clock for Assetto Corsa, which sends none: the lap's start plus the time of the current lap. A lap starts
 * at the start of the lap before plus that lap's official time. So laps on this clock are as long as the simulator
 * reports, to the millisecond.
 *
 * The official time may arrive some packets after the crossing of the line. The packets in between are held until then.
 *
 * The first reading of the clock is the arrival. So a link that was lost and opened again continues after the last time of the old
 * link, although nothing shows the duration of the laps in between.
 */
import { Timeline } from "../../timekeeping/Timeline.ts"

/** How far into a lap the clock waits for the time of the lap before, ms: some packets at the lowest rate, 20 Hz. */
const PATIENCE_MS = 500
/** A lap time that exceeds the observed duration of the lap by more than this belongs to another lap, ms. */
const MISFIT_MS = 1000

/** A car info, with the values that order it: completed laps, and the times of the current and the last lap, ms, 0 for none. */
export interface CarInfo {
  readonly bytes: Buffer
  readonly lapCount: number
  readonly lapTime: number
  readonly lastLap: number
}

/** A car info with its time, the last official lap time at that moment, ms, and its arrival, s. */
export type Timed = (info: CarInfo, time: number, lastLap: number, arrival: number) => void

interface Waiting {
  readonly info: CarInfo
  readonly arrival: number
}

export class AssettoCorsaLapClock {
  readonly #give: Timed
  readonly #timeline = new Timeline()
  /** When the current lap began, s on the simulator's part of the clock; NaN before the first reading. */
  #lapStart = Number.NaN
  /** The last car info with a time; its bytes are gone. */
  #last: Waiting | undefined
  #waiting: Array<Waiting> = []

  constructor(give: Timed) {
    this.#give = give
  }

  /** Takes a car info that follows the last one. */
  read(info: CarInfo, arrival: number): void {
    const before = this.#waiting.at(-1) ?? this.#last
    // The duration of an unseen lap is unknown; it is at least what is driven of the next one.
    if (before !== undefined && info.lapCount > before.info.lapCount + 1) this.interrupt(info.lapTime / 1000)
    const last = this.#last
    if (last === undefined) {
      if (Number.isNaN(this.#lapStart)) this.#lapStart = arrival - info.lapTime / 1000
      this.#pass({ info, arrival }, info.lastLap)
    } else if (this.#waiting.length === 0 && info.lapCount === last.info.lapCount) {
      this.#pass({ info, arrival }, info.lastLap)
    } else {
      const newest = this.#waiting.at(-1)
      // No lap is shorter than the wait, but a broken counter may claim it.
      if (newest !== undefined && newest.info.lapCount !== info.lapCount) this.#settle(newest.info.lastLap)
      // The socket has reused its bytes by then.
      this.#waiting.push({ info: { ...info, bytes: Buffer.from(info.bytes) }, arrival })
      if (info.lastLap !== last.info.lastLap || info.lapTime > PATIENCE_MS) this.#settle(info.lastLap)
    }
  }

  /** Another packet reported the end of a lap with this time, ms. If the car infos show that time already, the wait is over. */
  confirm(lapTime: number): void {
    const newest = this.#waiting.at(-1)
    if (newest?.info.lastLap === lapTime) this.#settle(lapTime)
  }

  /** The next packet does not follow the last one. The clock advances by the service's own clock, or by `atLeast`, s. */
  interrupt(atLeast = 0): void {
    this.#settle(this.#waiting.at(-1)?.info.lastLap ?? 0)
    this.#timeline.restart(atLeast)
    this.#last = undefined
  }

  /** The lap that ended took `lastLap`, ms, unless that is impossible. */
  #settle(lastLap: number): void {
    const last = this.#last
    const waiting = this.#waiting
    const first = waiting[0]
    if (last === undefined || first === undefined) return
    this.#waiting = []
    const seen = last.info.lapTime
    const passed = (first.arrival - last.arrival) * 1000
    // A new time belongs to this lap; arrivals of held packets show nothing.
    const isNew = lastLap !== last.info.lastLap
    const fits = lastLap >= seen && (isNew || lastLap <= seen + passed + MISFIT_MS)
    const lapTime = fits ? lastLap : seen + Math.max(1, passed - first.info.lapTime)
    this.#lapStart += lapTime / 1000
    for (const one of waiting) this.#pass(one, lastLap)
  }

  #pass(one: Waiting, lastLap: number): void {
    const time = this.#timeline.at(this.#lapStart + one.info.lapTime / 1000, one.arrival)
    this.#last = one
    if (time !== undefined) this.#give(one.info, time, lastLap, one.arrival)
  }
}
