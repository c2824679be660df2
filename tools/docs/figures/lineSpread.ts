/** Distances between a session's laps across the road, place by place. */
import { align } from "../../../src/analysis/place/alignment.ts"
import { lineSpread as spreadOf } from "../../../src/analysis/compare/consistency.ts"
import { numberCorners } from "../../../src/analysis/circuits/numbering.ts"
import { findCorners } from "../../../src/analysis/corners/corners.ts"
import { across, BLUE, curve, frame, grid, INK, legend, line, picture, upwards } from "../plot.ts"
import { roadAmerica, studied } from "../sharedData.ts"
import { cornerBands, km, placed } from "./shared.ts"

export const lineSpread = (): string => {
  const alignment = align(studied(roadAmerica()))!
  const { distance, laps, median, spread } = spreadOf(alignment)!
  const { grid: nodes, reference } = alignment
  const found = findCorners(reference.x, reference.y, nodes.distance, nodes.length)
  const { corners } = numberCorners({ length: nodes.length, corners: found })
  const whole = frame(66, 190)
  const x = across(whole, 0, nodes.length)
  const y = upwards(whole, 0, 2.5)
  return picture(310, `Road America: the line's spread over ${laps} laps at pace`, [
    legend(64, 44, [
      [BLUE, "robust deviation across the road"],
      [INK, `median ${median.toFixed(2)} m`]
    ]),
    cornerBands(whole, x, corners),
    grid(
      whole,
      { axis: x, name: "distance from the line, km", show: km },
      { axis: y, name: "spread, m", show: (value) => value.toFixed(1) }
    ),
    line([whole.left, y(median)], [whole.right, y(median)], INK, { "stroke-dasharray": "6 4" }),
    curve(placed(x, y, distance, spread), BLUE)
  ])
}
