/** The fields of an anomaly, and the order of the report. */

import type { Anomaly, AnomalyType } from "../../domain/analysis/anomalies.ts"

/** From here on a double has no thousandths; near the largest double, a thousand times the value is infinite. */
const WITHOUT_FRACTION = 2 ** 52

/** To a thousandth, the finest that readers use: keeps noise of doubles out of the answers. */
export const rounded = (value: number): number =>
  Math.abs(value) < WITHOUT_FRACTION ? Math.round(value * 1e3) / 1e3 + 0 : value

const ORDER: ReadonlyArray<AnomalyType> = [
  "slow_lap",
  "off_pace_sector",
  "lock_up_or_spin",
  "wheelspin",
  "missed_gear",
  "speed_loss",
  "pit_stop",
  "neutralised",
  "pause",
  "data_gap",
  "frozen_channel",
  "implausible_value",
  "contradiction"
]

/** The costliest first; those without a cost after them, in the order driven. */
export const byCost = (anomalies: ReadonlyArray<Anomaly>): ReadonlyArray<Anomaly> =>
  [...anomalies].sort(
    (a, b) =>
      (b.cost ?? -1) - (a.cost ?? -1) ||
      a.timestamp - b.timestamp ||
      ORDER.indexOf(a.type) - ORDER.indexOf(b.type) ||
      (a.channel < b.channel ? -1 : a.channel > b.channel ? 1 : 0)
  )
