/** How similar a session's laps are: in time, and in their line across the road. */
import type { SessionConsistency } from "../../domain/analysis/consistency.ts"
import type { OfLaps } from "../../domain/analysis/parts.ts"
import { toMicros } from "../../domain/Time.ts"
import type { RecordedLap } from "../../domain/Lap.ts"
import { algorithmVersion } from "../algorithmVersion.ts"
import type { Alignment } from "../place/alignment.ts"
import { comparableLaps } from "./comparable.ts"
import { mean, median, quantile, robustSigma, standardDeviation } from "../math/robust.ts"
import { touches } from "./stretches.ts"

export type Consistency = Omit<OfLaps<SessionConsistency>, "missingChannels">
type TimeSpread = SessionConsistency["times"]
type LineSpread = NonNullable<SessionConsistency["line"]>

const MIN_LAPS = 3
/** Approximate distance between the nodes in the answer, m: a line changes slowly. */
const TOLD_M = 10

const orNull = (value: number): number | null => (Number.isFinite(value) ? toMicros(value) : null)

/** Takes all laps of a session, in any order. */
export const timeSpread = (session: ReadonlyArray<RecordedLap>): TimeSpread => {
  const times = comparableLaps(session).map((lap) => lap.lapTime)
  const spread = times.length < 2 ? Number.NaN : robustSigma(times)
  const centre = median(times)
  return {
    laps: times.length,
    best: times.length === 0 ? null : Math.min(...times),
    mean: orNull(mean(times)),
    median: orNull(centre),
    standardDeviation: orNull(standardDeviation(times)),
    robustDeviation: orNull(spread),
    interquartileRange: times.length < 2 ? null : orNull(quantile(times, 0.75) - quantile(times, 0.25)),
    relative: orNull(spread / centre)
  }
}

/**
 * A lap's place across the road at a node is its distance from the reference lap along the reference's normal. A shift
 * or a rotation of the coordinates does not change it.
 */
export const lineSpread = ({ grid, hasPositions, laps, reference }: Alignment): LineSpread | null => {
  const pace = new Set(comparableLaps(laps.map(({ lap }) => lap)).map(({ id }) => id))
  const chosen = laps.filter(({ complete, lap }) => pace.has(lap.id) && complete)
  if (!hasPositions || chosen.length < MIN_LAPS) return null
  const { distance } = grid
  const last = distance.length - 1
  const every = Math.max(1, Math.round(TOLD_M / grid.step))
  const places: Array<number> = []
  const spreads: Array<number> = []
  for (let k = 0; k <= last; k += every) {
    const a = Math.max(0, k - 1)
    const b = Math.min(last, k + 1)
    const tangentX = reference.x[b]! - reference.x[a]!
    const tangentY = reference.y[b]! - reference.y[a]!
    const length = Math.hypot(tangentX, tangentY)
    const across: Array<number> = []
    for (const lap of chosen) {
      if (touches(lap.unsound, distance[k]!)) continue
      const dx = lap.x[k]! - reference.x[k]!
      const dy = lap.y[k]! - reference.y[k]!
      across.push((tangentX * dy - tangentY * dx) / length)
    }
    if (across.length < MIN_LAPS || !(length > 0)) continue
    places.push(toMicros(distance[k]!))
    spreads.push(toMicros(robustSigma(across)))
  }
  if (places.length === 0) return null
  let widest = 0
  for (let k = 1; k < spreads.length; k++) if (spreads[k]! > spreads[widest]!) widest = k
  return {
    laps: chosen.length,
    distance: places,
    spread: spreads,
    median: toMicros(median(spreads)),
    widest: { distance: places[widest]!, spread: spreads[widest]! }
  }
}

/** `alignment`: the session's timed laps, where they can be aligned. */
export const consistency = (
  session: ReadonlyArray<RecordedLap>,
  alignment: Alignment | undefined
): Consistency => ({
  algorithmVersion,
  times: timeSpread(session),
  line: alignment === undefined ? null : lineSpread(alignment)
})
