/** The two laps of delta.svg on the map: where the slower one lost, corner by corner. */
import { align } from "../../../src/analysis/place/alignment.ts"
import { analyseCorners } from "../../../src/analysis/corners/cornerTimes.ts"
import { colouredCurve, dot, INK, line, mapInto, picture, ramp, rect, text } from "../plot.ts"
import { lapNumbered, roadAmerica } from "../sharedData.ts"
import { pair } from "./delta.ts"
import { called } from "./shared.ts"

/** The loss at a place is that over this far before and after it, m: two samples at 9 Hz. */
const REACH_M = 25
/** The ends of the scale, s lost per 100 m. */
const MOST = 0.12

/** Blue (gained) over grey to vermilion (lost). */
const colour = ramp([
  [0, 90, 181],
  [205, 205, 205],
  [213, 70, 0]
])

export const map = (): string => {
  const alignment = align(pair.map((number) => lapNumbered(roadAmerica(), number)))!
  const [fastest, slower] = [alignment.laps[0]!, alignment.laps[1]!]
  const { corners, sections } = analyseCorners(alignment, fastest)
  const onStraights = sections[1]!.reduce((sum, { corner, lost }) => sum + (corner === null ? lost : 0), 0)
  const { x, y } = fastest
  const { place, pixels } = mapInto({ left: 60, right: 600, top: 60, bottom: 610 }, x, y)
  const last = x.length - 1
  const reach = Math.round(REACH_M / alignment.grid.step)
  const behind = slower.time.map((time, n) => time - fastest.time[n]!)
  const colours = Array.from(x, (_, n) => {
    const [from, to] = [Math.max(0, n - reach), Math.min(last, n + reach)]
    const lost = ((behind[to]! - behind[from]!) / ((to - from) * alignment.grid.step)) * 100
    return colour(0.5 + lost / (2 * MOST))
  })
  const middle = place(x.reduce((a, b) => a + b, 0) / x.length, y.reduce((a, b) => a + b, 0) / y.length)
  const node = (metres: number) => Math.round(metres / alignment.grid.step)
  const [start, ahead] = [place(x[0]!, y[0]!), place(x[20]!, y[20]!)]
  const way = Math.hypot(ahead[0] - start[0], ahead[1] - start[1])
  const side = [(-9 * (ahead[1] - start[1])) / way, (9 * (ahead[0] - start[0])) / way] as const
  return picture(640, "Road America: where lap 14 lost its 1.280 s to lap 17", [
    colouredCurve(
      Array.from(x, (px, n) => place(px, y[n]!)),
      colours,
      7
    ),
    line([start[0] - side[0], start[1] - side[1]], [start[0] + side[0], start[1] + side[1]], INK, {
      "stroke-width": "3"
    }),
    ...corners.map((corner) => {
      const { apex } = corner
      const at = place(x[node(apex)]!, y[node(apex)]!)
      const [dx, dy] = [at[0] - middle[0], at[1] - middle[1]]
      const out = 17 / Math.hypot(dx, dy)
      return (
        dot(at, "#fff", { stroke: INK, r: 3 }) +
        text(at[0] + dx * out, at[1] + dy * out + 4, called(corner), {
          "text-anchor": "middle",
          "font-weight": "bold"
        })
      )
    }),
    text(660, 76, "corner", { "font-weight": "bold" }),
    text(760, 76, "slowest, km/h", { "font-weight": "bold", "text-anchor": "middle" }),
    text(870, 76, "lost, s", { "font-weight": "bold", "text-anchor": "end" }),
    ...corners.flatMap((corner, c) => {
      const { direction, passes } = corner
      const [best, own] = [passes[0]!, passes[1]!]
      const lineY = 98 + c * 20
      return [
        text(660, lineY, `${called(corner) || "–"} ${direction}`),
        text(760, lineY, `${own.minimumSpeed!.toFixed(0)} / ${best.minimumSpeed!.toFixed(0)}`, {
          "text-anchor": "middle"
        }),
        text(870, lineY, own.timeLost!.toFixed(3).replace("-", "\u2212"), { "text-anchor": "end" })
      ]
    }),
    text(660, 98 + corners.length * 20, "straights after equal exits"),
    text(870, 98 + corners.length * 20, onStraights.toFixed(3), { "text-anchor": "end" }),
    ...Array.from({ length: 25 }, (_, i) => rect([660 + i * 8.4, 400], [669 + i * 8.4, 414], colour(i / 24))),
    text(660, 432, `\u2212${MOST}`),
    text(765, 432, "0", { "text-anchor": "middle" }),
    text(870, 432, `+${MOST}`, { "text-anchor": "end" }),
    text(765, 392, "seconds lost per 100 m", { "text-anchor": "middle" }),
    line([660, 500], [660 + 500 * pixels, 500], INK, { "stroke-width": "2" }),
    text(660, 492, "500 m"),
    text(660, 540, "White dots: apexes. Black bar: the line;"),
    text(660, 556, "driven clockwise.")
  ])
}
