/** Points that are missing, and clocks that ran on while the drive stood still. */
import { hasPositions } from "../tells.ts"
import { rounded, type Anomaly } from "./anomaly.ts"
import type { LapEvidence, SessionEvidence } from "./evidence.ts"

/** A car at this speed or more does not stand the next moment, km/h. */
const DRIVING_KMH = 20
/** Of the way that its speed promised a car that was driving covers more than this. */
const DROVE_ON = 0.5
/** A car that stands sends points all the same; none for this long is a simulator that stood, s and m. */
const LONG_S = 5
const SAME_PLACE_M = 2

interface Hole {
  readonly from: number
  readonly to: number
  /** Where in the lap: the index of the point after it; 0 at the lap's start. */
  readonly after: number
}

/**
 * The holes of a lap. What is missing over a line counts to the lap that misses more of it: `before` is when the
 * last point of the lap before was, if that lap ended where this one begins.
 */
const holesOf = (
  { lap, points }: LapEvidence,
  gap: number,
  before: number | undefined,
  next: number | undefined
): ReadonlyArray<Hole> => {
  const t = points.timestamps
  const holes: Array<Hole> = []
  const first = t[0] ?? lap.end_time
  const last = t.at(-1) ?? lap.end_time
  const early = first - lap.start_time
  if (first - (before ?? lap.start_time) > gap && early >= lap.start_time - (before ?? lap.start_time)) {
    holes.push({ from: before ?? lap.start_time, to: first, after: 0 })
  }
  for (let i = 1; i < t.length; i++) {
    if (t[i]! - t[i - 1]! > gap) holes.push({ from: t[i - 1]!, to: t[i]!, after: i })
  }
  const late = lap.end_time - last
  if (t.length > 0 && (next ?? lap.end_time) - last > gap && late > (next ?? lap.end_time) - lap.end_time) {
    holes.push({ from: last, to: next ?? lap.end_time, after: t.length })
  }
  return holes
}

/** m between the points on either side; undefined where there are none, or no positions. */
const wayOver = ({ column, points }: LapEvidence, { after }: Hole): number | undefined => {
  if (after === 0 || after >= points.length || !hasPositions(points)) return undefined
  const x = column("position_x")
  const y = column("position_y")
  return Math.hypot(x[after]! - x[after - 1]!, y[after]! - y[after - 1]!)
}

/** Whether the car is after the hole where it was before, though it had been driving or much time went by. */
const stoodStill = (evidence: LapEvidence, hole: Hole): boolean => {
  const way = wayOver(evidence, hole)
  if (way === undefined) return false
  const seconds = hole.to - hole.from
  const speed = evidence.column("speed")
  const told = (speed[hole.after - 1]! + speed[hole.after]!) / 2
  // Without a speed only who is at the same place stood there.
  const usual = Number.isNaN(told) ? 0 : told
  return usual > DRIVING_KMH
    ? way < DROVE_ON * (usual / 3.6) * seconds
    : seconds > LONG_S && way < Math.max(SAME_PLACE_M, (usual / 3.6) * 2)
}

const atSpeed = (speed: number) => (Number.isNaN(speed) ? "" : `, at ${Math.round(speed)} km/h`)

/** Whether one lap begins where the other ends. */
const joined = (end: LapEvidence | undefined, start: LapEvidence | undefined) =>
  end !== undefined && start !== undefined && Math.abs(end.lap.end_time - start.lap.start_time) < 1e-3

/** `data_gap` for every hole, and `pause` besides where the car did not drive on during it. */
export const missingPoints = ({ gap, laps }: SessionEvidence): ReadonlyArray<Anomaly> => {
  const found: Array<Anomaly> = []
  laps.forEach((evidence, l) => {
    const { distanceAt, lap, points } = evidence
    const previous = laps[l - 1]
    const following = laps[l + 1]
    const before = joined(previous, evidence) ? previous!.points.timestamps.at(-1) : undefined
    const next = joined(evidence, following) ? following!.points.timestamps[0] : undefined
    for (const hole of holesOf(evidence, gap, before, next)) {
      const { from, to } = hole
      const duration = to - from
      const at = distanceAt(Math.max(from, lap.start_time))
      const distance = at === null ? null : rounded(at)
      const metres = distance === null ? "" : ` from ${Math.round(distance)} m`
      const base = {
        lap_id: lap.id,
        lap_number: lap.lap_number,
        timestamp: from,
        distance,
        value: rounded(duration),
        expected: rounded(gap),
        channel: "timestamp",
        z: null,
        laps_in_baseline: 0,
        duration: rounded(duration),
        cost: null
      } as const
      const still = stoodStill(evidence, hole)
      // In the garage nothing is missed.
      if (lap.lap_time === null && !still && (wayOver(evidence, hole) ?? Infinity) < SAME_PLACE_M) continue
      found.push({
        ...base,
        type: "data_gap",
        severity: duration > 1 ? "high" : duration > 0.5 ? "medium" : "low",
        description: `Lap ${lap.lap_number} has no points for ${duration.toFixed(2)} s${metres}`
      })
      if (still) {
        found.push({
          ...base,
          type: "pause",
          severity: "high",
          description:
            `The drive was paused for ${duration.toFixed(2)} s on lap ${lap.lap_number}${metres}: ` +
            `after it the car is where it was${atSpeed(points.column("speed")[hole.after]!)}`
        })
      }
    }
  })
  return found
}
