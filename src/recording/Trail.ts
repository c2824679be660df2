import { lowerBound } from "../domain/PointBatch.ts"

/** A trail keeps no two entries closer than this, so its size is bounded by the distance driven, not the rate. */
const SPACING_M = 1

/** Distance driven against time since the current lap began: where the car was when, to within a metre and a step. */
export class Trail {
  #times = new Float64Array(1024)
  #distances = new Float64Array(1024)
  #length = 0

  /** The distance from which on the next entry is wanted, m. */
  get due(): number {
    return this.#length === 0 ? -Infinity : this.#distances[this.#length - 1]! + SPACING_M
  }

  /** `time` and `distance` (m) never fall from one call to the next. */
  push(time: number, distance: number): void {
    if (distance < this.due) return
    if (this.#length === this.#times.length) {
      this.#times = grown(this.#times)
      this.#distances = grown(this.#distances)
    }
    this.#times[this.#length] = time
    this.#distances[this.#length] = distance
    this.#length++
  }

  /** Metres driven at `time`, linear between entries, held beyond the ends. */
  distanceAt(time: number): number {
    return this.#interpolate(this.#times, this.#distances, time)
  }

  /** When the car had driven `distance` metres. */
  timeAt(distance: number): number {
    return this.#interpolate(this.#distances, this.#times, distance)
  }

  /** Forgets what no lap that starts at `time` or later needs: all but the last entry before it. */
  forgetBefore(time: number): void {
    const from = Math.max(0, lowerBound(this.#times.subarray(0, this.#length), time) - 1)
    this.#times.copyWithin(0, from, this.#length)
    this.#distances.copyWithin(0, from, this.#length)
    this.#length -= from
  }

  #interpolate(xs: Float64Array, ys: Float64Array, x: number): number {
    const after = lowerBound(xs.subarray(0, this.#length), x)
    if (this.#length === 0) return Number.NaN
    if (after === 0) return ys[0]!
    if (after === this.#length) return ys[after - 1]!
    const x0 = xs[after - 1]!
    const y0 = ys[after - 1]!
    return y0 + ((x - x0) / (xs[after]! - x0)) * (ys[after]! - y0)
  }
}

const grown = (values: Float64Array): Float64Array<ArrayBuffer> => {
  const larger = new Float64Array(values.length * 2)
  larger.set(values)
  return larger
}
