/** The corners of a circuit, which braking points and mistakes refer to. */
import { curvature } from "./curvature.ts"
import type { CentreLine } from "./racingLine.ts"

/** A bend in one direction; entry, apex and exit are nodes. */
export interface Corner {
  readonly entry: number
  readonly apex: number
  readonly exit: number
  /** Greatest curvature, 1/m, positive to the left. */
  readonly curvature: number
}

/** A bend with a larger radius is no corner, m. */
const STRAIGHTEST_M = 170
/** A bend that turns the road by less is no corner, rad: a kink between two straights. */
const MIN_TURN = 0.25
/** Two bends to the same side with less than this between them are one corner, nodes. */
const JOINED = 25

/** The corners of the racing line, in driving order; none lies across the start line. */
export const findCorners = (centre: CentreLine, offsets: Float64Array): ReadonlyArray<Corner> => {
  const x = offsets.map((offset, n) => centre.x[n]! + centre.normalX[n]! * offset)
  const y = offsets.map((offset, n) => centre.y[n]! + centre.normalY[n]! * offset)
  const bend = curvature(x, y)
  const corners: Array<Corner> = []
  for (let n = 0; n < bend.length; n++) {
    if (Math.abs(bend[n]!) < 1 / STRAIGHTEST_M) continue
    const side = Math.sign(bend[n]!)
    const entry = n
    let apex = n
    while (n < bend.length && bend[n]! * side >= 1 / STRAIGHTEST_M) {
      if (Math.abs(bend[n]!) > Math.abs(bend[apex]!)) apex = n
      n++
    }
    const corner = { entry, apex, exit: n - 1, curvature: bend[apex]! }
    const before = corners.at(-1)
    if (before !== undefined && before.curvature * side > 0 && entry - before.exit < JOINED) {
      corners[corners.length - 1] = {
        ...(Math.abs(before.curvature) > Math.abs(corner.curvature) ? before : corner),
        entry: before.entry,
        exit: corner.exit
      }
    } else corners.push(corner)
  }
  return corners.filter(({ entry, exit }) => Math.abs(turn(bend, entry, exit)) >= MIN_TURN)
}

/** Turn of the road from one node to another, rad; nodes are about a metre apart. */
const turn = (bend: Float64Array, from: number, to: number): number =>
  bend.subarray(from, to + 1).reduce((sum, curvature) => sum + curvature, 0)
