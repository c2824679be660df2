/** Faults put into laps at random places, and whether the anomalies include them. */
import type { Anomaly } from "../../src/domain/analysis/anomalies.ts"
import type { LapData } from "../../src/analysis/place/alignment.ts"
import { sessionAnomalies } from "../../src/analysis/anomalies/anomalies.ts"
import { comparableLaps } from "../../src/analysis/compare/comparable.ts"
import type { Channel } from "../../src/domain/pointChannels.ts"
import { between, type Kind, valuesIn } from "./faultKinds.ts"
import type { Span } from "./faults.ts"
import { lapsOf } from "./sessions.ts"
import { uniform } from "./uniform.ts"

export interface Injected {
  readonly lapNumber: number
  readonly span: Span
  readonly found: boolean
  /** Findings about other laps that the fault causes. */
  readonly blamed: number
}

/** Whether the fault's channel has a finding on its lap while the fault lasts. */
const isReported = (
  anomalies: ReadonlyArray<Anomaly>,
  { lap }: LapData,
  { channels, types }: Kind,
  span: Span
): boolean => {
  const [from, to] = [lap.startTime + span[0] - 1, lap.startTime + span[1] + 1]
  return anomalies.some(
    ({ channel, occurrences, type }) =>
      types.includes(type) &&
      channels.includes(channel) &&
      occurrences.some(
        ({ duration, lapId, timestamp }) =>
          lapId === lap.id && timestamp <= to && timestamp + duration >= from
      )
  )
}

const findingsOfOthers = (anomalies: ReadonlyArray<Anomaly>, id: number): number =>
  anomalies.reduce((sum, { occurrences }) => sum + occurrences.filter(({ lapId }) => lapId !== id).length, 0)

const isMoving = (session: ReadonlyArray<LapData>, channel: Channel): boolean =>
  session.some(({ points }) => {
    const column = points.column(channel)
    return column.some((value) => !Number.isNaN(value) && value !== column[0])
  })

/** The number of tries to find a place for a fault. */
const MAX_TRIES = 20_000

/**
 * Faults of one kind, each put alone into the session, at random places of laps at pace where the car drives: fewer if there
 * are not enough such places, and none if the session lacks the channels.
 */
export const injected = (
  session: ReadonlyArray<LapData>,
  kind: Kind,
  runs: number,
  seed: number
): ReadonlyArray<Injected> => {
  if (!kind.needs.every((channel) => isMoving(session, channel))) return []
  const next = uniform(seed)
  const pace = new Set(comparableLaps(lapsOf(session)).map(({ id }) => id))
  const { anomalies: before } = sessionAnomalies(1, session)
  const result: Array<Injected> = []
  for (let tried = 0; result.length < runs && tried < MAX_TRIES; tried++) {
    const l = Math.floor(next() * session.length)
    const victim = session[l]!
    const { lap } = victim
    if (!pace.has(lap.id)) continue
    const seconds = between(next, ...kind.lasts)
    const from = 3 + next() * (lap.lapTime! - 6 - Math.min(seconds, lap.lapTime! / 2))
    const span: Span = [from, from + seconds]
    const speeds = valuesIn(victim, span, "speed")
    if (speeds.length < 2 || !speeds.every((speed) => speed > 60)) continue
    if (!kind.shows(victim, span) || isReported(before, victim, kind, span)) continue
    const spoilt = session.map((one, other) => (other === l ? kind.put(one, span, next) : one))
    const { anomalies } = sessionAnomalies(1, spoilt)
    result.push({
      lapNumber: lap.lapNumber,
      span,
      found: isReported(anomalies, victim, kind, span),
      blamed: Math.max(0, findingsOfOthers(anomalies, lap.id) - findingsOfOthers(before, lap.id))
    })
  }
  return result
}
