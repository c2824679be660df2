/** Sector times of laps, by the times at which the car crossed the splits of a file. Plain. */
import { toMicros } from "../../domain/Time.ts"
import type { Crossing } from "./Crossings.ts"
import type { Lap } from "./RowLaps.ts"

/** A lap has three sectors: with more splits, the third one goes from the second split to the line. */
const MAX_SPLITS = 2

const sectorsOf = (
  start: number,
  end: number,
  splits: ReadonlyArray<ReadonlyArray<number>>
): Lap["sectors"] | undefined => {
  const passed = splits.flatMap((times) => times.find((time) => time > start && time < end) ?? [])
  if (passed.length === 0 || passed.length < splits.length) return undefined
  const ends = [...passed.toSorted((a, b) => a - b).slice(0, MAX_SPLITS), end]
  const [first = null, second = null, third = null] = ends.map((time, n) =>
    toMicros(time - (ends[n - 1] ?? start))
  )
  return [first, second, third]
}

/**
 * The crossings of the line, each with the sectors of the lap that ends there: undefined if the car missed a split, or there is
 * none. `lines`: epoch seconds, in order; `splits`: for each split the same.
 */
export const withSplits = (
  lines: ReadonlyArray<number>,
  splits: ReadonlyArray<ReadonlyArray<number>>
): ReadonlyArray<Crossing> =>
  lines.map((time, n) => ({
    time,
    sectors: n === 0 ? undefined : sectorsOf(lines[n - 1]!, time, splits)
  }))
