import type { StartLine } from "../domain/SimulatorEvent.ts"
import { type Crossing, crossing, sideOf } from "./lineCrossing.ts"

/** How far from the last crossing a car must have been before another counts: one that stands on the line with a jittery GPS crosses it often. */
const MIN_AWAY_M = 50

/** A step over the start line that means something. */
export interface Passage {
  /** Share of the step driven before the line, 0..1. */
  readonly fraction: number
  /**
   * `forwards` begins a lap; `backwards` (a spin, a push back) does not, and spoils the one under way; `turned`
   * does both: it shows that what was taken for forwards before was backwards.
   */
  readonly way: "forwards" | "backwards" | "turned"
}

/**
 * Which crossings of the start line begin a lap. Nobody says which way is forwards: the first passage tells,
 * or the side on which a car leaves that stood on the line, until a second passage confirms it.
 */
export class LineWatch {
  #direction = 0
  #confirmed = false
  /** The direction of the last crossing, of jitter too: it tells on which side the car is. */
  #last = 0
  /** It stands on the line, and may leave it on the side from which it came. */
  #onLine = false
  #wasAway = true
  #crossedX = Number.NaN
  #crossedY = Number.NaN

  /** The step (ax, ay) -> (bx, by), every step in turn. */
  step(line: StartLine, ax: number, ay: number, bx: number, by: number): Passage | undefined {
    const found = crossing(line, ax, ay, bx, by)
    const side = sideOf(line, bx, by)
    if (found !== undefined) this.#last = found.direction
    else if (this.#onLine && side !== 0) this.#last = -Math.sign(side)
    this.#onLine = side === 0 && (found !== undefined || this.#onLine)
    if (this.#wasAway) return found === undefined ? undefined : this.#passed(found, bx, by)
    this.#wasAway = Math.hypot(bx - this.#crossedX, by - this.#crossedY) > MIN_AWAY_M
    return this.#wasAway && this.#last !== this.#direction ? this.#leftBehind() : undefined
  }

  #passed({ fraction, direction }: Crossing, x: number, y: number): Passage {
    const same = this.#direction === 0 || direction === this.#direction
    if (!same && this.#confirmed) return { fraction, way: "backwards" }
    this.#confirmed = same && this.#direction !== 0
    this.#direction = direction
    this.#wasAway = false
    this.#crossedX = x
    this.#crossedY = y
    return { fraction, way: same ? "forwards" : "turned" }
  }

  /** The car leaves the line on the side from which it had passed it. */
  #leftBehind(): Passage | undefined {
    if (this.#confirmed) return { fraction: 1, way: "backwards" }
    this.#direction = this.#last
    return undefined
  }
}
