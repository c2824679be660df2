/** Each lap of a session at pace, and its prediction from the laps before it. */
import { comparableLaps } from "../../../src/analysis/compare/comparable.ts"
import { intervalOf, walkThrough } from "../../../src/analysis/predictions/walk.ts"
import { across, BLUE, dot, frame, grid, INK, legend, line, picture, RED, upwards } from "../plot.ts"
import { bahrain, recordsOf } from "../sharedData.ts"

/** The ends of the scale, s. */
const [LEAST, MOST] = [90, 106]

export const predictions = (): string => {
  const laps = comparableLaps(recordsOf(bahrain()))
  const whole = frame(66, 280)
  const x = across(whole, 0, 50)
  const y = upwards(whole, LEAST, MOST)
  const within = (value: number) => y(Math.max(LEAST, Math.min(MOST, value)))
  const stated = walkThrough(recordsOf(bahrain())).past.map(({ forecast, lap }) => ({
    lap,
    interval: intervalOf(forecast),
    predicted: forecast.time
  }))
  const inside = stated.filter(({ interval: [low, high], lap }) => lap.lapTime >= low && lap.lapTime <= high)
  return picture(
    400,
    `Bahrain: each lap at pace, predicted from those before it: ${inside.length} of ${stated.length} in their intervals`,
    [
      legend(64, 44, [
        [BLUE, "prediction and its interval of 90 %"],
        [INK, "lap time in the interval"],
        [RED, "outside"]
      ]),
      grid(whole, { axis: x, name: "lap", about: 10 }, { axis: y, name: "lap time, s", about: 8 }),
      ...stated.flatMap(({ interval: [low, high], lap, predicted }) => {
        const at = x(lap.lapNumber)
        return [
          line([at, within(low)], [at, within(high)], "#9cc7e3", { "stroke-width": "6" }),
          line([at - 6, y(predicted)], [at + 6, y(predicted)], BLUE, { "stroke-width": "2" })
        ]
      }),
      ...laps.map((lap) => {
        const out = stated.some((one) => one.lap === lap) && !inside.some((one) => one.lap === lap)
        return dot([x(lap.lapNumber), y(lap.lapTime)], out ? RED : INK, { r: 3 })
      })
    ]
  )
}
