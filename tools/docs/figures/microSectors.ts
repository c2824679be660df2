/** The best pieces of a session's laps: the plain sum, and joined only where speeds match. */
import { align } from "../../../src/analysis/place/alignment.ts"
import { numberCorners } from "../../../src/analysis/circuits/numbering.ts"
import { findCorners } from "../../../src/analysis/corners/corners.ts"
import { microSectors as cut } from "../../../src/analysis/compare/microSectors.ts"
import {
  across,
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
import { roadAmerica, studied } from "../sharedData.ts"
import { cornerBands, km } from "./shared.ts"

const STRIP = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#999", "#f0e442"]

export const microSectors = (): string => {
  const placed = align(studied(roadAmerica()))!
  const { best, bounds, feasibleBest, laps, theoreticalBest } = cut(placed)!
  const fastest = laps[0]!
  const pieces = best.length
  /** For each piece of the feasible lap, the lap that it comes from. */
  const donors: Array<number> = []
  let donor = feasibleBest!.joints[0]?.fromLapId ?? fastest.lapId
  for (let k = 0, j = 0; k < pieces; k++) {
    const joint = feasibleBest!.joints[j]
    if (joint !== undefined && Math.abs(joint.distance - bounds[k]!) < 1) {
      donor = joint.toLapId
      j++
    }
    donors.push(donor)
  }
  const timesOf = (id: number) => laps.find(({ lapId }) => lapId === id)!.times
  const gained = (time: (k: number) => number) => {
    let sum = 0
    return [0, ...best.map((_, k) => (sum += time(k) - fastest.times[k]!))]
  }
  const naive = gained((k) => best[k]!.time)
  const feasible = gained((k) => timesOf(donors[k]!)[k]!)
  const { distance, length } = placed.grid
  const { reference } = placed
  const { corners } = numberCorners({
    length,
    corners: findCorners(reference.x, reference.y, distance, length)
  })
  const upper = frame(66, 210)
  const x = across(upper, 0, length)
  const y = upwards(upper, -2, 0.1)
  const used = [...new Set(donors)].sort(
    (a, b) => donors.filter((d) => d === b).length - donors.filter((d) => d === a).length
  )
  const colour = (id: number) => STRIP[Math.min(used.indexOf(id), STRIP.length - 1)]!
  const numberOf = (id: number) => placed.laps.find(({ lap }) => lap.id === id)!.lap.lapNumber
  const curveOf = (sums: ReadonlyArray<number>, stroke: string) =>
    curve(
      sums.map((sum, k) => [x(bounds[k]!), y(sum)] as const),
      stroke
    )
  const bestLap = placed.laps.find(({ lap }) => lap.id === fastest.lapId)!.lap
  return picture(400, `Road America, ${pieces} pieces of 50 m from ${laps.length} laps`, [
    legend(64, 44, [
      [RED, `naive: ${theoreticalBest!.toFixed(3)} s`],
      [BLUE, `feasible: ${feasibleBest!.piecesTime.toFixed(3)} s, ${feasibleBest!.joints.length} joints`],
      [INK, `best lap: ${bestLap.lapTime!.toFixed(3)} s`]
    ]),
    cornerBands(upper, x, corners),
    grid(
      upper,
      { axis: x, name: "" },
      { axis: y, name: "s to the best lap", show: (value) => value.toFixed(1) }
    ),
    line([upper.left, y(0)], [upper.right, y(0)], INK),
    curveOf(naive, RED),
    curveOf(feasible, BLUE),
    ...donors.map((id, k) => rect([x(bounds[k]!), 292], [x(bounds[k + 1]!) + 0.5, 312], colour(id))),
    text(58, 307, "lap", { "text-anchor": "end" }),
    ...Array.from({ length: 7 }, (_, i) => text(x(i * 1000), 330, km(i * 1000), { "text-anchor": "middle" })),
    text(upper.right, 347, "distance from the line, km", { "text-anchor": "end" }),
    legend(64, 372, [
      ...used.slice(0, STRIP.length - 1).map((id) => [colour(id), `lap ${numberOf(id)}`] as const),
      [STRIP.at(-1)!, "others"]
    ])
  ])
}
