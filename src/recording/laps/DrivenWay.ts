/**
 * Compares the positions of a car with its speed (timekeeping.md, rule 9). Finds where the game moved the car elsewhere
 * (a reset), and whether the game ran slower than time (slow motion). Plain loops over columns.
 */
import type { PointBatch } from "../../domain/RowBatch.ts"

/**
 * The car did not drive a step that is this much longer than three times the way by the speed, m. Positions of GPS leap
 * by some metres.
 */
const PUT_M = 20
const PUT_SHARE = 3
/** No car on a circuit is faster, m/s. Used if the source sends no speed. */
export const FASTEST_CAR = 150
/**
 * The way is compared over at least this much time, s, and this much way by the speed, m: positions may come less often
 * than points.
 */
const WINDOW_S = 2
const WINDOW_M = 10
/** The game ran in slow motion if the positions show less than this share of the way by the speed. */
const SLOW_SHARE = 0.6

export interface Looked {
  readonly put: number
  readonly until: number
}

export class DrivenWay {
  /**
   * The last known position that differs from the one before, the newest time, and the way by the speed since that
   * position, m.
   */
  #x = Number.NaN
  #y = Number.NaN
  #time = Number.NaN
  #sped = 0
  /** When the last position was reported, s. */
  #placed = Number.NaN
  /** The window's duration, s, its way by the positions, m, and its way by the speed, m. */
  #window = 0
  #windowWay = 0
  #windowSped = 0
  /**
   * The largest ratio of the way by the positions to the way by the speed in any window. It may be below 1, because a
   * feed's speed may be that of the wheels.
   */
  #usual = 0
  #isSlow = false

  /**
   * Looks at the points `from` to `to`, up to the first one to which the game moved the car (`put`; -1 if it drove to all)
   * or at which the game ran slower than time. `until`: the index after the last point looked at. To be called once for
   * each point.
   */
  look(batch: PointBatch, from: number, to: number): Looked {
    const times = batch.timestamps
    const speeds = batch.column("speed")
    const xs = batch.column("position_x")
    const ys = batch.column("position_y")
    for (let i = from; i < to; i++) {
      const passed = times[i]! - this.#time
      this.#time = times[i]!
      // The speed is in km/h. NaN without a speed, and at the first point.
      const sped = (Math.abs(speeds[i]!) / 3.6) * passed
      if (sped >= 0) {
        this.#sped += sped
        this.#window += passed
      }
      const way = Math.hypot(xs[i]! - this.#x, ys[i]! - this.#y)
      if (way === 0) continue
      const most = sped >= 0 ? PUT_SHARE * this.#sped : FASTEST_CAR * (this.#time - this.#placed)
      const isPut = way > PUT_M + most
      if (sped >= 0 && !isPut && way > 0) this.#follow(way)
      if (!Number.isNaN(xs[i]! + ys[i]!)) {
        this.#x = xs[i]!
        this.#y = ys[i]!
        this.#placed = times[i]!
        this.#sped = 0
      }
      if (isPut) return { put: i, until: i + 1 }
      if (this.#isSlow) return { put: -1, until: i + 1 }
    }
    return { put: -1, until: to }
  }

  /** Whether the game ran slower than time since the last call. */
  takeSlow(): boolean {
    const isSlow = this.#isSlow
    this.#isSlow = false
    return isSlow
  }

  #follow(way: number): void {
    this.#windowWay += way
    this.#windowSped += this.#sped
    if (this.#window < WINDOW_S || this.#windowSped < WINDOW_M) return
    const share = this.#windowWay / this.#windowSped
    if (share < SLOW_SHARE * this.#usual) this.#isSlow = true
    this.#usual = Math.max(this.#usual, Math.min(1, share))
    this.#window = this.#windowWay = this.#windowSped = 0
  }
}
