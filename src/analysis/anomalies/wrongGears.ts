/** Wrong gears: the lap steps two gears or more, and soon as many back, and the engine does not go on as in the gear before. */
import { rounded } from "./anomaly.ts"
import type { Finding } from "../../domain/analysis/anomalies.ts"
import { costFields, severityOf } from "./cost.ts"
import { DRIVING_KMH, type Ratios } from "./engineSpeed.ts"
import type { LapEvidence, SessionEvidence } from "./evidence.ts"
import type { CostOf } from "./places.ts"

/** Drivers skip gears, but not there and back. */
const STEP = 2
/** A shorter one, s, is a change of gears that feeds show gear by gear. A gear that is held longer was meant. */
const LEAST_S = 0.3
const MOST_S = 2.5

interface Wrong {
  /** The first point in a wrong gear, and the first one out of it. */
  readonly from: number
  readonly to: number
}

const wrongIn = ({ column, points }: LapEvidence, ratios: Ratios, gap: number): ReadonlyArray<Wrong> => {
  const t = points.timestamps
  const [gear, rpm, speed] = [column("gear"), column("rpm"), column("speed")]
  /** Gears up (negative: down) to a point; 0 where either is none, or unknown. */
  const step = (i: number): number =>
    gear[i]! >= 1 && gear[i - 1]! >= 1 && t[i]! - t[i - 1]! <= gap ? gear[i]! - gear[i - 1]! : 0
  const isAway = (i: number, before: number): boolean => {
    const ratio = ratios[before]
    if (ratio === undefined || !(speed[i]! >= DRIVING_KMH)) return false
    return Math.abs(rpm[i]! / (ratio.centre * speed[i]!) - 1) > ratio.most
  }
  const found: Array<Wrong> = []
  for (let i = 1; i < t.length; i++) {
    const away = step(i)
    if (Math.abs(away) < STEP) continue
    for (let k = i; k + 1 < t.length && isAway(k, gear[i - 1]!) && t[k + 1]! - t[i]! <= MOST_S; k++) {
      const back = step(k + 1)
      if (Math.abs(back) < STEP || Math.sign(back) === Math.sign(away)) continue
      if (t[k + 1]! - t[i]! >= LEAST_S) found.push({ from: i, to: k + 1 })
      i = k + 1
      break
    }
  }
  return found
}

export const wrongGears = (
  { gap, laps }: SessionEvidence,
  ratios: Ratios,
  costOf: CostOf
): ReadonlyArray<Finding> =>
  laps.flatMap((evidence) => {
    const { column, distanceAt, lap, points } = evidence
    const t = points.timestamps
    const gear = column("gear")
    return wrongIn(evidence, ratios, gap).map(({ from, to }): Finding => {
      const at = distanceAt(t[from]!)
      const seconds = t[to]! - t[from]!
      const cost = costOf(lap.id, t[from]!, t[to]!)
      return {
        lapId: lap.id,
        lapNumber: lap.lapNumber,
        type: "missed_gear",
        timestamp: t[from]!,
        distance: at === null ? null : rounded(at),
        value: gear[from]!,
        expected: gear[from - 1]!,
        severity: severityOf(cost),
        description:
          `Lap ${lap.lapNumber} was in gear ${gear[from]!} for ${seconds.toFixed(2)} s` +
          (at === null ? "" : ` from ${Math.round(at)} m`) +
          `, between gears ${gear[from - 1]!} and ${gear[to]!}, at ${Math.round(column("speed")[from]!)} km/h`,
        channel: "gear",
        z: null,
        lapsInBaseline: cost?.laps ?? 0,
        duration: rounded(seconds),
        ...costFields(cost)
      }
    })
  })
