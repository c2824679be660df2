/** Which anomaly a mark is about: another version of the analysis may find it some metres from where it was. */
import type { Anomaly } from "./analysis/anomalies.ts"
import type { AnomalyMark } from "./Mark.ts"

/** Metres. */
const NEAR_M = 50

type Place = Pick<AnomalyMark, "type" | "lapNumber" | "channel" | "distance">

/** Metres between two anomalies of one kind in one lap; Infinity if they are not near, or of different kinds. */
export const apart = (one: Place, other: Place): number => {
  if (one.type !== other.type || one.lapNumber !== other.lapNumber || one.channel !== other.channel)
    return Infinity
  if (one.distance === null || other.distance === null) return one.distance === other.distance ? 0 : Infinity
  const metres = Math.abs(one.distance - other.distance)
  return metres <= NEAR_M ? metres : Infinity
}

/** The nearest of these within reach; undefined if none is. */
export const nearest = <A>(among: ReadonlyArray<A>, metres: (one: A) => number): A | undefined => {
  let [found, least]: [A | undefined, number] = [undefined, Infinity]
  for (const one of among) {
    const away = metres(one)
    if (away < least) [found, least] = [one, away]
  }
  return found
}

const fromMark = ({ channel, occurrences, type, ...gravest }: Anomaly, mark: Place): number =>
  Math.min(
    ...[gravest, ...occurrences].map(({ distance, lapNumber }) =>
      apart(mark, { type, channel, distance, lapNumber })
    )
  )

/** The anomaly that a mark is about; undefined if there is none any more. */
export const anomalyOf = (anomalies: ReadonlyArray<Anomaly>, mark: Place): Anomaly | undefined =>
  nearest(anomalies, (anomaly) => fromMark(anomaly, mark))
