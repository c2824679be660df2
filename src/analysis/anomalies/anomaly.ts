/** What an anomaly is, how grave, and in which order they are told. */

export type AnomalyType =
  | "slow_lap"
  | "off_pace_sector"
  | "speed_loss"
  | "lock_up_or_spin"
  | "missed_gear"
  | "data_gap"
  | "pause"
  | "frozen_channel"
  | "implausible_value"
  | "contradiction"

export type Severity = "low" | "medium" | "high"

/** What was found at one place of one lap. */
export interface Finding {
  readonly lap_id: number
  readonly lap_number: number
  readonly type: AnomalyType
  /** Epoch seconds: when it began. */
  readonly timestamp: number
  /** m from the line, where it began; null where the lap's way is not known. */
  readonly distance: number | null
  /** What was measured, and what was to be expected, in the unit of the channel; null where there is none. */
  readonly value: number | null
  readonly expected: number | null
  readonly severity: Severity
  readonly description: string
  /** What it shows in: a point's channel, `lap_time`, `sector1_time` ... `sector3_time`, `timestamp`, or `position`. */
  readonly channel: string
  /** The modified z-score where it was furthest out; null for what needs no baseline. */
  readonly z: number | null
  readonly laps_in_baseline: number
  /** Seconds that it lasted. */
  readonly duration: number
  /** Seconds lost against the baseline's median, with the digits that are sure; null where that cannot be told. */
  readonly cost: number | null
  /**
   * Seconds within which the true cost lies nine times in ten: what laps differ by there without any event, and how well the
   * times at both ends are known. Null as the cost.
   */
  readonly cost_uncertainty: number | null
}

/** One of several findings that are told as one. */
export type Occurrence = Pick<
  Finding,
  "lap_id" | "lap_number" | "timestamp" | "distance" | "value" | "duration"
>

/** A finding, or many like ones told as one: then all but `count` and `occurrences` are of the gravest of them. */
export interface Anomaly extends Finding {
  readonly count: number
  /** All of them, in the order driven; of a single one itself. */
  readonly occurrences: ReadonlyArray<Occurrence>
}

/** A tenth is what drivers hunt for; a second is a place or more on any grid. */
const GRAVE_S = 1
const NOTABLE_S = 0.3

export const severityOf = (cost: number): Severity =>
  cost >= GRAVE_S ? "high" : cost >= NOTABLE_S ? "medium" : "low"

/** A thousandth of what anyone reads: keeps noise of doubles out of the answers. */
export const rounded = (value: number): number => Math.round(value * 1e3) / 1e3 + 0

const ORDER: ReadonlyArray<AnomalyType> = [
  "slow_lap",
  "off_pace_sector",
  "lock_up_or_spin",
  "missed_gear",
  "speed_loss",
  "pause",
  "data_gap",
  "frozen_channel",
  "implausible_value",
  "contradiction"
]

/** The dearest first; those without a cost after them, in the order driven. */
export const ranked = (anomalies: ReadonlyArray<Anomaly>): ReadonlyArray<Anomaly> =>
  [...anomalies].sort(
    (a, b) =>
      (b.cost ?? -1) - (a.cost ?? -1) ||
      a.timestamp - b.timestamp ||
      ORDER.indexOf(a.type) - ORDER.indexOf(b.type) ||
      (a.channel < b.channel ? -1 : a.channel > b.channel ? 1 : 0)
  )
