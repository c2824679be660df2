/** A centre line's signed curvature with its thresholds, and the corners found in it. */
import { numberCorners } from "../../../src/analysis/circuits/numbering.ts"
import { cornerOptions, findCorners, signedCurvature } from "../../../src/analysis/corners/corners.ts"
import {
  across,
  BLUE,
  curve,
  dot,
  FAINT,
  frame,
  grid,
  INK,
  legend,
  line,
  mapInto,
  picture,
  RED,
  text,
  upwards
} from "../plot.ts"
import { readTrack } from "../sharedData.ts"
import { called, cornerBands, km, placed } from "./shared.ts"

const STEP_M = 2

const colour = (direction: "left" | "right" | null) => (direction === "left" ? BLUE : RED)

export const curvature = (): string => {
  const track = readTrack("Suzuka")
  const found = findCorners(track.x, track.y, track.distance, track.length)
  const { corners } = numberCorners({ length: track.length, corners: found })
  const nodes = Math.round(track.length / STEP_M)
  const step = track.length / nodes
  const x = new Float64Array(nodes)
  const y = new Float64Array(nodes)
  const distance = new Float64Array(nodes)
  for (let n = 0, k = 0; n < nodes; n++) {
    distance[n] = n * step
    while (k < track.distance.length - 1 && track.distance[k + 1]! <= distance[n]!) k++
    const next = (k + 1) % track.distance.length
    const to = next === 0 ? track.length : track.distance[next]!
    const share = (distance[n]! - track.distance[k]!) / (to - track.distance[k]!)
    x[n] = track.x[k]! + share * (track.x[next]! - track.x[k]!)
    y[n] = track.y[k]! + share * (track.y[next]! - track.y[k]!)
  }
  const bend = signedCurvature(x, y, step, cornerOptions.smoothing).map((value) => value * 1000)
  const lower = frame(362, 190)
  const along = across(lower, 0, track.length)
  const perKm = upwards(lower, -55, 55)
  const { place, pixels } = mapInto({ left: 64, right: 880, top: 56, bottom: 320 }, x, y)
  const at = (metres: number) => Math.round(metres / step) % nodes
  const pieceOf = (from: number, to: number) =>
    Array.from({ length: (at(to) - at(from) + nodes) % nodes }, (_, i) => {
      const n = (at(from) + i) % nodes
      return place(x[n]!, y[n]!)
    })
  return picture(602, `Suzuka's centre line: ${corners.length} corners found, officially 18`, [
    legend(640, 60, [
      [BLUE, "to the left"],
      [RED, "to the right"]
    ]),
    curve(
      [...x, x[0]!].map((px, n) => place(px, y[n % nodes]!)),
      FAINT,
      { "stroke-width": "3" }
    ),
    ...corners.map(({ direction, entry, exit }) =>
      curve(pieceOf(entry, exit), colour(direction), { "stroke-width": "5" })
    ),
    ...corners.map((corner) => {
      const { apex, direction } = corner
      const n = at(apex)
      const p = place(x[n]!, y[n]!)
      const q = place(x[(n + 3) % nodes]!, y[(n + 3) % nodes]!)
      // Next to the apex, on the outside of the bend.
      const side = (direction === "left" ? 14 : -14) / Math.hypot(q[0] - p[0], q[1] - p[1])
      return (
        dot(p, "#fff", { stroke: INK, r: 2.5 }) +
        text(p[0] - (q[1] - p[1]) * side, p[1] + (q[0] - p[0]) * side + 4, called(corner), {
          "text-anchor": "middle",
          "font-size": 11,
          stroke: "#fff",
          "stroke-width": "3",
          "paint-order": "stroke"
        })
      )
    }),
    line([740, 310], [740 + 500 * pixels, 310], INK, { "stroke-width": "2" }),
    text(740, 302, "500 m"),
    cornerBands(lower, along, corners),
    grid(lower, { axis: along, name: "distance, km", show: km }, { axis: perKm, name: "curvature, 1/km" }),
    ...[1, -1].flatMap((side) => [
      line(
        [lower.left, perKm(side * cornerOptions.bend * 1000)],
        [lower.right, perKm(side * cornerOptions.bend * 1000)],
        INK,
        { "stroke-dasharray": "6 4" }
      ),
      line(
        [lower.left, perKm(side * cornerOptions.straight * 1000)],
        [lower.right, perKm(side * cornerOptions.straight * 1000)],
        INK,
        { "stroke-dasharray": "2 4" }
      )
    ]),
    curve(placed(along, perKm, distance, bend), BLUE)
  ])
}
