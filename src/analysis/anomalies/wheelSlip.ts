/**
 * Wheels that lock or spin (slippingLaps.ts), where they do not on other laps at the same place. On loose ground, where
 * drivers use slip, nothing is reported.
 */
import { lowerBound } from "../../domain/RowBatch.ts"
import type { AnomalyType, Finding } from "../../domain/analysis/anomalies.ts"
import { median } from "../math/robust.ts"
import { rounded, severityOf } from "./anomaly.ts"
import { costFields } from "./cost.ts"
import type { SessionEvidence } from "./evidence.ts"
import type { CostOf } from "./places.ts"
import {
  MAX_STEP_S,
  type SlippingLap,
  slippingLaps,
  type SlippingRow,
  WHEELS,
  wheels
} from "./slippingLaps.ts"
import { MIN_OTHERS } from "./times.ts"

interface Limit {
  readonly type: AnomalyType
  /** 1 above, -1 below. */
  readonly side: 1 | -1
  /**
   * A tyre beyond this slip has lost grip; grip is greatest at 0.1 to 0.15 (Pacejka, Tire and Vehicle Dynamics, 3rd
   * ed.).
   */
  readonly slip: number
  /** s: a shorter event is a kerb, or a wheel in the air. */
  readonly lasts: number
  readonly verb: string
  readonly turned: string
}

const LIMITS: ReadonlyArray<Limit> = [
  { type: "lock_up_or_spin", side: -1, slip: 0.4, lasts: 0.15, verb: "locked", turned: "slower" },
  { type: "wheelspin", side: 1, slip: 0.3, lasts: 0.25, verb: "spun", turned: "faster" }
]

/** No driver holds a wheel beyond the limit for longer, s: that is a sensor's fault. */
const MAX_S = 5
/** Wheels of one car that slip within this time of each other are one event, s; a wheel may grip in between. */
const JOINED_S = 0.4
/** The ground is loose where the wheels are beyond the limit for more than this share of the time. */
const LOOSE_SHARE = 0.015
/** Slip is usual where the others slip by this share of it, within this many metres. */
const USUAL_SHARE = 0.5
const NEAR_M = 30

/** A stretch where one wheel is beyond a limit. */
interface Stretch {
  readonly row: SlippingRow
  readonly from: number
  readonly to: number
  readonly worst: number
}

/** The time to the sample before; to the one after, of the first sample. */
const sampleAround = (times: Float64Array, i: number): number => {
  const step = i > 0 ? times[i]! - times[i - 1]! : times[i + 1]! - times[i]!
  return step <= MAX_STEP_S ? step : 0
}

const stretchesOf = (row: SlippingRow, { lasts, side, slip: limit }: Limit): ReadonlyArray<Stretch> => {
  const found: Array<Stretch> = []
  const { slip, times } = row
  for (let i = 0; i < slip.length; i++) {
    if (!(side * slip[i]! > limit)) continue
    let worst = i
    let end = i
    while (
      end + 1 < slip.length &&
      side * slip[end + 1]! > limit &&
      times[end + 1]! - times[end]! <= MAX_STEP_S
    ) {
      end++
      if (side * slip[end]! > side * slip[worst]!) worst = end
    }
    // Each sample stands for the time around it.
    const lasted = times[end]! - times[i]! + sampleAround(times, i)
    if (lasted >= lasts && lasted <= MAX_S) found.push({ row, from: times[i]!, to: times[end]!, worst })
    i = end
  }
  return found
}

/** Joins the stretches of all wheels that are one event, in order. */
const eventsOf = (rows: ReadonlyArray<SlippingRow>, limit: Limit): ReadonlyArray<ReadonlyArray<Stretch>> => {
  const found: Array<Array<Stretch>> = []
  let until = -Infinity
  for (const one of rows.flatMap((row) => stretchesOf(row, limit)).sort((a, b) => a.from - b.from)) {
    if (one.from - until > JOINED_S) found.push([])
    found.at(-1)!.push(one)
    until = Math.max(until, one.to)
  }
  return found
}

/** The share of all samples beyond a limit. */
const shareBeyond = (laps: ReadonlyArray<SlippingLap>, { side, slip: limit }: Limit): number => {
  let beyond = 0
  let all = 0
  for (const { rows } of laps) {
    for (const { slip } of rows) {
      all += slip.length
      for (const one of slip) if (side * one > limit) beyond++
    }
  }
  return all === 0 ? 0 : beyond / all
}

/** The greatest slip of any wheel of a lap between two places, m; NaN where it is absent. */
const mostBetween = ({ evidence, rows }: SlippingLap, from: number, to: number, side: 1 | -1): number => {
  const time = evidence.timeAt
  if (time === undefined) return Number.NaN
  const [begin, end] = [time(from), time(to)]
  let most = Number.NaN
  for (const { slip, times } of rows) {
    for (let i = lowerBound(times, begin); i < times.length && times[i]! <= end; i++) {
      if (!(side * slip[i]! <= most)) most = side * slip[i]!
    }
  }
  return most
}

const list = (words: ReadonlyArray<string>) =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`

export const wheelSlips = ({ laps }: SessionEvidence, costOf: CostOf): ReadonlyArray<Finding> => {
  const slipping = slippingLaps(laps)
  return LIMITS.flatMap((limit) => {
    if (slipping.length === 0 || shareBeyond(slipping, limit) > LOOSE_SHARE) return []
    return slipping.flatMap((lap) => eventsOf(lap.rows, limit).flatMap((event) => tell(lap, event, limit)))
  })

  function tell(own: SlippingLap, event: ReadonlyArray<Stretch>, limit: Limit): ReadonlyArray<Finding> {
    const { lap, distanceAt } = own.evidence
    const { side } = limit
    const begin = Math.min(...event.map(({ from }) => from))
    const end = Math.max(...event.map(({ to }) => to))
    const [from, to] = [distanceAt(begin), distanceAt(end)]
    const others =
      from === null || to === null
        ? []
        : slipping.flatMap((other) => {
            if (other === own || !other.evidence.comparable) return []
            const most = mostBetween(other, from - NEAR_M, to + NEAR_M, side)
            return Number.isNaN(most) ? [] : [most]
          })
    const isJudged = others.length >= MIN_OTHERS
    if (isJudged && median(others) > USUAL_SHARE * limit.slip) return []
    const [worst] = event.toSorted((a, b) => side * (b.row.slip[b.worst]! - a.row.slip[a.worst]!))
    const { row, worst: at } = worst!
    const speed = row.speed[at]!
    const names = wheels.filter((wheel) => event.some((one) => one.row.wheel === wheel)).map((w) => WHEELS[w])
    const cost = costOf(lap.id, begin, end)
    const where = from === null ? "" : ` at ${Math.round(from)} m`
    return [
      {
        lapId: lap.id,
        lapNumber: lap.lapNumber,
        type: limit.type,
        timestamp: begin,
        distance: from === null ? null : rounded(from),
        value: rounded(row.value[at]!),
        expected: rounded(row.rolling(speed)),
        severity: severityOf(cost?.seconds ?? 0),
        description:
          `Lap ${lap.lapNumber} ${limit.verb} the ${list(names)} wheel${names.length > 1 ? "s" : ""}${where} for ` +
          `${(end - begin).toFixed(2)} s: the ${WHEELS[row.wheel]} turned ` +
          `${Math.round(100 * Math.abs(row.slip[at]!))} % ${limit.turned} than the car went, at ${Math.round(speed)} km/h`,
        channel: row.channel,
        z: null,
        lapsInBaseline: isJudged ? others.length : 0,
        duration: rounded(end - begin),
        ...costFields(cost)
      }
    ]
  }
}
