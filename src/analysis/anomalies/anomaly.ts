/** What an anomaly is, how grave, and in which order they are told. */

import type { Anomaly, AnomalyType, Severity } from "../../domain/analysis/anomalies.ts"

/** A tenth is what drivers hunt for; a second is a place or more on any grid. */
const GRAVE_S = 1
const NOTABLE_S = 0.3

export const severityOf = (cost: number): Severity =>
  cost >= GRAVE_S ? "high" : cost >= NOTABLE_S ? "medium" : "low"

/** From here on a double has no thousandths, and near the largest one a thousand times as much is infinite. */
const WITHOUT_FRACTION = 2 ** 52

/** A thousandth of what anyone reads: keeps noise of doubles out of the answers. */
export const rounded = (value: number): number =>
  Math.abs(value) < WITHOUT_FRACTION ? Math.round(value * 1e3) / 1e3 + 0 : value

const ORDER: ReadonlyArray<AnomalyType> = [
  "slow_lap",
  "off_pace_sector",
  "lock_up_or_spin",
  "wheelspin",
  "missed_gear",
  "speed_loss",
  "pause",
  "data_gap",
  "frozen_channel",
  "implausible_value",
  "contradiction"
]

/** The dearest first; those without a cost after them, in the order driven. */
export const byCost = (anomalies: ReadonlyArray<Anomaly>): ReadonlyArray<Anomaly> =>
  [...anomalies].sort(
    (a, b) =>
      (b.cost ?? -1) - (a.cost ?? -1) ||
      a.timestamp - b.timestamp ||
      ORDER.indexOf(a.type) - ORDER.indexOf(b.type) ||
      (a.channel < b.channel ? -1 : a.channel > b.channel ? 1 : 0)
  )
