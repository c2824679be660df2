/** Which laps of a session may be compared with each other. */
import { MAX_LAP_S } from "../../domain/lapLimits.ts"
import { toMicros } from "../../domain/Time.ts"
import type { RecordedLap, SectorSource } from "../../domain/Lap.ts"
import { median } from "../math/robust.ts"

/** A lap that was timed. */
export interface TimedLap extends RecordedLap {
  readonly lapTime: number
}

/** The 107 % rule of Formula 1's qualifying (FIA sporting regulations): a slower lap is not at pace. */
export const PACE = 1.07
/** A time under this share of the median is a timing fault, which must not make every other lap too slow. */
const ABSURD = 0.5

const isTime = (time: number | null): time is number => time !== null && time > 0 && time <= MAX_LAP_S

export const isTimed = (lap: RecordedLap): lap is TimedLap => isTime(lap.lapTime)

const isValid = (lap: RecordedLap): lap is TimedLap => lap.valid && isTimed(lap)

/** Valid, timed laps in the order driven. */
export const validLaps = (laps: ReadonlyArray<RecordedLap>): ReadonlyArray<TimedLap> =>
  laps.filter(isValid).sort(byStart)

/** Laps in the order driven. */
export const byStart = (a: RecordedLap, b: RecordedLap): number => a.startTime - b.startTime || a.id - b.id

/** The valid laps within 107 % of the best of them, in the order driven. */
export const comparableLaps = (laps: ReadonlyArray<RecordedLap>): ReadonlyArray<TimedLap> => {
  const valid = validLaps(laps)
  const least = ABSURD * median(valid.map((lap) => lap.lapTime))
  let best = Infinity
  for (const lap of valid) if (lap.lapTime >= least) best = Math.min(best, lap.lapTime)
  return valid.filter((lap) => lap.lapTime >= least && lap.lapTime <= PACE * best)
}

/** A lap's three sector times, null where not timed. */
export const sectorTimes = ({
  sector1Time: one,
  sector2Time: two,
  sector3Time: three
}: RecordedLap): readonly [number | null, number | null, number | null] => [
  isTime(one) ? one : null,
  isTime(two) ? two : null,
  isTime(three) ? three : null
]

export const isDerived = ({ sectorSource: sector_source }: RecordedLap): boolean =>
  sector_source === "derived"

/** Whether a valid lap has sectors that the service did not cut itself. The two kinds cannot be compared. */
const isReported = (lap: RecordedLap): boolean =>
  lap.valid && !isDerived(lap) && sectorTimes(lap).some((time) => time !== null)

/**
 * The least time of each sector over valid laps; null where none timed it. Derived sectors count only where there are
 * no others.
 */
export const bestSectors = (
  laps: ReadonlyArray<RecordedLap>
): readonly [number | null, number | null, number | null] => {
  const best: [number | null, number | null, number | null] = [null, null, null]
  const reported = laps.some(isReported)
  for (const lap of laps) {
    if (!lap.valid || (reported && isDerived(lap))) continue
    sectorTimes(lap).forEach((time, s) => {
      const least = best[s]
      if (time !== null) best[s] = least === null || least === undefined ? time : Math.min(least, time)
    })
  }
  return best
}

/** The sum of the session's best valid sectors, s; null where a sector was never timed on a valid lap. */
export const theoreticalBest = (laps: ReadonlyArray<RecordedLap>): number | null => {
  const [one, two, three] = bestSectors(laps)
  return one === null || two === null || three === null ? null : toMicros(one + two + three)
}

/** The source of the sectors in the theoretical best; null where there is none. */
export const sourceOfBest = (laps: ReadonlyArray<RecordedLap>): SectorSource | null => {
  if (theoreticalBest(laps) === null) return null
  return laps.some(isReported) ? "simulator" : "derived"
}
