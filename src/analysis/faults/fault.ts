/**
 * Faults of a lap's data: spans of time in which a source cannot be believed. They are found once, for both trust
 * (alignment) and anomalies, so that both use the same.
 */

/**
 * The wrong source: the car's place, its speed, or both. A slip is no fault of the data: a sliding car goes another way
 * than its wheels indicate. The distance is the simulator's own `lap_distance`.
 */
export type FaultSource = "positions" | "speed" | "points" | "slip" | "distance"

export interface Fault {
  readonly source: FaultSource
  /** Epoch s: the last time before the fault, and the first after it, at which the source can be believed. */
  readonly from: number
  readonly to: number
  /** Describes the fault, to follow "its" in a `reason`. */
  readonly what: string
  /** m by which places throughout the fault may be off, where it is unknown which of them are; else 0. */
  readonly doubt: number
}

export const secondsText = (value: number): string => `${value.toFixed(2)} s`

/** The fault from its first and last point, extended to the sound points on either side where there are any. */
export const faultOf = (
  source: FaultSource,
  t: Float64Array,
  first: number,
  last: number,
  what: (duration: number) => string,
  doubt = 0
): Fault => {
  const from = t[Math.max(0, first - 1)]!
  const to = t[Math.min(t.length - 1, last + 1)]!
  return { source, from, to, what: what(to - from), doubt }
}

/** Points further apart than this, s, do not show what happened between them. */
const HOLE_S = 0.5

/** The points from the last hole before one to the next hole after it. */
export const betweenHoles = (t: Float64Array, at: number): readonly [first: number, last: number] => {
  let first = at
  while (first > 0 && t[first]! - t[first - 1]! <= HOLE_S) first--
  let last = at
  while (last + 1 < t.length && t[last + 1]! - t[last]! <= HOLE_S) last++
  return [first, last]
}
