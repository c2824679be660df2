/**
 * Groups anomalies by event: one stop makes a slow lap, a slow sector and a slow place, and is one incident. Anomalies in the
 * data itself stay separate.
 */
import type { Anomaly } from "../../types.ts"

export interface Incident {
  /** The anomaly that describes the event best: the one with a place. */
  readonly main: Anomaly
  /** Its other anomalies. */
  readonly signs: ReadonlyArray<Anomaly>
}

/** Types of anomalies at a place, and types that cover a whole sector or lap. */
const PLACED: ReadonlySet<Anomaly["type"]> = new Set(["speed_loss", "lock_up_or_spin", "missed_gear"])
const COVERING: ReadonlySet<Anomaly["type"]> = new Set(["slow_lap", "off_pace_sector"])

/** An anomaly that begins so soon after the end of another belongs to it, s. */
const SOON_S = 5

const costOf = ({ cost }: Anomaly) => cost ?? 0

const overlap = (one: Anomaly, other: Anomaly) =>
  one.timestamp <= other.timestamp + other.duration + SOON_S &&
  other.timestamp <= one.timestamp + one.duration + SOON_S

/** The incidents of one lap: consecutive places become one, and anomalies that cover them join the costliest. */
const ofLap = (anomalies: ReadonlyArray<Anomaly>): ReadonlyArray<Incident> => {
  const together: Array<Array<Anomaly>> = []
  for (const anomaly of anomalies.filter(({ type }) => PLACED.has(type))) {
    const near = together.filter((group) => group.some((one) => overlap(one, anomaly)))
    for (const group of near) together.splice(together.indexOf(group), 1)
    together.push([...near.flat(), anomaly])
  }
  const covering = anomalies.filter(({ type }) => COVERING.has(type))
  // The narrowest first: a slow lap without a place joins its sector.
  for (const anomaly of [...covering].sort((a, b) => a.duration - b.duration)) {
    const covered = together
      .filter((group) => group.some((one) => overlap(one, anomaly)))
      .sort((a, b) => Math.max(...b.map(costOf)) - Math.max(...a.map(costOf)))[0]
    if (covered === undefined) together.push([anomaly])
    else covered.push(anomaly)
  }
  return together.map((group) => {
    const placed = group.filter(({ type }) => PLACED.has(type))
    const [main] = [...(placed.length > 0 ? placed : group.slice(0, 1))].sort((a, b) => costOf(b) - costOf(a))
    return { main: main!, signs: group.filter((one) => one !== main) }
  })
}

/** The costliest first, like the anomalies. */
export const incidentsOf = (anomalies: ReadonlyArray<Anomaly>): ReadonlyArray<Incident> => {
  const happened = anomalies.filter(({ type }) => PLACED.has(type) || COVERING.has(type))
  const laps = [...new Set(happened.map(({ lap_id }) => lap_id))]
  const faults = anomalies.filter(({ type }) => !PLACED.has(type) && !COVERING.has(type))
  const all = [
    ...laps.flatMap((id) => ofLap(happened.filter(({ lap_id }) => lap_id === id))),
    ...faults.map((main): Incident => ({ main, signs: [] }))
  ]
  return [...all].sort((a, b) => anomalies.indexOf(a.main) - anomalies.indexOf(b.main))
}
