/** Finds the end of a lap in points, by their lap number and by their distance since the line. */
import { isLapNumber } from "../../domain/lapLimits.ts"
import type { LapCut } from "./laps.ts"

/** The laps that the points completed, and the index of the first point that the tracker has not read. */
export interface FoundLaps {
  readonly cuts: ReadonlyArray<LapCut>
  readonly next: number
}

/** The index of the first of the points `from` to `to` whose lap number differs from `last`; `to` if there is none. */
export const nextLapNumber = (
  numbers: Float64Array | undefined,
  last: number,
  from: number,
  to: number
): number => {
  if (numbers === undefined) return to
  // A point without a lap number is in the lap of the point before.
  for (let i = from; i < to; i++) if (numbers[i] !== last && isLapNumber(numbers[i]!)) return i
  return to
}

/**
 * The time, s, since when all points up to the last one have had a lap number. NaN if the last point has none;
 * undefined if no point so far had one. `before`: the result for the points before these.
 */
export const numberedSince = (
  numbers: Float64Array | undefined,
  timestamps: Float64Array,
  before: number | undefined
): number | undefined => {
  if (numbers === undefined) return before === undefined ? undefined : Number.NaN
  let since = before
  for (let i = 0; i < numbers.length; i++) {
    if (!isLapNumber(numbers[i]!)) since = since === undefined ? undefined : Number.NaN
    else if (since === undefined || Number.isNaN(since)) since = timestamps[i]!
  }
  return since
}

/** Whether the car is at the line: up to a metre past it counts. */
export const isAtLine = (travelled: number) => travelled >= 0 && travelled <= 1
