/** The consistency of a session's laps. */
import { Schema } from "effect"
import { described, Metres, Missing, numbers, nullable, Version } from "./parts.ts"

export const SessionConsistency = Schema.Struct({
  algorithmVersion: Version,
  sessionId: Schema.Int,
  times: Schema.Struct({
    laps: Schema.Int,
    best: nullable("Seconds"),
    mean: nullable("Seconds"),
    median: nullable("Seconds"),
    standardDeviation: nullable("Seconds: the standard deviation of a sample (n - 1)"),
    robustDeviation: nullable(
      "Seconds: the deviation estimated from the median absolute deviation, which one bad lap hardly changes"
    ),
    interquartileRange: nullable("Seconds"),
    relative: nullable("robust_deviation as a share of the median")
  }).annotations({
    description: "The lap times of all comparable laps; a figure is null if there are too few"
  }),
  line: Schema.NullOr(
    Schema.Struct({
      laps: Schema.Int,
      distance: numbers("Metres from the start line, about 10 m apart"),
      spread: numbers("Metres: the robust deviation of the laps' positions across the road"),
      median: described(Schema.Number, "Metres: the median of `spread`"),
      widest: described(
        Schema.Struct({ distance: Metres, spread: described(Schema.Number, "Metres") }),
        "Where the laps differ most"
      )
    })
  ).annotations({
    description:
      "The spread of the driving lines; null without positions, and with fewer than 3 comparable laps"
  }),
  missingChannels: Missing
}).annotations({ identifier: "SessionConsistency", description: "How consistent the session's laps are" })

export type SessionConsistency = typeof SessionConsistency.Type
