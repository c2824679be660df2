/** How points tell that a lap ends: by their lap number, and their distance since the line. */
import { isLapNumber } from "../domain/Lap.ts"
import type { LapCut } from "./laps.ts"

/** Laps that the points completed, and the index of the first point that the tracker has not read. */
export interface FoundLaps {
  readonly cuts: ReadonlyArray<LapCut>
  readonly next: number
}

/** The first of the points `from` to `to` that tells another lap number than the last one told; `to` if none does. */
export const nextLapNumber = (
  numbers: Float64Array | undefined,
  last: number,
  from: number,
  to: number
): number => {
  if (numbers === undefined) return to
  // A point that does not say is in the lap of the one before.
  for (let i = from; i < to; i++) if (numbers[i] !== last && isLapNumber(numbers[i]!)) return i
  return to
}

/** Up to a metre past the line is at the line. */
export const isAtLine = (travelled: number) => travelled >= 0 && travelled <= 1
