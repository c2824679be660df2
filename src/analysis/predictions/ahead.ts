/** The laps after the next: their times, and intervals from the errors of past forecasts. */
import type { Prediction } from "../../domain/analysis/predictions.ts"
import { toMicros } from "../../domain/Time.ts"
import { stepAfter, type Forecast, intervalOf } from "./walk.ts"

/**
 * By laps ahead, from the second on: the shares 5 % and 95 % of the errors of the logarithm of the time, in the
 * deviations that the model stated. Other errors follow where the car has just stopped, or laps were missed.
 *
 * From 834,381 laps ahead in Formula 1's races, endurance races and timed sessions, which count alike, by
 * `npm run node tools/docs/predictions/measureAhead.ts`; it holds them out by session. Stops between the forecast and its lap are included.
 */
const DIRECTLY: ReadonlyArray<readonly [low: number, high: number]> = [
  [-1.6, 3.2],
  [-1.64, 3.26],
  [-1.82, 3.2],
  [-2.04, 3.12],
  [-2.17, 3.01],
  [-2.25, 2.89],
  [-2.32, 2.89],
  [-2.31, 2.87],
  [-2.33, 2.94]
]
const AFTER_MISSED: typeof DIRECTLY = [
  [-2.74, 2.67],
  [-2.52, 1.92],
  [-2.38, 1.95],
  [-2.36, 2.19],
  [-2.19, 2.01],
  [-2.23, 2.57],
  [-2.22, 2.66],
  [-2.1, 2.56],
  [-2.2, 2.16]
]

/** The number of laps ahead that are predicted. */
export const AHEAD = DIRECTLY.length + 1

export const lapsAhead = (next: Forecast): Prediction["lapsAhead"] => {
  const { high, known, low, pace, time } = next
  const within = (value: number) => toMicros(Math.min(high, Math.max(low, value)))
  const errors = known.missed > 0 ? AFTER_MISSED : DIRECTLY
  const [from, to] = intervalOf(next)
  return [
    { laps: 1, predictedLapTime: toMicros(time), confidenceInterval: [toMicros(from), toMicros(to)] },
    ...errors.map(([least, most], at) => {
      const laps = at + 2
      const later = pace.forecast(stepAfter(known, laps))
      const end = (error: number) => within(later.time * Math.exp(error * later.deviation))
      return {
        laps,
        predictedLapTime: within(later.time),
        confidenceInterval: [end(least), end(most)] as const
      }
    })
  ]
}
