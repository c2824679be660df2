import type { PointBatch } from "../domain/PointBatch.ts"
import type { StartLine } from "../domain/SimulatorEvent.ts"
import { type Crossing, crossing, sideOf } from "./lineCrossing.ts"

/** How far from the last crossing a car must have been before another counts: one that stands on the line with a jittery GPS crosses it often. */
const MIN_AWAY_M = 50

/** A step over the start line that means something. */
export interface Passage {
  /** Of the point that the step leads to, in its batch. */
  readonly index: number
  /** Share of the step driven before the line, 0..1. */
  readonly fraction: number
  /**
   * `forwards` begins a lap; `backwards` (a spin, a push back) does not, and spoils the one under way; `turned`
   * does both: it shows that what was taken for forwards before was backwards.
   */
  readonly way: "forwards" | "backwards" | "turned"
}

/**
 * Which crossings of the start line begin a lap. No source says which way is forwards: the first passage tells,
 * or the side on which a car leaves that stood on the line, until a second passage confirms it.
 */
export class StartLineDetector {
  #direction = 0
  #confirmed = false
  /** The direction of the last crossing, of jitter too: it tells on which side the car is. */
  #last = 0
  /** It stands on the line, and may leave it on the side from which it came. */
  #onLine = false
  #wasAway = true
  #crossedX = Number.NaN
  #crossedY = Number.NaN

  /**
   * The first passage on the way from (ax, ay) over the points `from` (inclusive) to `to` (exclusive); every step in turn,
   * from one position that is told to the next. The step ends at the newest position.
   */
  next(line: StartLine, ax: number, ay: number, batch: PointBatch, from: number, to: number) {
    const xs = batch.column("position_x")
    const ys = batch.column("position_y")
    let x = ax
    let y = ay
    let side = sideOf(line, x, y)
    for (let i = from; i < to; i++) {
      const sideHere = sideOf(line, xs[i]!, ys[i]!)
      if (Number.isNaN(sideHere)) continue
      const sideBefore = side
      side = sideHere
      // Away from the last crossing, on the side where it was: nearly every step.
      if (!(this.#wasAway && !this.#onLine && sideBefore * side > 0)) {
        const passage = this.#step(line, x, y, xs[i]!, ys[i]!, i)
        if (passage !== undefined) return passage
      }
      x = xs[i]!
      y = ys[i]!
    }
    return undefined
  }

  #step(line: StartLine, ax: number, ay: number, bx: number, by: number, index: number): Passage | undefined {
    const found = crossing(line, ax, ay, bx, by)
    const side = sideOf(line, bx, by)
    if (found !== undefined) this.#last = found.direction
    else if (this.#onLine && side !== 0) this.#last = -Math.sign(side)
    this.#onLine = side === 0 && (found !== undefined || this.#onLine)
    if (this.#wasAway) return found === undefined ? undefined : this.#passed(found, bx, by, index)
    this.#wasAway = Math.hypot(bx - this.#crossedX, by - this.#crossedY) > MIN_AWAY_M
    return this.#wasAway && this.#last !== this.#direction ? this.#leftBehind(index) : undefined
  }

  #passed({ fraction, direction }: Crossing, x: number, y: number, index: number): Passage {
    const same = this.#direction === 0 || direction === this.#direction
    if (!same && this.#confirmed) return { index, fraction, way: "backwards" }
    this.#confirmed = same && this.#direction !== 0
    this.#direction = direction
    this.#wasAway = false
    this.#crossedX = x
    this.#crossedY = y
    return { index, fraction, way: same ? "forwards" : "turned" }
  }

  /** The car leaves the line on the side from which it had passed it. */
  #leftBehind(index: number): Passage | undefined {
    if (this.#confirmed) return { index, fraction: 1, way: "backwards" }
    this.#direction = this.#last
    return undefined
  }
}
