import { MAX_GAP_S } from "../domain/Lap.ts"
import { ABSENT, type PointBatch } from "../domain/PointBatch.ts"
import type { SectorLines } from "../domain/SectorLines.ts"
import type { CutSectors } from "./laps.ts"
import { deriveSectors } from "./sectorLines.ts"
import { DistanceTrace } from "./DistanceTrace.ts"

/** No car is faster, m/s: a glitch of speed or position must not spoil the distance driven for good. */
const FASTEST = 500

/** Mean of two speeds in km/h, as m/s; NaN where one is absent. */
const meanSpeed = (a: number, b: number) => (Math.abs(a) + Math.abs(b)) / 7.2

/**
 * The way driven, as the points tell it: how far by when, and where the data has gaps. A point that does not tell its speed
 * or its position is passed over: the way goes on from the last one that told it. Where there is no speed the positions
 * tell how far it was.
 */
export class DrivenDistance {
  /** When the newest point was, and the one before it. No time before the first. */
  time = Number.NaN
  #timeBefore = Number.NaN
  /** The newest position, when that was, when the one before was, and how far was driven by then. */
  x = ABSENT
  y = ABSENT
  #placed = Number.NaN
  #placedBefore = Number.NaN
  #distancePlaced = 0
  /** The newest speed, the one before, when that was, and how far was driven by then. */
  #speed = ABSENT
  #speedBefore = ABSENT
  #sped = Number.NaN
  #distanceSped = 0
  #distance = 0
  /** The end of the last gap in the data, and whether the next point ends one whatever its time. */
  #gapEnd = -Infinity
  #interrupted = false
  #trace = new DistanceTrace()

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
    // In variables while the loop runs: a field is written to memory each time.
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
    for (let i = from; i < to; i++) {
      const step = times[i]! - time
      time = times[i]!
      // A lap that began well before the first point has a gap there.
      if (Number.isNaN(step)) this.#gapEnd = time - MAX_GAP_S
      else if (step > MAX_GAP_S || this.#interrupted) this.#gapEnd = time
      this.#interrupted = false
      const isSped = !Number.isNaN(speeds[i])
      const isPlaced = !Number.isNaN(xs[i]! + ys[i]!)
      let driven = Number.NaN
      if (isSped) {
        speedBefore = speed
        speed = speeds[i]!
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
  }

  /** The instant of the last step at `share` (0..1) of its duration. */
  within(share: number): number {
    return Math.min(this.time, this.#timeBefore + share * (this.time - this.#timeBefore))
  }

  /** The instant at `share` (0..1) of the way from the position before the newest one to that. */
  placedWithin(share: number): number {
    return Math.min(this.#placed, this.#placedBefore + share * (this.#placed - this.#placedBefore))
  }

  /** When the car was `past` metres before where it is now, by its speed in the last step. */
  timeAtMetresBack(past: number): number {
    const mean = meanSpeed(this.#speedBefore, this.#speed)
    return past >= 0 && mean > 0 ? Math.max(this.#timeBefore, this.time - past / mean) : this.time
  }

  /**
   * When the line was crossed between the last point, `before` metres past it, and this one, `travelled` metres past it: by
   * the circuit's length where it is known, else by the speed.
   */
  lineTime(circuitLength: number | undefined, before: number, travelled: number): number {
    const left = (circuitLength ?? Number.NaN) - before
    const step = left + travelled
    return left >= 0 && travelled >= 0 && step > 0 && step < Infinity
      ? this.within(left / step)
      : this.timeAtMetresBack(travelled)
  }

  /** Without a gap from `since` until now, or until a moment that is told before its point. */
  unbroken(since: number, until = this.time): boolean {
    return !(this.#gapEnd > since || until - this.time > MAX_GAP_S)
  }

  /** A lap that seems to begin where a gap ends began somewhere in the gap. */
  isFirstAfterGap(time: number): boolean {
    return time === this.#gapEnd
  }

  /** Sector times of a lap for which the simulator gave none (native-feed.md) and which took `lapTime`; see `deriveSectors`. */
  sectors(
    start: number,
    end: number,
    lapTime: number,
    layouts: ReadonlyArray<SectorLines>,
    lays: boolean
  ): CutSectors {
    return deriveSectors(this.#trace, { start, end, lapTime }, layouts, lays)
  }

  /** No lap that starts before `time` will be asked about any more. */
  forgetBefore(time: number): void {
    this.#trace.forgetBefore(time)
  }
}
