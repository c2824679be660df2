import type { PointBatch } from "../domain/PointBatch.ts"
import { type Sectors, toMicros, untimed } from "./laps.ts"
import { Trail } from "./Trail.ts"

/** A pause in the data longer than this makes a lap invalid where the simulator does not say (contract, section 4). */
export const MAX_GAP_S = 1
/** No car is faster, m/s: a glitch of speed or position must not spoil the distance driven for good. */
const FASTEST = 500

/** Mean of two speeds in km/h, as m/s. */
const meanSpeed = (a: number, b: number) => (Math.abs(a) + Math.abs(b)) / 7.2

/** The way driven, as the points tell it: how far by when, and where the data has gaps. */
export class Course {
  /** The newest point. No time before the first. */
  time = Number.NaN
  x = 0
  y = 0
  #speed = 0
  /** The point before it. */
  timeBefore = Number.NaN
  xBefore = 0
  yBefore = 0
  #speedBefore = 0
  #distance = 0
  /** The end of the last gap in the data, and whether the next point ends one whatever its time. */
  #gapEnd = -Infinity
  #interrupted = false
  #trail = new Trail()

  /** The next point comes after a gap, however soon. */
  interrupt(): void {
    this.#interrupted = true
  }

  /** The points `from` (inclusive) to `to` (exclusive) follow. */
  advance(batch: PointBatch, from: number, to: number): void {
    const times = batch.timestamps
    const speeds = batch.column("speed")
    const xs = batch.column("position_x")
    const ys = batch.column("position_y")
    for (let i = from; i < to; i++) {
      this.timeBefore = this.time
      this.xBefore = this.x
      this.yBefore = this.y
      this.#speedBefore = this.#speed
      this.time = times[i]!
      this.x = xs[i]!
      this.y = ys[i]!
      this.#speed = speeds[i]!
      const step = this.time - this.timeBefore
      if (Number.isNaN(step)) {
        // A lap that began well before the first point has a gap there.
        this.#gapEnd = this.time - MAX_GAP_S
      } else {
        const mean = meanSpeed(this.#speedBefore, this.#speed)
        const driven = mean > 0 ? mean * step : Math.hypot(this.x - this.xBefore, this.y - this.yBefore)
        this.#distance += Math.min(driven, FASTEST * step)
        if (step > MAX_GAP_S || this.#interrupted) this.#gapEnd = this.time
      }
      this.#interrupted = false
      if (this.#distance >= this.#trail.due) this.#trail.push(this.time, this.#distance)
    }
  }

  /** The instant of the last step at `share` (0..1) of its duration. */
  within(share: number): number {
    return Math.min(this.time, this.timeBefore + share * (this.time - this.timeBefore))
  }

  /** When the car was `past` metres before where it is now, by its speed in the last step. */
  timeAtMetresBack(past: number): number {
    const mean = meanSpeed(this.#speedBefore, this.#speed)
    return past >= 0 && mean > 0 ? Math.max(this.timeBefore, this.time - past / mean) : this.time
  }

  /** Without a gap from `since` until now, or until a moment that is told before its point. */
  unbroken(since: number, until = this.time): boolean {
    return !(this.#gapEnd > since || until - this.time > MAX_GAP_S)
  }

  /** What is found to begin where a gap ends began somewhere in it. */
  isFirstAfterGap(time: number): boolean {
    return time === this.#gapEnd
  }

  /** Sector times that nobody gives are taken at one and two thirds of the lap's distance (native-feed.md). */
  sectors(start: number, end: number, lapTime: number): Sectors {
    const from = this.#trail.distanceAt(start)
    const length = this.#trail.distanceAt(end) - from
    if (!(length > 0)) return untimed
    const sector1 = toMicros(this.#trail.timeAt(from + length / 3) - start)
    const sector2 = toMicros(this.#trail.timeAt(from + (2 * length) / 3) - start - sector1)
    return [sector1, sector2, toMicros(lapTime - sector1 - sector2)]
  }

  /** No lap that starts before `time` will be asked about any more. */
  forgetBefore(time: number): void {
    this.#trail.forgetBefore(time)
  }
}
