import { ABSENT, lowerBound } from "../../domain/RowBatch.ts"
import type { StartLine } from "../../domain/SimulatorEvent.ts"
import { crossing } from "./lineCrossing.ts"

/** Entries are at least this far apart, so the size of the trace depends on the distance driven and not on the rate. */
const SPACING_M = 1

/** Distance driven and position by time since the current lap began, to within a metre and a step between points. */
export class DistanceTrace {
  #times = new Float64Array(1024)
  #distances = new Float64Array(1024)
  #xs = new Float64Array(1024)
  #ys = new Float64Array(1024)
  #length = 0

  /** The distance at which the next entry is due, m. */
  get due(): number {
    return this.#length === 0 ? -Infinity : this.#distances[this.#length - 1]! + SPACING_M
  }

  /** `time` and `distance` (m) never decrease from one call to the next; an absent position is `ABSENT`. */
  push(time: number, distance: number, x: number = ABSENT, y: number = ABSENT): void {
    if (distance < this.due) return
    if (this.#length === this.#times.length) {
      this.#times = grown(this.#times)
      this.#distances = grown(this.#distances)
      this.#xs = grown(this.#xs)
      this.#ys = grown(this.#ys)
    }
    this.#times[this.#length] = time
    this.#distances[this.#length] = distance
    this.#xs[this.#length] = x
    this.#ys[this.#length] = y
    this.#length++
  }

  /** Metres driven at `time`: linear between entries, constant beyond the ends. */
  distanceAt(time: number): number {
    return this.#interpolate(this.#times, this.#distances, time)
  }

  /** The time at which the car had driven `distance` metres. */
  timeAt(distance: number): number {
    return this.#interpolate(this.#distances, this.#times, distance)
  }

  /** The car's position when it had driven `distance` metres; `ABSENT` if the source did not send it. */
  positionAt(distance: number): readonly [x: number, y: number] {
    return [
      this.#interpolate(this.#distances, this.#xs, distance),
      this.#interpolate(this.#distances, this.#ys, distance)
    ]
  }

  /** The time at which the car first crossed a line, in either direction, between two distances; undefined if it did not. */
  timeAcross(line: StartLine, from: number, to: number): number | undefined {
    const distances = this.#distances.subarray(0, this.#length)
    let last = -1
    for (let i = lowerBound(distances, from); i < this.#length && distances[i]! <= to; i++) {
      if (Number.isNaN(this.#xs[i]! + this.#ys[i]!)) continue
      const found =
        last < 0 ? undefined : crossing(line, this.#xs[last]!, this.#ys[last]!, this.#xs[i]!, this.#ys[i]!)
      if (found !== undefined) {
        return this.#times[last]! + found.fraction * (this.#times[i]! - this.#times[last]!)
      }
      last = i
    }
    return undefined
  }

  /**
   * Drops the entries before the last one that precedes `time`. Laps that start at `time` or later do not need them.
   */
  forgetBefore(time: number): void {
    const from = Math.max(0, lowerBound(this.#times.subarray(0, this.#length), time) - 1)
    this.#times.copyWithin(0, from, this.#length)
    this.#distances.copyWithin(0, from, this.#length)
    this.#xs.copyWithin(0, from, this.#length)
    this.#ys.copyWithin(0, from, this.#length)
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
