/** The extent of a line on the ground, in metres. */
import type { TrackLine } from "./TrackMap.ts"

/** When a growing line leaves its room, the new room is this many times its extent, and at least this wide, m: so it seldom moves. */
const GROWING_ROOM = 1.7
const MIN_GROWING_M = 500

export interface Bounds {
  readonly left: number
  readonly right: number
  readonly bottom: number
  readonly top: number
}

/** The extent of a line, without unknown places. */
export const boundsOf = ({ x, y }: Pick<TrackLine, "x" | "y">): Bounds => {
  let [left, right, bottom, top] = [Infinity, -Infinity, Infinity, -Infinity]
  for (let k = 0; k < x.length; k++) {
    if (Number.isNaN(x[k]! + y[k]!)) continue
    left = Math.min(left, x[k]!)
    right = Math.max(right, x[k]!)
    bottom = Math.min(bottom, y[k]!)
    top = Math.max(top, y[k]!)
  }
  return { left, right, bottom, top }
}

export const isWithin = (inner: Bounds, outer: Bounds | undefined): outer is Bounds =>
  outer !== undefined &&
  inner.left >= outer.left &&
  inner.right <= outer.right &&
  inner.bottom >= outer.bottom &&
  inner.top <= outer.top

/** Room for a line that grows. */
export const withRoom = ({ bottom, left, right, top }: Bounds): Bounds => {
  const half = Math.max(MIN_GROWING_M, GROWING_ROOM * (right - left), GROWING_ROOM * (top - bottom)) / 2
  const x = (left + right) / 2
  const y = (bottom + top) / 2
  return { left: x - half, right: x + half, bottom: y - half, top: y + half }
}
