/** The scale of deltas if some laps are far off the pace. */
import { OFF_PACE } from "./pace.ts"

/**
 * If some laps are far off the pace (a stop, a lap to the pits) and two or more are not: the scale of the latter, s. Undefined:
 * the scale of all laps.
 */
export const scaleOf = (
  deltas: ReadonlyArray<ReadonlyArray<number>>,
  fastestTime: number | null
): readonly [number, number] | undefined => {
  if (fastestTime === null) return undefined
  const ends = deltas.map((delta) => delta.at(-1)!)
  const slowest = Math.min(...ends) + (OFF_PACE - 1) * fastestTime
  const atPace = deltas.filter((_, lap) => ends[lap]! <= slowest)
  if (atPace.length < 2 || atPace.length === deltas.length) return undefined
  const [low, high] = [Math.min, Math.max].map((end) =>
    end(...atPace.map((delta) => delta.reduce((a, b) => end(a, b))))
  )
  const room = 0.05 * (high! - low!)
  return [low! - room, high! + room]
}
