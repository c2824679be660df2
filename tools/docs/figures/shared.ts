/** Helpers that several of the analysis page's figures share. */
import type { NumberedCorner } from "../../../src/analysis/circuits/numbering.ts"
import { type Axis, type Frame, rect, text } from "../plot.ts"

/** m of a distance as the km of an axis. */
export const km = (metres: number): string => (metres / 1000).toFixed(1)

/** A column of values at equal steps of distance, as points of a frame. */
export const placed = (x: Axis, y: Axis, distance: ArrayLike<number>, values: ArrayLike<number>) =>
  Array.from(values, (value, n) => [x(distance[n]!), y(value)] as const)

/** The label of a corner in a picture; empty for a corner without a number of the circuit. */
export const called = ({ label, number }: NumberedCorner): string => (number === null ? "" : label)

/** Corners as bands of a frame, their numbers above it, in two rows where they are crowded. A corner across the line is two bands. */
export const cornerBands = (
  { bottom, top }: Frame,
  x: Axis,
  corners: ReadonlyArray<NumberedCorner>
): string => {
  const crowded: Array<boolean> = []
  corners.forEach(({ apex }, c) => {
    const near = c > 0 && x(apex) - x(corners[c - 1]!.apex) < 15
    crowded.push(near && !crowded[c - 1]!)
  })
  return corners
    .flatMap((corner, c) => {
      const { apex, entry, exit } = corner
      const parts =
        entry < exit ? [[entry, exit] as const] : [[entry, x.to] as const, [x.from, exit] as const]
      return [
        ...parts.map(([from, to]) => rect([x(from), top], [x(to), bottom], "#f1f1f1")),
        text(x(apex), top - (crowded[c]! ? 13 : 3), called(corner), {
          "text-anchor": "middle",
          "font-size": 11
        })
      ]
    })
    .join("")
}
