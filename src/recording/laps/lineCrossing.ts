import type { StartLine } from "../../domain/SimulatorEvent.ts"

/** Where a step from one position to the next crosses a line. */
export interface Crossing {
  /** Share of the step driven before the line, 0..1. */
  readonly fraction: number
  /** 1 or -1: the side from which the step crosses. */
  readonly direction: number
}

/** Positive on one side of the (endless) line, negative on the other, 0 on it. */
export const sideOf = (line: StartLine, x: number, y: number): number =>
  (line.x2 - line.x1) * (y - line.y1) - (line.y2 - line.y1) * (x - line.x1)

/**
 * The index of the first position from `from` (inclusive) to `to` (exclusive) that is known and not strictly on the side of
 * `side` (`sideOf`); `to` if there is none. With a side of 0 or NaN, the first position that is known.
 *
 * It calls nothing, and returns an index: a function that returns a double for each point can allocate each of them (32 MB a
 * second at a million points).
 */
export const leaves = (
  { x1, y1, x2, y2 }: StartLine,
  side: number,
  xs: Float64Array,
  ys: Float64Array,
  from: number,
  to: number
): number => {
  const lx = x2 - x1
  const ly = y2 - y1
  for (let i = from; i < to; i++) {
    const here = lx * (ys[i]! - y1) - ly * (xs[i]! - x1)
    if (!(here * side > 0) && !Number.isNaN(here)) return i
  }
  return to
}

/**
 * The crossing of the step (ax, ay) -> (bx, by) with the line's segment, or undefined. A step that ends on the line crosses
 * it, and a step that starts there does not, so a crossing is found once.
 *
 * Segment intersection by cross products (signed areas): de Berg et al., Computational Geometry, ch. 2.
 */
export const crossing = (
  line: StartLine,
  ax: number,
  ay: number,
  bx: number,
  by: number
): Crossing | undefined => {
  const lx = line.x2 - line.x1
  const ly = line.y2 - line.y1
  const before = sideOf(line, ax, ay)
  const after = sideOf(line, bx, by)
  if (before === 0 || (before > 0 ? after > 0 : after < 0)) return undefined
  const fraction = before / (before - after)
  const x = ax + fraction * (bx - ax)
  const y = ay + fraction * (by - ay)
  const along = ((x - line.x1) * lx + (y - line.y1) * ly) / (lx * lx + ly * ly)
  return along >= 0 && along <= 1 ? { fraction, direction: Math.sign(before) } : undefined
}
