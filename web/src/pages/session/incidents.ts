/**
 * What stands out, by what happened: one stop makes a slow lap, a slow sector and a slow place, and is one incident. What
 * is wrong with the data stays as it is reported.
 */
import type { Anomaly } from "../../types.ts"

export interface Incident {
  /** What tells it best: where it happened. */
  readonly main: Anomaly
  /** What it shows in besides. */
  readonly signs: ReadonlyArray<Anomaly>
}

/** What happened at a place, and what a whole sector or lap shows of it. */
const PLACED: ReadonlySet<Anomaly["type"]> = new Set(["speed_loss", "lock_up_or_spin", "missed_gear"])
const COVERING: ReadonlySet<Anomaly["type"]> = new Set(["slow_lap", "off_pace_sector"])

/** What comes so soon after the end of another belongs to it, s. */
const SOON_S = 5

const costOf = ({ cost }: Anomaly) => cost ?? 0

const overlap = (one: Anomaly, other: Anomaly) =>
  one.timestamp <= other.timestamp + other.duration + SOON_S &&
  other.timestamp <= one.timestamp + one.duration + SOON_S

/** Of one lap: places that are one after another together, and to the costliest of them what covers it. */
const ofLap = (anomalies: ReadonlyArray<Anomaly>): ReadonlyArray<Incident> => {
  const together: Array<Array<Anomaly>> = []
  for (const anomaly of anomalies.filter(({ type }) => PLACED.has(type))) {
    const near = together.filter((group) => group.some((one) => overlap(one, anomaly)))
    for (const group of near) together.splice(together.indexOf(group), 1)
    together.push([...near.flat(), anomaly])
  }
  const covering = anomalies.filter(({ type }) => COVERING.has(type))
  // The narrowest first: a lap without a place is reported by its sector.
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

/** The costliest first, as the anomalies are. */
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
