/** Laps and sectors with unusually long official times. */
import { isDerived, isTimed, sectorTimes, type TimedLap } from "../compare/comparable.ts"
import { type Baseline, leavingOneOut, modifiedZ } from "../math/robust.ts"
import { rounded } from "./anomaly.ts"
import type { Finding } from "../../domain/analysis/anomalies.ts"
import type { SessionEvidence } from "./evidence.ts"
import { costFields, severityOf } from "./cost.ts"
import { outlierBeyond, tailSigma, usuallyWithin } from "./fewLaps.ts"

/** Good drivers repeat a lap to some tenths of a percent; a smaller spread in few laps is luck. */
const LAP_FLOOR = 0.003
/** A sector is a third of a lap, with less to average over. */
const SECTOR_FLOOR = 0.004
/** The spread of the least constant drivers at pace, for laps and for sectors. */
const LAP_MOST = 0.01
const SECTOR_MOST = 0.015
/** A median of fewer others than this is one lap's time. */
export const MIN_OTHERS = 2
/** On a lap that is slow as a whole, a sector is reported only when it holds at least this share of the loss. */
const MAIN_SHARE = 0.5

/** Compares a lap's value with those of all other laps that have one, as they would be at the lap's own pace. */
const heldAgainst = (
  laps: ReadonlyArray<TimedLap>,
  levelOf: SessionEvidence["levelOf"],
  valueOf: (lap: TimedLap) => number | null
) => {
  const atMiddle = (lap: TimedLap, value: number) => value / levelOf(lap.id)
  const values = laps.flatMap((lap) => {
    const value = valueOf(lap)
    return value === null ? [] : atMiddle(lap, value)
  })
  const without = leavingOneOut(values)
  const tail = tailSigma(values)
  const ids = new Set(laps.map(({ id }) => id))
  return (lap: TimedLap, own: number | null): Baseline => {
    const level = levelOf(lap.id)
    const { centre, count, sigma } = without(ids.has(lap.id) && own !== null ? atMiddle(lap, own) : null)
    return { centre: centre * level, sigma: Math.max(sigma, tail) * level, count }
  }
}

/** Seconds that findings at places of a lap explain between two instants (epoch s): one event is one finding. */
export type Explained = (lap: TimedLap, from: number, to: number) => number

export const slowTimes = (
  { atPace, enough, laps, levelOf }: Pick<SessionEvidence, "atPace" | "enough" | "laps" | "levelOf">,
  explainedIn: Explained
): ReadonlyArray<Finding> => {
  if (!enough) return []
  const found: Array<Finding> = []
  const wholeOf = heldAgainst(atPace, levelOf, ({ lapTime }) => lapTime)
  const sectorsOf = [true, false].map((derived) => {
    const alike = atPace.filter((lap) => isDerived(lap) === derived)
    return [0, 1, 2].map((s) => heldAgainst(alike, levelOf, (lap) => sectorTimes(lap)[s]!))
  })
  for (const { distanceAt, known: kind, lap } of laps) {
    // The time of a lap with a stop, or behind a safety car, says nothing about its driver.
    if (!isTimed(lap) || kind.kinds.size > 0) continue
    const whole = wholeOf(lap, lap.lapTime)
    if (whole.count < MIN_OTHERS) continue
    const lost = lap.lapTime - whole.centre
    const z = modifiedZ(lost, 0, whole.sigma, LAP_FLOOR * whole.centre)
    const basis = (others: number) =>
      `the median of the ${others} other laps at pace${levelOf(lap.id) === 1 ? "" : ", as the pace was then"}`
    const common = { lapId: lap.id, lapNumber: lap.lapNumber }
    const most = LAP_MOST * whole.centre
    const beyond = outlierBeyond(whole.count, whole.sigma, LAP_FLOOR * whole.centre, most)
    const slow = lost > beyond
    if (lost - explainedIn(lap, lap.startTime, lap.startTime + lap.lapTime) > beyond) {
      const uncertainty = usuallyWithin(whole.count, whole.sigma, most)
      found.push({
        ...common,
        type: "slow_lap",
        timestamp: lap.startTime,
        distance: 0,
        value: rounded(lap.lapTime),
        expected: rounded(whole.centre),
        severity: severityOf({ seconds: lost, uncertainty }),
        description:
          `Lap ${lap.lapNumber} took ${lap.lapTime.toFixed(3)} s, ${lost.toFixed(3)} s more than ` +
          `${basis(whole.count)}`,
        channel: "lap_time",
        z: rounded(z),
        lapsInBaseline: whole.count,
        duration: rounded(lap.lapTime),
        ...costFields({ seconds: lost, uncertainty })
      })
    }
    let from = lap.startTime
    let known = true
    sectorTimes(lap).forEach((time, s) => {
      const began = from
      // After a sector without a time, the start of the next one is unknown.
      const placed = known
      if (time === null) known = false
      else from += time
      const sector = sectorsOf[isDerived(lap) ? 0 : 1]![s]!(lap, time)
      if (time === null || sector.count < MIN_OTHERS) return
      const over = time - sector.centre
      const score = modifiedZ(over, 0, sector.sigma, SECTOR_FLOOR * sector.centre)
      const widest = SECTOR_MOST * sector.centre
      const limit = outlierBeyond(sector.count, sector.sigma, SECTOR_FLOOR * sector.centre, widest)
      if (over <= limit || (slow && over < MAIN_SHARE * lost)) return
      if (placed && over - explainedIn(lap, began, from) <= limit) return
      const uncertainty = usuallyWithin(sector.count, sector.sigma, widest)
      found.push({
        ...common,
        type: "off_pace_sector",
        timestamp: began,
        distance: placed ? round(distanceAt(began)) : null,
        value: rounded(time),
        expected: rounded(sector.centre),
        severity: severityOf({ seconds: over, uncertainty }),
        description:
          `Sector ${s + 1}${isDerived(lap) ? " (derived: no official one)" : ""} of lap ${lap.lapNumber} took ${time.toFixed(3)} s, ${over.toFixed(3)} s more ` +
          `than ${basis(sector.count)}`,
        channel: `sector${s + 1}_time`,
        z: rounded(score),
        lapsInBaseline: sector.count,
        duration: rounded(time),
        ...costFields({ seconds: over, uncertainty })
      })
    })
  }
  return found
}

const round = (distance: number | null) => (distance === null ? null : rounded(distance))
