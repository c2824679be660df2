/** Two laps: speed over distance, and the time between them below. */
import { compareTraced } from "../../../src/analysis/compare/comparison.ts"
import {
  across,
  BLUE,
  curve,
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
import { lapNumbered, roadAmerica } from "../sharedData.ts"
import { cornerBands, km, placed } from "./shared.ts"

/** The fastest lap, and one that lost a second and a quarter in some corners. */
export const pair = [17, 14] as const

export const delta = (): string => {
  const { closure, corners, timeDeltas, traces } = compareTraced(
    pair.map((number) => lapNumbered(roadAmerica(), number))
  )
  const [fastest, slower] = [traces[0]!, traces[1]!]
  const { distance } = fastest
  const length = distance.at(-1)!
  const upper = frame(66, 210)
  const lower = frame(306, 150)
  const x = across(upper, 0, length)
  const kmh = upwards(upper, 60, 320)
  const behind = upwards(lower, -0.1, 1.4)
  const official = timeDeltas[slower.lapId]!.total!
  const zero = behind(0)
  return picture(
    506,
    "Road America, Automobilista 2 at 9 Hz: lap 14 (105.800 s) against lap 17 (104.520 s)",
    [
      legend(64, 44, [
        [BLUE, "lap 17"],
        [RED, "lap 14"],
        ["#e6e6e6", "corners, by the circuit's own numbers"]
      ]),
      cornerBands(upper, x, corners),
      cornerBands(lower, x, corners),
      grid(upper, { axis: x, name: "" }, { axis: kmh, name: "speed, km/h" }),
      grid(
        lower,
        { axis: x, name: "distance from the line, km", show: km },
        { axis: behind, name: "lap 14 behind, s", show: (value) => value.toFixed(1) }
      ),
      line([lower.left, zero], [lower.right, zero], INK),
      curve(placed(x, kmh, distance, fastest.speed), BLUE),
      curve(placed(x, kmh, distance, slower.speed), RED),
      curve(placed(x, behind, distance, slower.timeDelta), RED),
      dot([x(length), behind(official)], INK),
      text(
        x(length) - 8,
        behind(0.2),
        `dot: the lap times' difference, ${official.toFixed(3)} s; the curve misses it by ${(closure[1]!.total! * 1000).toFixed(0)} ms`,
        { "text-anchor": "end" }
      )
    ]
  )
}
