/** Unusual events in a session. */
import { Schema } from "effect"
import { described, LapReference, Missing, nullable, seconds, Version } from "./parts.ts"

export const AnomalyType = Schema.Literal(
  "slow_lap",
  "off_pace_sector",
  "speed_loss",
  "lock_up_or_spin",
  "wheelspin",
  "missed_gear",
  "pit_stop",
  "neutralised",
  "data_gap",
  "pause",
  "frozen_channel",
  "implausible_value",
  "contradiction"
)

export const SessionAnomalies = Schema.Struct({
  algorithmVersion: Version,
  sessionId: Schema.Int,
  anomalies: Schema.Array(
    Schema.Struct({
      lapId: LapReference,
      lapNumber: Schema.Int,
      type: AnomalyType,
      timestamp: described(Schema.Number, "Epoch seconds: when the anomaly began"),
      distance: nullable("Metres from the start line; null if unknown"),
      value: nullable("The measured value, in the channel's unit"),
      expected: nullable("The expected value"),
      severity: Schema.Literal("low", "medium", "high"),
      description: Schema.String,
      channel: described(
        Schema.String,
        "The channel that shows the anomaly: one of the points, or of a wheel (`wheel_speed_fl`)"
      ),
      z: nullable("The modified z-score; null for an anomaly that needs no baseline"),
      lapsInBaseline: Schema.Int,
      duration: seconds("the duration"),
      cost: nullable(
        "Seconds lost compared with the baseline's median, rounded to the digits that `cost_uncertainty` allows; null if unknown"
      ),
      costUncertainty: nullable(
        "Seconds: nine times in ten, the true cost differs from `cost` by no more than this. It covers how laps differ without " +
          "any event, and how exactly the times of both ends are known; null if unknown"
      ),
      count: described(
        Schema.Int,
        "Number of similar faults of the data that this entry stands for, or of laps that a stop or a neutralisation has a part in. " +
          "Of similar faults, the other fields describe the gravest"
      ),
      occurrences: described(
        Schema.Array(
          Schema.Struct({
            lapId: LapReference,
            lapNumber: Schema.Int,
            timestamp: described(Schema.Number, "Epoch seconds"),
            distance: nullable("Metres from the start line; null if unknown"),
            value: nullable("The measured value, in the channel's unit"),
            duration: seconds("the duration")
          })
        ),
        "All of them, in the order driven; a single anomaly is its own only occurrence"
      ),
      dismissed: Schema.optional(Schema.Boolean).annotations({
        description: "True of an anomaly that a user has dismissed; only with dismissed=true"
      })
    })
  ),
  total: Schema.Int,
  missingChannels: Missing
}).annotations({ identifier: "SessionAnomalies", description: "The anomalies, the costliest first" })

export type SessionAnomalies = typeof SessionAnomalies.Type

/**
 * A finding, or several similar ones reported as one. Then every field except `count` and `occurrences` describes the
 * gravest one.
 */
export type Anomaly = SessionAnomalies["anomalies"][number]

/** A finding at one place of one lap. */
export type Finding = Omit<Anomaly, "count" | "occurrences" | "dismissed">

/** One of several findings that are reported as one. */
export type Occurrence = Anomaly["occurrences"][number]

export type AnomalyType = typeof AnomalyType.Type

export type Severity = Anomaly["severity"]
