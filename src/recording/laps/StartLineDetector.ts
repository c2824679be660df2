import type { PointBatch } from "../../domain/RowBatch.ts"
import type { StartLine } from "../../domain/SimulatorEvent.ts"
import { type Crossing, crossing, leaves, sideOf } from "./lineCrossing.ts"

/**
 * How far a car must have been from the last crossing before another one counts, m. With an inaccurate GPS, a car that
 * stands on the line seems to cross it often.
 */
const MIN_AWAY_M = 50

/** A step over the start line that counts. */
export interface Passage {
  /** The index in its batch of the point at the step's end. */
  readonly index: number
  /** Share of the step driven before the line, 0..1. */
  readonly fraction: number
  /**
   * `forwards` begins a lap. `backwards` (a spin, a push back) does not, and makes the lap under way invalid. `turned` does
   * both: it shows that the passages taken for forwards before were backwards.
   */
  readonly way: "forwards" | "backwards" | "turned"
}

/** The last index of a known position in `from` (inclusive) to `to` (exclusive); below `from` if there is none. */
const lastKnown = (xs: Float64Array, ys: Float64Array, from: number, to: number): number => {
  let i = to - 1
  while (i >= from && Number.isNaN(xs[i]! + ys[i]!)) i--
  return i
}

/**
 * Decides which crossings of the start line begin a lap. No source says which direction is forwards. The first passage
 * decides or, for a car that stood on the line, the side on which it leaves, until a second passage confirms the
 * direction.
 */
export class StartLineDetector {
  #direction = 0
  #confirmed = false
  /** The direction of the last crossing, including jitter. It shows on which side the car is. */
  #last = 0
  /** The car stands on the line, and may leave it on the side from which it came. */
  #onLine = false
  #wasAway = true
  #crossedX = Number.NaN
  #crossedY = Number.NaN

  /**
   * The first passage on the way from (ax, ay) over the points `from` (inclusive) to `to` (exclusive). Checks every step from
   * one known position to the next. The step ends at the newest position.
   */
  next(line: StartLine, ax: number, ay: number, batch: PointBatch, from: number, to: number) {
    const xs = batch.column("position_x")
    const ys = batch.column("position_y")
    let x = ax
    let y = ay
    for (let i = from; i < to; i++) {
      // Usually the car is away from the last crossing and stays on one side, so the loop skips these points.
      const next = this.#wasAway && !this.#onLine ? leaves(line, sideOf(line, x, y), xs, ys, i, to) : i
      const known = lastKnown(xs, ys, i, next)
      if (known >= i) {
        x = xs[known]!
        y = ys[known]!
      }
      if (next === to) return undefined
      i = next
      if (Number.isNaN(xs[i]! + ys[i]!)) continue
      const passage = this.#step(line, x, y, xs[i]!, ys[i]!, i)
      if (passage !== undefined) return passage
      x = xs[i]!
      y = ys[i]!
    }
    return undefined
  }

  /** To be called when the game moved the car: it may pass the line again immediately. */
  rearm(): void {
    this.#wasAway = true
    this.#onLine = false
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
