/** A session's lap times, marked by the use that the analysis makes of each. */
import { comparableLaps, PACE, validLaps } from "../../../src/analysis/compare/comparable.ts"
import { mean, median } from "../../../src/analysis/math/robust.ts"
import type { RecordedLap } from "../../../src/domain/Lap.ts"
import {
  across,
  AMBER,
  BLUE,
  dot,
  frame,
  grid,
  INK,
  legend,
  line,
  picture,
  RED,
  text,
  upwards
} from "../plot.ts"
import { bahrain, recordsOf } from "../sharedData.ts"

/** The top of the scale, s: untimed laps stand above it. */
const MOST = 155

export const lapTimes = (): string => {
  const laps = recordsOf(bahrain())
  const valid = validLaps(laps)
  const pace = new Set(comparableLaps(laps).map(({ id }) => id))
  const times = valid.map((lap) => lap.lapTime)
  const paced = valid.filter(({ id }) => pace.has(id)).map((lap) => lap.lapTime)
  const whole = frame(66, 280)
  const x = across(whole, 0, 50)
  const y = upwards(whole, 90, MOST)
  const limit = PACE * Math.min(...times)
  const level = (value: number, dashes: string) =>
    line([whole.left, y(value)], [whole.right, y(value)], INK, { "stroke-dasharray": dashes })
  const secondsSpent = (
    { endTime: end_time, lapNumber: lap_number, startTime: start_time }: RecordedLap,
    side: 1 | -1
  ) =>
    text(x(lap_number) + 5 * side, whole.top + 12, String(Math.round(end_time - start_time)), {
      "font-size": 10,
      "text-anchor": side > 0 ? "start" : "end"
    })
  return picture(400, `Bahrain: ${laps.length} laps, ${valid.length} valid, ${paced.length} at pace`, [
    legend(64, 44, [
      [BLUE, "at pace"],
      [AMBER, "valid, over 107 % of the best"],
      [RED, "not timed (seconds spent): in no average and in no baseline"]
    ]),
    grid(whole, { axis: x, name: "lap", about: 10 }, { axis: y, name: "lap time, s", about: 6 }),
    level(mean(times), "6 4"),
    level(limit, "2 4"),
    ...laps.map((lap, l) =>
      lap.lapTime === null
        ? dot([x(lap.lapNumber), whole.top + 8], RED) +
          secondsSpent(lap, laps[l - 1]?.lapTime === null ? 1 : -1)
        : dot([x(lap.lapNumber), y(lap.lapTime)], pace.has(lap.id) ? BLUE : AMBER)
    ),
    text(x(20), y(138), `dashed: average of the valid laps, ${mean(times).toFixed(3)} s`),
    text(x(20), y(133), `dotted: 107 % of the best, ${limit.toFixed(3)} s`),
    text(
      x(20),
      y(128),
      `median at pace: ${median(paced).toFixed(3)} s, best: ${Math.min(...times).toFixed(3)} s`
    )
  ])
}
