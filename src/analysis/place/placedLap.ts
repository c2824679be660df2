/** A lap's distance from the line at each time, where no source reports it: computed by its alignment. */
import { align, type LapData } from "./alignment.ts"
import { beginsAt } from "./beginsAt.ts"

/** Nodes of about a metre; both columns increase. */
export interface PlacedLap {
  /** Epoch seconds. */
  readonly times: Float64Array
  /** m from the line, along the line that all laps of the session are placed on. */
  readonly distance: Float64Array
}

/**
 * Places the first of the laps on the line of the best of them. Undefined where that is impossible: for a lap without
 * places and speeds, and for one without a time, which need not lead from line to line, unless positions place it on
 * another lap's line.
 */
export const placedLap = (laps: ReadonlyArray<LapData>): PlacedLap | undefined => {
  const alignment = align(laps)
  const [lap] = laps
  const own = alignment?.laps[0]
  if (alignment === undefined || lap === undefined || own === undefined || !own.isPlaced) return undefined
  const byOthers = alignment.method !== "speed" && alignment.reference !== own
  if (lap.lap.lapTime === null && !byOthers) return undefined
  const { startTime } = lap.lap
  const zero = beginsAt(own, alignment)
  const times = own.time.map((time) => zero + time)
  // A lap has not gone far before the crossing that the positions show.
  times[0] = Math.min(times[0]!, startTime)
  return { times, distance: alignment.grid.distance }
}
