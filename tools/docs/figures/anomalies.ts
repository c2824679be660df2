/** One lap's speed against that of the session's other laps, and the anomalies that are found in it. */
import type { Anomaly } from "../../../src/domain/analysis/anomalies.ts"
import { gather } from "../../../src/analysis/anomalies/evidence.ts"
import { places } from "../../../src/analysis/anomalies/places.ts"
import { sessionAnomalies } from "../../../src/analysis/anomalies/anomalies.ts"
import { OUTLIER_Z } from "../../../src/analysis/math/robust.ts"
import {
  across,
  area,
  BLUE,
  curve,
  frame,
  grid,
  INK,
  legend,
  line,
  picture,
  RED,
  rect,
  text,
  upwards
} from "../plot.ts"
import { roadAmerica } from "../sharedData.ts"
import { km, placed } from "./shared.ts"

const LAP = 5

export const anomalies = (): string => {
  const session = roadAmerica()
  const { distance, laps } = places(
    gather(
      session,
      session.map(({ lap }) => lap)
    )
  )!
  const judged = laps.find(({ evidence }) => evidence.lap.lapNumber === LAP)!
  const { centre, sigma } = judged.speed
  const reported = sessionAnomalies(1, session).anomalies.filter(
    ({ lapNumber, type }) => lapNumber === LAP && type === "speed_loss"
  )
  const upper = frame(66, 210)
  const lower = frame(306, 120)
  const x = across(upper, 0, distance.at(-1)!)
  const kmh = upwards(upper, 60, 320)
  const off = upwards(lower, -40, 20)
  const endOf = ({ duration, timestamp }: Anomaly) => {
    const since = timestamp - judged.onGrid.lap.startTime + duration
    return distance[judged.onGrid.time.findIndex((time) => time >= since)]!
  }
  const bands = (top: number, bottom: number) =>
    reported.map((one) => rect([x(one.distance!), top], [x(endOf(one)), bottom], "#fbe3d2")).join("")
  const edge = (side: number) => centre.map((usual, k) => usual + side * OUTLIER_Z * sigma[k]!)
  return picture(476, `Road America: lap ${LAP} against the ${judged.speed.count[100]} other laps at pace`, [
    legend(64, 44, [
      [BLUE, `lap ${LAP}`],
      [INK, "median of the others"],
      ["#cfe3f1", "3.5 spreads about it"],
      ["#fbe3d2", "speed_loss, with its cost"]
    ]),
    bands(upper.top, upper.bottom),
    bands(lower.top, lower.bottom),
    grid(upper, { axis: x, name: "" }, { axis: kmh, name: "speed, km/h" }),
    grid(
      lower,
      { axis: x, name: "distance from the line, km", show: km },
      { axis: off, name: "to the median, km/h", about: 4 }
    ),
    area([...placed(x, kmh, distance, edge(1)), ...placed(x, kmh, distance, edge(-1)).reverse()], "#cfe3f1"),
    curve(placed(x, kmh, distance, centre), INK, { "stroke-width": "1" }),
    curve(placed(x, kmh, distance, judged.onGrid.speed), BLUE),
    line([lower.left, off(0)], [lower.right, off(0)], INK),
    curve(
      placed(
        x,
        off,
        distance,
        judged.onGrid.speed.map((speed, k) => Math.max(-40, Math.min(20, speed - centre[k]!)))
      ),
      BLUE
    ),
    ...reported.map((one) =>
      text(x((one.distance! + endOf(one)) / 2), upper.top - 5, `${one.cost!.toFixed(2)} s`, {
        fill: RED,
        "font-size": 11,
        "text-anchor": "middle"
      })
    )
  ])
}
