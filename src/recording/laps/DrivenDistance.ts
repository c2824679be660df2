import { gapAfter } from "../../domain/lapLimits.ts"
import { ABSENT, type PointBatch } from "../../domain/RowBatch.ts"
import type { SectorLines } from "../../domain/SectorLines.ts"
import type { CutSectors } from "./laps.ts"
import { deriveSectors } from "./sectorLines.ts"
import { DistanceTrace } from "./DistanceTrace.ts"
import { FASTEST_CAR } from "./DrivenWay.ts"

/** No car is faster, m/s. A single wrong speed or position must not spoil the distance driven for good. */
const FASTEST = 500

/**
 * If a step differs from the interval by more than this factor, the interval changes by this factor. So it settles near
 * the median of the steps, within a second of a fast feed.
 */
const FOLLOWING = 1.2

/** The mean of two speeds in km/h, as m/s; NaN if one is absent. */
const meanSpeed = (a: number, b: number) => (Math.abs(a) + Math.abs(b)) / 7.2

/**
 * The distance driven, by time, and the gaps in the data. A point without speed or position is skipped: the distance goes on
 * from the last point that had it. Without any speed, the positions give the distance.
 */
export class DrivenDistance {
  /** The time of the newest point and of the point before. NaN before the first. */
  time = Number.NaN
  #timeBefore = Number.NaN
  /** The feed's own interval, from the steps of its times, s. NaN before the second point. */
  interval = Number.NaN
  /** The newest position, its time, the time of the position before, and the distance driven by then. */
  x = ABSENT
  y = ABSENT
  #placed = Number.NaN
  #placedBefore = Number.NaN
  #distancePlaced = 0
  /** The newest speed, the speed before, its time, and the distance driven by then. */
  #speed = ABSENT
  #speedBefore = ABSENT
  #sped = Number.NaN
  #distanceSped = 0
  #distance = 0
  /** The greatest speed so far, km/h; 0 before any. */
  #top = 0
  /** The end of the last gap in the data, and whether the next point ends a gap regardless of its time. */
  #gapEnd = -Infinity
  #interrupted = false
  #trace = new DistanceTrace()

  /** Makes the next point the end of a gap, however soon it comes. */
  interrupt(): void {
    this.#interrupted = true
  }

  /** Ends a gap at the newest point: the distance driven so far is not of a whole lap. */
  spoil(): void {
    this.#gapEnd = this.time
  }

  /** Adds the points `from` (inclusive) to `to` (exclusive). */
  advance(batch: PointBatch, from: number, to: number): void {
    const times = batch.timestamps
    const speeds = batch.column("speed")
    const xs = batch.column("position_x")
    const ys = batch.column("position_y")
    // The loop uses local variables, because each write to a field goes to memory.
    let time = this.time
    let x = this.x
    let y = this.y
    let placed = this.#placed
    let placedBefore = this.#placedBefore
    let distancePlaced = this.#distancePlaced
    let speed = this.#speed
    let speedBefore = this.#speedBefore
    let sped = this.#sped
    let distanceSped = this.#distanceSped
    let distance = this.#distance
    let top = this.#top
    let interval = this.interval
    let gap = gapAfter(interval)
    for (let i = from; i < to; i++) {
      const step = times[i]! - time
      time = times[i]!
      // A lap that began long before the first point has a gap there.
      if (Number.isNaN(step)) this.#gapEnd = time - gap
      // At the first step, it is unknown whether points are missing in it.
      else if ((step > gap && interval > 0) || this.#interrupted) this.#gapEnd = time
      this.#interrupted = false
      if (!(step <= FOLLOWING * interval && FOLLOWING * step >= interval)) {
        if (!(interval > 0)) interval = step
        else if (step > interval) interval *= FOLLOWING
        else interval /= FOLLOWING
        gap = gapAfter(interval)
      }
      const isSped = !Number.isNaN(speeds[i])
      const isPlaced = !Number.isNaN(xs[i]! + ys[i]!)
      let driven = Number.NaN
      if (isSped) {
        speedBefore = speed
        speed = speeds[i]!
        if (speed > top) top = speed
        const mean = meanSpeed(speedBefore, speed)
        if (mean > 0) driven = distanceSped + Math.min(mean, FASTEST) * (time - sped)
      }
      if (isPlaced && Number.isNaN(driven)) {
        const way = Math.hypot(xs[i]! - x, ys[i]! - y)
        driven = distancePlaced + Math.min(way, FASTEST * (time - placed))
      }
      if (driven > distance) distance = driven
      if (isSped) {
        sped = time
        distanceSped = distance
      }
      if (isPlaced) {
        x = xs[i]!
        y = ys[i]!
        placedBefore = placed
        placed = time
        distancePlaced = distance
      }
      if (distance >= this.#trace.due) this.#trace.push(time, distance, xs[i]!, ys[i]!)
    }
    if (to > from) this.#timeBefore = to - from > 1 ? times[to - 2]! : this.time
    this.time = time
    this.interval = interval
    this.x = x
    this.y = y
    this.#placed = placed
    this.#placedBefore = placedBefore
    this.#distancePlaced = distancePlaced
    this.#speed = speed
    this.#speedBefore = speedBefore
    this.#sped = sped
    this.#distanceSped = distanceSped
    this.#distance = distance
    this.#top = top
  }

  /** The instant at `share` (0..1) of the last step's duration. */
  within(share: number): number {
    return Math.min(this.time, this.#timeBefore + share * (this.time - this.#timeBefore))
  }

  /** The instant at `share` (0..1) of the way from the previous position to the newest one. */
  placedWithin(share: number): number {
    return Math.min(this.#placed, this.#placedBefore + share * (this.#placed - this.#placedBefore))
  }

  /** The time at which the car was `past` metres before its present place, by its speed in the last step. */
  timeAtMetresBack(past: number): number {
    const mean = meanSpeed(this.#speedBefore, this.#speed)
    return past >= 0 && mean > 0 ? Math.max(this.#timeBefore, this.time - past / mean) : this.time
  }

  /**
   * The time at which the car crossed the line between the last point, `before` metres after the line, and this one,
   * `travelled` metres after it. Computed from the circuit's length if it is known, else from the speed.
   */
  lineTime(circuitLength: number | undefined, before: number, travelled: number): number {
    const left = (circuitLength ?? Number.NaN) - before
    const step = left + travelled
    return left >= 0 && travelled >= 0 && step > 0 && step < Infinity
      ? this.within(left / step)
      : this.timeAtMetresBack(travelled)
  }

  /** The time that the distance driven from `start` to `end` takes at the car's greatest speed so far, s. */
  leastTime(start: number, end: number): number {
    const top = this.#top > 0 ? Math.min(this.#top / 3.6, FASTEST) : FASTEST_CAR
    return (this.#trace.distanceAt(end) - this.#trace.distanceAt(start)) / top
  }

  /** Whether there is no gap from `since` until now, or until a moment that is known before its point arrives. */
  unbroken(since: number, until = this.time): boolean {
    return !(this.#gapEnd > since || until - this.time > gapAfter(this.interval))
  }

  /** Whether a gap ends at the time. A lap that seems to begin there began somewhere in the gap. */
  isFirstAfterGap(time: number): boolean {
    return time === this.#gapEnd
  }

  /** Sector times of a lap that took `lapTime` and for which the simulator sent none (native-feed.md); see `deriveSectors`. */
  sectors(
    start: number,
    end: number,
    lapTime: number,
    layouts: ReadonlyArray<SectorLines>,
    lays: boolean
  ): CutSectors {
    return deriveSectors(this.#trace, { start, end, lapTime }, layouts, lays)
  }

  /** Drops data that only laps that start before `time` need. */
  forgetBefore(time: number): void {
    this.#trace.forgetBefore(time)
  }
}
