/** What is unusual in a session. */
import { Schema } from "effect"
import { described, LapReference, Missing, nullable, seconds, Version } from "./parts.ts"

export const SessionAnomalies = Schema.Struct({
  algorithmVersion: Version,
  sessionId: Schema.Int,
  anomalies: Schema.Array(
    Schema.Struct({
      lapId: LapReference,
      lapNumber: Schema.Int,
      type: Schema.Literal(
        "slow_lap",
        "off_pace_sector",
        "speed_loss",
        "lock_up_or_spin",
        "wheelspin",
        "missed_gear",
        "data_gap",
        "pause",
        "frozen_channel",
        "implausible_value",
        "contradiction"
      ),
      timestamp: described(Schema.Number, "Epoch seconds: when it began"),
      distance: nullable("Metres from the line; null where not known"),
      value: nullable("What was measured, in the channel's unit"),
      expected: nullable("What was to be expected"),
      severity: Schema.Literal("low", "medium", "high"),
      description: Schema.String,
      channel: described(
        Schema.String,
        "What it shows in: a channel of the points, or of a wheel (`wheel_speed_fl`)"
      ),
      z: nullable("The modified z-score; null for what needs no baseline"),
      lapsInBaseline: Schema.Int,
      duration: seconds("how long it lasted"),
      cost: nullable(
        "Seconds lost against the baseline's median, with no more digits than `cost_uncertainty` leaves; null where that cannot be told"
      ),
      costUncertainty: nullable(
        "Seconds within which the true cost lies nine times in ten: what laps differ by without any event, and how well the " +
          "times of both ends are known; null where not known"
      ),
      count: described(
        Schema.Int,
        "Of many like faults of the data, which are told as one: how many; the other fields are of the gravest of them"
      ),
      occurrences: described(
        Schema.Array(
          Schema.Struct({
            lapId: LapReference,
            lapNumber: Schema.Int,
            timestamp: described(Schema.Number, "Epoch seconds"),
            distance: nullable("Metres from the line; null where not known"),
            value: nullable("What was measured, in the channel's unit"),
            duration: seconds("how long it lasted")
          })
        ),
        "All of them, in the order driven; of a single one itself"
      )
    })
  ),
  total: Schema.Int,
  missingChannels: Missing
}).annotations({ identifier: "SessionAnomalies", description: "What stands out, the costliest first" })

export type SessionAnomalies = typeof SessionAnomalies.Type

/**
 * A finding, or several similar ones reported as one: then every field but `count` and `occurrences` describes the
 * gravest.
 */
export type Anomaly = SessionAnomalies["anomalies"][number]

/** What was found at one place of one lap. */
export type Finding = Omit<Anomaly, "count" | "occurrences">

/** One of several findings that are reported as one. */
export type Occurrence = Anomaly["occurrences"][number]

export type AnomalyType = Anomaly["type"]

export type Severity = Anomaly["severity"]
