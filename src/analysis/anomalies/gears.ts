/** Missed gears: the engine turns, but does not drive the wheels. */
import { median } from "../math/robust.ts"
import { rounded, severityOf } from "./anomaly.ts"
import type { Finding } from "../../domain/analysis/anomalies.ts"
import type { LapEvidence, SessionEvidence } from "./evidence.ts"
import { costFields } from "./cost.ts"
import type { CostOf } from "./places.ts"
import { MAX_GEARS } from "./values.ts"

/** Below this the clutch slips, and a car may be standing in neutral, km/h. */
const DRIVING_KMH = 40
/** A change of gear by hand takes some tenths; a longer time without drive is a missed gear, s. */
const SHIFT_S = 0.35
/** No driver is on the throttle without a gear on purpose. */
const ON_THROTTLE = 0.2
/** The engine turns this much faster than the gear implies: more than wheels spin on a dry road. */
const OVER_TURNS = 1.3
const MIN_POINTS = 3
const MIN_FOR_RATIO = 50
const SAMPLED = 20_000

/** Revolutions per km/h in each forward gear, by the session's median; NaN where a gear was hardly used. */
const ratiosOf = (laps: ReadonlyArray<LapEvidence>): ReadonlyArray<number> => {
  const total = laps.reduce((sum, { points }) => sum + points.length, 0)
  const every = Math.max(1, Math.floor(total / SAMPLED))
  const rows: Array<Array<number>> = []
  for (const { column } of laps) {
    const [speed, rpm, gear, throttle] = [column("speed"), column("rpm"), column("gear"), column("throttle")]
    for (let i = 0; i < speed.length; i += every) {
      const forward = gear[i]! >= 1 && gear[i]! <= MAX_GEARS
      const driven = speed[i]! >= DRIVING_KMH && throttle[i]! >= ON_THROTTLE
      if (!driven || !(rpm[i]! > 0) || !forward) continue
      ;(rows[gear[i]!] ??= []).push(rpm[i]! / speed[i]!)
    }
  }
  return Array.from(rows, (row) =>
    row === undefined || row.length < MIN_FOR_RATIO ? Number.NaN : median(row)
  )
}

export const missedGears = ({ gap, laps }: SessionEvidence, costOf: CostOf): ReadonlyArray<Finding> => {
  const found: Array<Finding> = []
  const ratios = ratiosOf(laps)
  // A feed without gears may send 0 all the time, which is not neutral.
  if (!ratios.some((ratio) => ratio > 0)) return found
  for (const evidence of laps) {
    const { column, distanceAt, lap, points } = evidence
    const t = points.timestamps
    const [speed, rpm, gear, throttle] = [column("speed"), column("rpm"), column("gear"), column("throttle")]
    const undriven = (i: number): boolean => {
      if (!(speed[i]! >= DRIVING_KMH && throttle[i]! >= ON_THROTTLE)) return false
      const ratio = ratios[gear[i]!]
      return gear[i] === 0 || (ratio !== undefined && rpm[i]! > OVER_TURNS * ratio * speed[i]!)
    }
    let from = -1
    for (let i = 0; i <= t.length; i++) {
      const goes = i < t.length && undriven(i) && (from < 0 || t[i]! - t[i - 1]! <= gap)
      if (goes && from < 0) from = i
      if (goes || from < 0) continue
      const last = i - 1
      const duration = t[last]! - t[from]!
      // An engine without load does not push: a car that gains speed has a gear.
      const pushed = speed[last]! - speed[from]! > 3.6 * 2 * duration
      if (duration >= SHIFT_S && last - from + 1 >= MIN_POINTS && !pushed) {
        const at = distanceAt(t[from]!)
        const cost = costOf(lap.id, t[from]!, t[last]!)
        const neutral = gear[from] === 0
        const expected = neutral ? (gear[from - 1] ?? 0) : ratios[gear[from]!]! * speed[from]!
        found.push({
          lapId: lap.id,
          lapNumber: lap.lapNumber,
          type: "missed_gear",
          timestamp: t[from]!,
          distance: at === null ? null : rounded(at),
          value: rounded(neutral ? gear[from]! : rpm[from]!),
          expected: rounded(expected),
          severity: severityOf(cost?.seconds ?? 0),
          description:
            `Lap ${lap.lapNumber} had no gear for ${duration.toFixed(2)} s` +
            (at === null ? "" : ` from ${Math.round(at)} m`) +
            `, on the throttle at ${Math.round(speed[from]!)} km/h`,
          channel: neutral ? "gear" : "rpm",
          z: null,
          lapsInBaseline: cost?.laps ?? 0,
          duration: rounded(duration),
          ...costFields(cost)
        })
      }
      from = -1
    }
  }
  return found
}
