/** The laps to predict, and their groups, computed from the whole session afterwards, alike for all methods. */
import { comparableLaps, isTimed, type TimedLap } from "../../../src/analysis/compare/comparable.ts"
import { type UsedLap, usedLaps } from "../../../src/analysis/predictions/usedLaps.ts"
import { MIN_LAPS } from "../../../src/analysis/predictions/walk.ts"
import { median, OUTLIER_Z, robustSigma } from "../../../src/analysis/math/robust.ts"
import type { RecordedLap } from "../../../src/domain/Lap.ts"
import type { Series } from "../../../test/analysis/lapTimeSeries.ts"

export interface Case {
  readonly series: Series
  /** All laps before the predicted one: the knowledge of a method. */
  readonly before: ReadonlyArray<RecordedLap>
  /** The laps at pace among them, as known at that time; at least three. */
  readonly known: ReadonlyArray<UsedLap>
  /** Number of missed laps since the last of them. */
  readonly missed: number
  readonly next: TimedLap
  readonly atPace: boolean
  /** At pace, and no outlier. */
  readonly ordinary: boolean
  readonly groups: ReadonlyArray<string>
}

/** Laps to each side that are used to judge a lap. */
const NEIGHBOURS = 4
/** The least spread, as a share of the lap time. */
const FLOOR = 0.003
/** From this lap of a stint on, the stint counts as long. */
const LONG_STINT = 15

/** Distance of a lap from the laps at pace before and after it, in their spreads; above 0 is slower. */
const distances = (pace: ReadonlyArray<TimedLap>): ReadonlyMap<RecordedLap, number> =>
  new Map(
    pace.map((lap, at) => {
      const around = [
        ...pace.slice(Math.max(0, at - NEIGHBOURS), at),
        ...pace.slice(at + 1, at + 1 + NEIGHBOURS)
      ].map(({ lapTime: lap_time }) => lap_time)
      const middle = median(around)
      const spread = Math.max(robustSigma(around), FLOOR * middle)
      return [lap, around.length === 0 ? 0 : (lap.lapTime - middle) / spread]
    })
  )

/** The place of each lap at pace in its stint, from 1: a lap off the pace ends a stint. */
const placesInStint = (used: ReadonlyArray<UsedLap>): ReadonlyMap<RecordedLap, number> => {
  let place = 0
  return new Map(
    used.map(({ lap, missed }) => {
      place = missed > 0 ? 1 : place + 1
      return [lap, place]
    })
  )
}

export const casesOf = (series: Series): ReadonlyArray<Case> => {
  const { laps } = series
  const pace = comparableLaps(laps)
  const inPace = new Set<RecordedLap>(pace)
  const away = distances(pace)
  const place = placesInStint(usedLaps(laps).used)
  return laps.flatMap((next, at) => {
    const before = laps.slice(0, at)
    const { missed, used } = usedLaps(before)
    if (!isTimed(next) || used.length < MIN_LAPS) return []
    const last = laps[at - 1]!
    const slow = (lap: RecordedLap) => (away.get(lap) ?? 0) > OUTLIER_Z
    const afterOutlier = inPace.has(last) && Math.abs(away.get(last)!) > OUTLIER_Z
    const groups = [
      "all",
      series.event,
      ...((place.get(next) ?? 0) > LONG_STINT ? ["after the 15th lap of a stint"] : []),
      ...(missed > 0 ? ["after laps not at pace"] : []),
      ...(missed > 0 && slow(used.at(-1)!.lap) ? ["after an in-lap"] : []),
      ...(afterOutlier ? ["after an outlier"] : [])
    ]
    const atPace = inPace.has(next)
    const ordinary = atPace && Math.abs(away.get(next)!) <= OUTLIER_Z
    return [{ series, before, known: used, missed, next, atPace, ordinary, groups }]
  })
}
