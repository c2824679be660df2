/**
 * A lap's sectors among its session's laps: times and differences from the laps' official times, speeds from the
 * telemetry.
 */
import type { SectorAnalysis } from "../../domain/analysis/sectors.ts"
import { toMicros } from "../../domain/Time.ts"
import type { RecordedLap } from "../../domain/Lap.ts"
import { lowerBound, type PointBatch, RowBatch } from "../../domain/RowBatch.ts"
import { algorithmVersion } from "../algorithmVersion.ts"
import type { LapData } from "../place/alignment.ts"
import { bestSectors, isDerived, isTimed, sectorTimes, sourceOfBest, theoreticalBest } from "./comparable.ts"
import { isAbsent, missingChannels, PLACING } from "../missing.ts"
import { metresOf } from "../place/odometer.ts"

/** The points at the sector's ends are interpolated; without a point this near, s, that is impossible. */
const REACH_S = 2

type Span = readonly [from: number, to: number]

/**
 * The time span of each sector, epoch seconds: sector times are added up from the lap's start as far as they go; behind
 * a missing one, the later sectors are counted back from the lap's end. Null where neither works.
 */
const sectorSpans = (lap: RecordedLap): ReadonlyArray<Span | null> => {
  const times = sectorTimes(lap)
  const spans: Array<Span | null> = [null, null, null]
  let from = lap.startTime
  for (let s = 0; s < 3; s++) {
    const time = times[s]
    if (time === null || time === undefined) break
    spans[s] = [from, from + time]
    from += time
  }
  let to = lap.endTime
  for (let s = 2; s >= 0 && (spans[s] ?? null) === null; s--) {
    const time = times[s]
    if (time === null || time === undefined) break
    spans[s] = [to - time, to]
    to -= time
  }
  return spans
}

/** The points from `from` to `to`, with an interpolated one at either end; undefined where the points do not reach. */
const between = (points: PointBatch, from: number, to: number): PointBatch | undefined => {
  const t = points.timestamps
  const first = lowerBound(t, from)
  const last = lowerBound(t, to)
  if (last === 0 || first >= t.length || t[first]! - from > REACH_S || to - t[last - 1]! > REACH_S) {
    return undefined
  }
  const cut = RowBatch.allocate(last - first + 2, points.channels)
  for (const channel of points.channels) {
    const column = points.column(channel)
    const into = cut.column(channel)
    into.set(column.subarray(first, last), 1)
    into[0] = valueAt(t, column, from)
    into[cut.length - 1] = valueAt(t, column, to)
  }
  cut.timestamps[0] = from
  cut.timestamps[cut.length - 1] = to
  return cut
}

/** Linear between the points around `time`; constant beyond the ends. */
const valueAt = (t: Float64Array, column: Float64Array, time: number): number => {
  const after = lowerBound(t, time)
  if (after === 0) return column[0]!
  if (after === t.length || t[after] === time) return column[Math.min(after, t.length - 1)]!
  const share = (time - t[after - 1]!) / (t[after]! - t[after - 1]!)
  return column[after - 1]! + share * (column[after]! - column[after - 1]!)
}

const speedsIn = (points: PointBatch, span: Span | null) => {
  const none = { speedAvg: null, speedMax: null }
  if (span === null || !(span[1] > span[0])) return none
  const part = between(points, span[0], span[1])
  if (part === undefined) return none
  const speeds = part.column("speed")
  const silent = isAbsent(speeds)
  if (silent && isAbsent(part.column("position_x"))) return none
  let most = 0
  for (const speed of speeds) if (speed > most) most = speed
  const metres = metresOf(part)
  // For a feed without speed, the positions give the distance, and there is no top speed.
  return {
    speedAvg: toMicros((metres / (span[1] - span[0])) * 3.6),
    speedMax: most > 0 || (metres === 0 && !silent) ? toMicros(most) : null
  }
}

/**
 * The sectors of `lap`, compared with all laps of its session (with or without itself; in any order). Only the points
 * of this lap are needed.
 */
export const sectorAnalysis = (
  { lap, points }: LapData,
  session: ReadonlyArray<RecordedLap>
): SectorAnalysis => {
  const laps = session.some(({ id }) => id === lap.id) ? session : [...session, lap]
  const alike = laps.filter((other) => isDerived(other) === isDerived(lap))
  const best = bestSectors(alike)
  const others = bestSectors(alike.filter(({ id }) => id !== lap.id))
  const spans = sectorSpans(lap)
  const sectors = sectorTimes(lap).map((time, s) => {
    const least = best[s] ?? null
    const comparable = time !== null && least !== null && (others[s] ?? null) !== null
    return {
      sectorNumber: s + 1,
      time,
      delta: comparable ? toMicros(time - least) : null,
      ...speedsIn(points, spans[s] ?? null)
    }
  })
  return {
    algorithmVersion,
    lapId: lap.id,
    sectorSource: lap.sectorSource ?? null,
    sectors,
    totalTime: isTimed(lap) ? lap.lapTime : null,
    theoreticalBest: theoreticalBest(laps),
    theoreticalBestSource: sourceOfBest(laps),
    missingChannels: missingChannels([points], PLACING)
  }
}
