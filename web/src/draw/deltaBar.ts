/** A bar from its middle to the right where time is lost, to the left where it is gained. */
import { deltaClass } from "../format.ts"

/** Full at this many seconds to either side. */
const FULL_S = 2
/** About a pixel: smaller changes are not painted. */
const BAR_STEPS = 200

/** Digits of the text next to the bar: a delta that it shows as zero has no side. */
export const DELTA_DIGITS = 2

export type Side = "none" | "loss" | "gain"

/** Moves the bar to a delta, s (NaN: unknown), and marks whether it is a loss or a gain. */
export const moveDeltaBar = (bar: HTMLElement, late: number, full = FULL_S): Side => {
  const side = deltaClass(late, DELTA_DIGITS) || "none"
  const share = Math.round(Math.min(1, Math.abs(late || 0) / full) * BAR_STEPS) / BAR_STEPS
  if (bar.className !== side) bar.className = side
  const moved = `scaleX(${(late > 0 ? share : -share).toFixed(3)})`
  if (bar.style.transform !== moved) bar.style.transform = moved
  return side
}
