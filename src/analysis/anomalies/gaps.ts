/** Missing points, and clocks that went on while the simulation was paused. */
import { quantile } from "../math/robust.ts"
import { hasPositions } from "../place/tells.ts"
import { rounded } from "./anomaly.ts"
import type { Finding } from "../../domain/analysis/anomalies.ts"
import type { LapEvidence, SessionEvidence } from "./evidence.ts"

/** A car at this speed or more is not standing a moment later, km/h. */
const DRIVING_KMH = 20
/** A slower car stands, km/h: the speed of some feeds never is 0. */
const STANDING_KMH = 1
/** A car that drove on covers more than this share of the way that its speed implies. */
const DROVE_ON = 0.5
/** A standing car still sends points; no points for this long mean that the simulator stopped, s and m. */
const LONG_S = 5
const SAME_PLACE_M = 2

/** The assumed range of a car's acceleration where no speed is reported, m/s^2. */
const USUAL_MS2 = 10
/** Half of the time over which acceleration is measured, s: over less it is the noise of two points. */
const SLOPE_S = 0.4
const SAMPLED = 20_000
/** The share cut off at either end of the accelerations, as glitches. */
const MIN_SHARE = 0.01
/** The car's movement is unknown if it may have been this far from where it is assumed, m. */
const LOST_M = 50
/** A delta with this uncertainty shows nothing about a corner, s (trust.ts); with the other, nothing about a tenth. */
const HIDES_ALL_S = 0.25
const HIDES_MUCH_S = 0.1
/**
 * A distance is turned to time at this speed at least, m/s, so that metres of a crawling car do not become many
 * seconds.
 */
const SLOWEST_MS = 5

interface Hole {
  readonly from: number
  readonly to: number
  /** The index of the point after the hole; 0 at the lap's start. */
  readonly after: number
}

/**
 * The holes of a lap. A hole across the line belongs to the lap that misses more of it. `before`: the time of the last
 * point of the lap before, if that lap ended where this one begins.
 */
const holesOf = (
  { lap, points }: LapEvidence,
  gap: number,
  before: number | undefined,
  next: number | undefined
): ReadonlyArray<Hole> => {
  const t = points.timestamps
  const holes: Array<Hole> = []
  const first = t[0] ?? lap.endTime
  const last = t.at(-1) ?? lap.endTime
  const early = first - lap.startTime
  if (first - (before ?? lap.startTime) > gap && early >= lap.startTime - (before ?? lap.startTime)) {
    holes.push({ from: before ?? lap.startTime, to: first, after: 0 })
  }
  for (let i = 1; i < t.length; i++) {
    if (t[i]! - t[i - 1]! > gap) holes.push({ from: t[i - 1]!, to: t[i]!, after: i })
  }
  const late = lap.endTime - last
  if (t.length > 0 && (next ?? lap.endTime) - last > gap && late > (next ?? lap.endTime) - lap.endTime) {
    holes.push({ from: last, to: next ?? lap.endTime, after: t.length })
  }
  return holes
}

/**
 * Half the range of the accelerations of the session's cars, m/s^2: the unseen acceleration may differ from the assumed
 * one by as much.
 */
const rangeOf = (laps: ReadonlyArray<LapEvidence>, gap: number): number => {
  const total = laps.reduce((sum, { points }) => sum + points.length, 0)
  const every = Math.max(1, Math.floor(total / SAMPLED))
  const slopes: Array<number> = []
  for (const { column, points } of laps) {
    const t = points.timestamps
    const speed = column("speed")
    for (let i = 0, j = 0; i < t.length; i += every) {
      while (j < t.length && t[j]! - t[i]! < SLOPE_S) j++
      if (j >= t.length) break
      const slope = (speed[j]! - speed[i]!) / 3.6 / (t[j]! - t[i]!)
      if (t[j]! - t[i]! <= SLOPE_S + gap && !Number.isNaN(slope)) slopes.push(slope)
    }
  }
  if (slopes.length === 0) return USUAL_MS2
  return (quantile(slopes, 1 - MIN_SHARE) - quantile(slopes, MIN_SHARE)) / 2
}

/**
 * The uncertainty of a car's place within a hole. If place and speed are known on both sides, the car is furthest from the
 * assumed place if it speeds up for a quarter of the time, slows down for a half, and speeds up for a quarter, each as hard
 * as it can (`range`, m/s^2): range T^2 / 16. The same in seconds decides the severity.
 */
const hiddenBy = ({ column, points }: LapEvidence, { after, from, to }: Hole, range: number) => {
  const seconds = to - from
  const metres = (range * seconds * seconds) / 16
  const speed = column("speed")
  const sides = [speed[after - 1] ?? Number.NaN, speed[after] ?? Number.NaN].filter((v) => !Number.isNaN(v))
  const pace = sides.reduce((sum, v) => sum + Math.abs(v) / 3.6, 0) / sides.length
  const late = points.length === 0 || sides.length === 0 ? seconds / 4 : metres / Math.max(SLOWEST_MS, pace)
  const severity = late >= HIDES_ALL_S ? "high" : late >= HIDES_MUCH_S ? "medium" : "low"
  const what =
    metres < LOST_M
      ? `: where it was in between is known to ${metres.toFixed(1)} m`
      : ": nobody knows what it did meanwhile"
  return { severity, what } as const
}

/** m between the points on either side; undefined where there are none, or no positions. */
const wayOver = ({ column, points }: LapEvidence, { after }: Hole): number | undefined => {
  if (after === 0 || after >= points.length || !hasPositions(points)) return undefined
  const x = column("position_x")
  const y = column("position_y")
  return Math.hypot(x[after]! - x[after - 1]!, y[after]! - y[after - 1]!)
}

/** Whether the car is at the same place before and after the hole, although it was driving, or much time passed. */
const stoodStill = (evidence: LapEvidence, hole: Hole): boolean => {
  const way = wayOver(evidence, hole)
  if (way === undefined) return false
  const seconds = hole.to - hole.from
  const speed = evidence.column("speed")
  const reported = (speed[hole.after - 1]! + speed[hole.after]!) / 2
  // Without a speed, only a car at the same place after the hole counts as having stood.
  const usual = Number.isNaN(reported) ? 0 : reported
  return usual > DRIVING_KMH
    ? way < DROVE_ON * (usual / 3.6) * seconds
    : seconds > LONG_S && way < Math.max(SAME_PLACE_M, (usual / 3.6) * 2)
}

/** Whether the car stands on either side of the hole. */
const stands = ({ column }: LapEvidence, { after }: Hole): boolean =>
  Math.max(column("speed")[after - 1]!, column("speed")[after]!) < STANDING_KMH

const atSpeed = (speed: number) => (Number.isNaN(speed) ? "" : `, at ${Math.round(speed)} km/h`)

/** Whether one lap begins where the other ends. */
const joined = (end: LapEvidence | undefined, start: LapEvidence | undefined) =>
  end !== undefined && start !== undefined && Math.abs(end.lap.endTime - start.lap.startTime) < 1e-3

/** One finding for each hole: `pause` where the car did not drive on during it, else `data_gap`. */
export const missingPoints = ({ gap, hole: longest, laps }: SessionEvidence): ReadonlyArray<Finding> => {
  const found: Array<Finding> = []
  const range = rangeOf(laps, gap)
  laps.forEach((evidence, l) => {
    const { distanceAt, lap, points } = evidence
    const previous = laps[l - 1]
    const following = laps[l + 1]
    const before = joined(previous, evidence) ? previous!.points.timestamps.at(-1) : undefined
    const next = joined(evidence, following) ? following!.points.timestamps[0] : undefined
    for (const hole of holesOf(evidence, longest, before, next)) {
      const { from, to } = hole
      const duration = to - from
      const at = distanceAt(Math.max(from, lap.startTime))
      const distance = at === null ? null : rounded(at)
      const metres = distance === null ? "" : ` from ${Math.round(distance)} m`
      const base = {
        lapId: lap.id,
        lapNumber: lap.lapNumber,
        timestamp: from,
        distance,
        value: rounded(duration),
        expected: rounded(longest),
        channel: "timestamp",
        z: null,
        lapsInBaseline: 0,
        duration: rounded(duration),
        cost: null,
        costUncertainty: null
      } as const
      if (stoodStill(evidence, hole)) {
        found.push({
          ...base,
          type: "pause",
          severity: "high",
          description:
            `The drive was paused for ${duration.toFixed(2)} s on lap ${lap.lapNumber}${metres}: ` +
            `after it the car is where it was${atSpeed(points.column("speed")[hole.after]!)}`
        })
        continue
      }
      // In the garage, and where the car stands, missing points do not matter.
      const isThere = (wayOver(evidence, hole) ?? Infinity) < SAME_PLACE_M
      if (isThere && (lap.lapTime === null || stands(evidence, hole))) continue
      const { severity, what } = hiddenBy(evidence, hole, range)
      found.push({
        ...base,
        type: "data_gap",
        severity,
        description: `Lap ${lap.lapNumber} has no points for ${duration.toFixed(2)} s${metres}${what}`
      })
    }
  })
  return found
}
