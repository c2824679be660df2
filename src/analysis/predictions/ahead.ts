/** The laps after the next: their times, and intervals from the errors of past forecasts. */
import type { Prediction } from "../../domain/analysis/predictions.ts"
import { toMicros } from "../../domain/Time.ts"
import { stepAfter, type Forecast, intervalOf } from "./walk.ts"

/**
 * By laps ahead, from the second on: the shares 5 % and 95 % of the errors of the logarithm of the time, in the
 * deviations that the model stated. Other errors follow where the car has just stopped, or laps were missed.
 *
 * From 321,482 laps ahead in Formula 1's races of 2018 and 2019 and 3,803 in half of the timed sessions, which count alike, by
 * `npm run node tools/docs/predictions/measureAhead.ts`. Stops between the forecast and its lap are included.
 */
const DIRECTLY: ReadonlyArray<readonly [low: number, high: number]> = [
  [-1.62, 2.91],
  [-1.65, 2.92],
  [-1.86, 2.82],
  [-2.14, 2.76],
  [-2.15, 2.71],
  [-2.25, 2.62],
  [-2.24, 2.49],
  [-2.16, 2.42],
  [-2.24, 2.84]
]
const AFTER_MISSED: typeof DIRECTLY = [
  [-2.87, 2.06],
  [-2.73, 1.51],
  [-2.74, 1.83],
  [-2.7, 1.87],
  [-2.53, 1.47],
  [-2.62, 1.8],
  [-2.5, 1.88],
  [-2.39, 1.63],
  [-2.26, 1.87]
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
