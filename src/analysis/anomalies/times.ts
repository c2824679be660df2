/** Laps and sectors with unusually long official times. */
import { isDerived, isTimed, sectorTimes, type TimedLap } from "../compare/comparable.ts"
import { leavingOneOut, modifiedZ } from "../math/robust.ts"
import { rounded, severityOf } from "./anomaly.ts"
import type { Finding } from "../../domain/analysis/anomalies.ts"
import type { SessionEvidence } from "./evidence.ts"
import { costFields } from "./cost.ts"
import { outlierBeyond, usuallyWithin } from "./fewLaps.ts"

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

/** Compares a lap's value with those of all other laps that have one. */
const heldAgainst = (laps: ReadonlyArray<TimedLap>, valueOf: (lap: TimedLap) => number | null) => {
  const values = laps.flatMap((lap) => valueOf(lap) ?? [])
  const without = leavingOneOut(values)
  const ids = new Set(laps.map(({ id }) => id))
  return ({ id }: TimedLap, own: number | null) => without(ids.has(id) ? own : null)
}

/** `launches`: seconds that a lap lost because it started from standstill or rolling, by lap id. */
export const slowTimes = (
  { atPace, enough, laps }: Pick<SessionEvidence, "atPace" | "enough" | "laps">,
  launches: ReadonlyMap<number, number>
): ReadonlyArray<Finding> => {
  if (!enough) return []
  const found: Array<Finding> = []
  const wholeOf = heldAgainst(atPace, ({ lapTime: lap_time }) => lap_time)
  const sectorsOf = [true, false].map((derived) => {
    const alike = atPace.filter((lap) => isDerived(lap) === derived)
    return [0, 1, 2].map((s) => heldAgainst(alike, (lap) => sectorTimes(lap)[s]!))
  })
  for (const { distanceAt, lap } of laps) {
    if (!isTimed(lap)) continue
    const launch = launches.get(lap.id) ?? 0
    const whole = wholeOf(lap, lap.lapTime)
    if (whole.count < MIN_OTHERS) continue
    const lost = lap.lapTime - whole.centre - launch
    const z = modifiedZ(lost, 0, whole.sigma, LAP_FLOOR * whole.centre)
    const common = { lapId: lap.id, lapNumber: lap.lapNumber }
    const most = LAP_MOST * whole.centre
    const slow = lost > outlierBeyond(whole.count, whole.sigma, LAP_FLOOR * whole.centre, most)
    if (slow) {
      const uncertainty = usuallyWithin(whole.count, whole.sigma, most)
      found.push({
        ...common,
        type: "slow_lap",
        timestamp: lap.startTime,
        distance: 0,
        value: rounded(lap.lapTime),
        expected: rounded(whole.centre + launch),
        severity: severityOf(lost),
        description:
          `Lap ${lap.lapNumber} took ${lap.lapTime.toFixed(3)} s, ${lost.toFixed(3)} s more than ` +
          `the median of the ${whole.count} other laps at pace`,
        channel: "lap_time",
        z: rounded(z),
        lapsInBaseline: whole.count,
        duration: rounded(lap.lapTime),
        ...costFields({ seconds: lost, uncertainty, laps: whole.count })
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
      const over = time - sector.centre - (s === 0 ? launch : 0)
      const score = modifiedZ(over, 0, sector.sigma, SECTOR_FLOOR * sector.centre)
      const widest = SECTOR_MOST * sector.centre
      const limit = outlierBeyond(sector.count, sector.sigma, SECTOR_FLOOR * sector.centre, widest)
      if (over <= limit || (slow && over < MAIN_SHARE * lost)) return
      const uncertainty = usuallyWithin(sector.count, sector.sigma, widest)
      found.push({
        ...common,
        type: "off_pace_sector",
        timestamp: began,
        distance: placed ? round(distanceAt(began)) : null,
        value: rounded(time),
        expected: rounded(sector.centre + (s === 0 ? launch : 0)),
        severity: severityOf(over),
        description:
          `Sector ${s + 1}${isDerived(lap) ? " (derived: no official one)" : ""} of lap ${lap.lapNumber} took ${time.toFixed(3)} s, ${over.toFixed(3)} s more ` +
          `than the median of the ${sector.count} other laps at pace`,
        channel: `sector${s + 1}_time`,
        z: rounded(score),
        lapsInBaseline: sector.count,
        duration: rounded(time),
        ...costFields({ seconds: over, uncertainty, laps: sector.count })
      })
    })
  }
  return found
}

const round = (distance: number | null) => (distance === null ? null : rounded(distance))
