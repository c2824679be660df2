/** How far from the line a lap was at each time, where no source tells it: as its alignment places it. */
import { align, type LapData } from "./alignment.ts"

/** Nodes of about a metre; both increase, and neither goes back. */
export interface PlacedLap {
  /** Epoch seconds. */
  readonly times: Float64Array
  /** m from the line, along the line that all laps of the session are placed on. */
  readonly distance: Float64Array
}

/**
 * The first of the laps on the line of the best of them. Undefined where that cannot be known: of a lap without places and speeds, and of
 * one without a time, which need not lead from line to line, unless positions place it on another's line.
 */
export const placedLap = (laps: ReadonlyArray<LapData>): PlacedLap | undefined => {
  const alignment = align(laps)
  const [lap] = laps
  const own = alignment?.laps[0]
  if (alignment === undefined || lap === undefined || own === undefined || !own.isPlaced) return undefined
  const byOthers = alignment.method !== "speed" && alignment.reference !== own
  if (lap.lap.lapTime === null && !byOthers) return undefined
  const { startTime } = lap.lap
  const zero = startTime + (alignment.ends === "positions" ? own.line[0] : 0)
  const times = own.time.map((time) => zero + time)
  // Before the line that the positions show, a lap has not gone far.
  times[0] = Math.min(times[0]!, startTime)
  return { times, distance: alignment.grid.distance }
}
