/** Deltas along the lap, and their scale if some laps are far off the pace. */
import type { Trace } from "../types.ts"
import { OFF_PACE } from "./pace.ts"

/** A value for each node, null where it is absent. */
export type Column = ReadonlyArray<number | null>

const minus = (column: Column, reference: Column): Column =>
  column.map((value, n) => {
    const from = reference[n] ?? null
    return value === null || from === null ? null : value - from
  })

/** The delta of each lap to the first of them; null where one of the two was not recorded. */
export const deltasOf = (traces: ReadonlyArray<Trace>): ReadonlyArray<Column> =>
  traces.map(({ time_delta }) => minus(time_delta, traces[0]!.time_delta))

/**
 * If some laps are far off the pace (a stop, a lap to the pits) and two or more are not: the scale of the latter, s. Undefined:
 * the scale of all laps.
 */
export const scaleOf = (
  deltas: ReadonlyArray<Column>,
  fastestTime: number | null
): readonly [number, number] | undefined => {
  if (fastestTime === null) return undefined
  const known = deltas.map((delta) => delta.filter((value) => value !== null))
  const ends = known.map((delta) => delta.at(-1) ?? Number.NaN)
  const slowest = Math.min(...ends.filter((end) => !Number.isNaN(end))) + (OFF_PACE - 1) * fastestTime
  const atPace = known.filter((_, lap) => ends[lap]! <= slowest)
  const compared = known.filter(({ length }) => length > 0)
  if (atPace.length < 2 || atPace.length === compared.length) return undefined
  const [low, high] = [Math.min, Math.max].map((end) =>
    end(...atPace.map((delta) => delta.reduce((a, b) => end(a, b))))
  )
  const room = 0.05 * (high! - low!)
  return [low! - room, high! + room]
}
