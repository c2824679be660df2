/** How alike a session's laps are. */
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
    standardDeviation: nullable("Seconds; of a sample (n - 1)"),
    robustDeviation: nullable(
      "Seconds; by the median distance from the median, which one bad lap does not move"
    ),
    interquartileRange: nullable("Seconds"),
    relative: nullable("robust_deviation as a share of the median")
  }).annotations({ description: "All comparable laps; null where there are too few" }),
  line: Schema.NullOr(
    Schema.Struct({
      laps: Schema.Int,
      distance: numbers("Metres from the line, about 10 apart"),
      spread: numbers("Metres: the robust deviation of the laps' places across the road"),
      median: described(Schema.Number, "Metres: of `spread`"),
      widest: described(
        Schema.Struct({ distance: Metres, spread: described(Schema.Number, "Metres") }),
        "Where the laps differ most"
      )
    })
  ).annotations({ description: "Null without positions, and with fewer than 3 comparable laps" }),
  missingChannels: Missing
}).annotations({ identifier: "SessionConsistency", description: "How alike the session's laps are" })

export type SessionConsistency = typeof SessionConsistency.Type
