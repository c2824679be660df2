/** The error in the delta if laps are aligned by each car's own driven distance. */
import { align } from "../../../src/analysis/place/alignment.ts"
import { at } from "../../../src/analysis/corners/cornerTimes.ts"
import { numberCorners } from "../../../src/analysis/circuits/numbering.ts"
import { findCorners } from "../../../src/analysis/corners/corners.ts"
import { across, BLUE, curve, FAINT, frame, grid, INK, legend, line, picture, RED, upwards } from "../plot.ts"
import { atPace, roadAmerica, withoutPositions } from "../sharedData.ts"
import { cornerBands, km, placed } from "./shared.ts"

const SHOWN = [
  [14, RED],
  [16, BLUE]
] as const

export const alignment = (): string => {
  const laps = atPace(roadAmerica())
  const byPositions = align(laps, 5)!
  const bySpeed = align(laps.map(withoutPositions), 5)!
  const { distance, length } = byPositions.grid
  const { reference } = byPositions
  const { corners } = numberCorners({
    length,
    corners: findCorners(reference.x, reference.y, distance, length)
  })
  const off = byPositions.laps.map((lap, l) => {
    const own = bySpeed.laps[l]!
    return lap.time.map((time, n) => {
      const there = (distance[n]! / length) * bySpeed.grid.length
      const delta =
        at(own.time, bySpeed.grid.step, there) - at(bySpeed.reference.time, bySpeed.grid.step, there)
      return (delta - (time - byPositions.reference.time[n]!)) * 1000
    })
  })
  const whole = frame(66, 250)
  const x = across(whole, 0, length)
  const y = upwards(whole, -200, 200)
  const colourOf = (l: number) => SHOWN.find(([number]) => number === laps[l]!.lap.lapNumber)?.[1]
  const drawn = (colour: string, l: number) => curve(placed(x, y, distance, off[l]!), colour)
  return picture(
    370,
    "Road America: delta by driven distance less delta by positions, 13 laps against lap 17",
    [
      legend(64, 44, [
        ...SHOWN.map(([number, colour]) => [colour, `lap ${number}`] as const),
        [FAINT, "the others"]
      ]),
      cornerBands(whole, x, corners),
      grid(
        whole,
        { axis: x, name: "distance from the line, km", show: km },
        { axis: y, name: "difference, ms", about: 8 }
      ),
      line([whole.left, y(0)], [whole.right, y(0)], INK),
      ...laps.map((_, l) => (colourOf(l) === undefined ? drawn(FAINT, l) : "")),
      ...laps.map((_, l) => (colourOf(l) === undefined ? "" : drawn(colourOf(l)!, l)))
    ]
  )
}
