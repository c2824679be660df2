/**
 * Wheels that lock or spin, where they do not on other laps at the same place. On loose ground, where drivers use slip,
 * nothing is reported.
 */
import type { AnomalyType, Finding } from "../../domain/analysis/anomalies.ts"
import { median } from "../math/robust.ts"
import {
  isLoose,
  LOCKED,
  mostSlip,
  NEAR_M,
  type SlipEvent,
  slipEvents,
  SPUN,
  USUAL_SHARE
} from "../wheels/slipEvents.ts"
import { type SlippingLap, slippingLaps, WHEELS } from "../wheels/slippingLaps.ts"
import { rounded } from "./anomaly.ts"
import { costFields, severityOf } from "./cost.ts"
import type { LapEvidence, SessionEvidence } from "./evidence.ts"
import type { CostOf } from "./places.ts"
import { MIN_OTHERS } from "./times.ts"

interface Kind {
  readonly type: AnomalyType
  readonly limit: typeof LOCKED
  readonly verb: string
  readonly turned: string
}

const KINDS: ReadonlyArray<Kind> = [
  { type: "lock_up_or_spin", limit: LOCKED, verb: "locked", turned: "slower" },
  { type: "wheelspin", limit: SPUN, verb: "spun", turned: "faster" }
]

/** The greatest slip of any wheel of a lap between two places, m; NaN where it is absent. */
const mostBetween = (lap: SlippingLap<LapEvidence>, from: number, to: number, side: 1 | -1): number => {
  const { timeAt } = lap.evidence
  return timeAt === undefined ? Number.NaN : mostSlip(lap, timeAt(from), timeAt(to), side)
}

export const wheelSlips = ({ laps }: SessionEvidence, costOf: CostOf): ReadonlyArray<Finding> => {
  const slipping = slippingLaps(laps)
  return KINDS.flatMap((kind) => {
    if (slipping.length === 0 || isLoose(slipping, kind.limit)) return []
    return slipping.flatMap((lap) =>
      slipEvents(lap, kind.limit).flatMap((event) => findingsOf(lap, event, kind))
    )
  })

  function findingsOf(
    own: SlippingLap<LapEvidence>,
    { begin, end, row, wheels, worst }: SlipEvent,
    { limit, turned, type, verb }: Kind
  ): ReadonlyArray<Finding> {
    const { lap, distanceAt } = own.evidence
    const [from, to] = [distanceAt(begin), distanceAt(end)]
    const others =
      from === null || to === null
        ? []
        : slipping.flatMap((other) => {
            if (other === own || !other.evidence.comparable) return []
            const most = mostBetween(other, from - NEAR_M, to + NEAR_M, limit.side)
            return Number.isNaN(most) ? [] : [most]
          })
    const isJudged = others.length >= MIN_OTHERS
    if (isJudged && median(others) > USUAL_SHARE * limit.slip) return []
    const speed = row.speed[worst]!
    const cost = costOf(lap.id, begin, end)
    const where = from === null ? "" : ` at ${Math.round(from)} m`
    return [
      {
        lapId: lap.id,
        lapNumber: lap.lapNumber,
        type,
        timestamp: begin,
        distance: from === null ? null : rounded(from),
        value: rounded(row.value[worst]!),
        expected: rounded(row.rolling(speed)),
        severity: severityOf(cost),
        description:
          `Lap ${lap.lapNumber} ${verb} ${wheels}${where} for ` +
          `${(end - begin).toFixed(2)} s: the ${WHEELS[row.wheel]} turned ` +
          `${Math.round(100 * Math.abs(row.slip[worst]!))} % ${turned} than the car went, at ${Math.round(speed)} km/h`,
        channel: row.channel,
        z: null,
        lapsInBaseline: isJudged ? others.length : 0,
        duration: rounded(end - begin),
        ...costFields(cost)
      }
    ]
  }
}
