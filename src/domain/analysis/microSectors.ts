/** A session's laps in pieces of about 50 m. */
import { Schema } from "effect"
import {
  described,
  LapReference,
  Metres,
  Missing,
  numbers,
  nullable,
  pair,
  nullableNumbers,
  Version
} from "./parts.ts"

export const SessionMicroSectors = Schema.Struct({
  algorithmVersion: Version,
  sessionId: Schema.Int,
  bounds: numbers("Metres from the start line: the bounds of the pieces, one more than there are pieces"),
  laps: described(
    Schema.Array(
      Schema.Struct({
        lapId: LapReference,
        times: nullableNumbers("Seconds in each piece; null where the lap's data are not sound")
      })
    ),
    "The laps that were split, the fastest first; empty if no piece of a valid lap is sound"
  ),
  leftOut: described(
    Schema.Array(Schema.Struct({ lapId: LapReference, reason: Schema.String })),
    "Valid laps without a sound piece, the fastest first, and why"
  ),
  best: described(
    Schema.Array(Schema.NullOr(Schema.Struct({ lapId: LapReference, time: Schema.Number }))),
    "The best time in each piece, and the lap that drove it; null where no lap is sound"
  ),
  theoreticalBest: nullable(
    "Seconds: the sum of the best pieces, a time that nobody can drive; null if a piece is sound in no lap"
  ),
  feasibleBest: Schema.NullOr(
    Schema.Struct({
      time: described(Schema.Number, "Seconds: the lap time, corrected for choosing pieces by noisy times"),
      interval: pair(
        "Seconds, low and high. Of random draws of the noise, 19 of 20 are above the low end, which is at most `pieces_time`; of draws of the noise and of the session's laps, 19 of 20 are below the high end"
      ),
      piecesTime: described(
        Schema.Number,
        "Seconds: the sum of the measured pieces, which is too low, because the least of several noisy times is too low"
      ),
      lapIds: described(Schema.Array(LapReference), "The laps whose pieces it uses, the fastest first"),
      unused: described(
        Schema.Array(Schema.Struct({ lapId: LapReference, reason: Schema.String })),
        "The laps of which it uses no piece, and why"
      ),
      joints: Schema.Array(
        Schema.Struct({
          distance: Metres,
          fromLapId: LapReference,
          toLapId: LapReference,
          speedDifference: described(Schema.Number, "km/h by which the next lap is faster at the joint")
        })
      )
    })
  ).annotations({
    description:
      "The best lap that joins pieces only where both laps had the same speed; null if the pieces form no whole lap, or if noise exceeds the gain"
  }),
  feasibleBestReason: described(
    Schema.NullOr(Schema.String),
    "One sentence: why there is no feasible_best; null if there is one"
  ),
  missingChannels: Missing
}).annotations({
  identifier: "SessionMicroSectors",
  description: "Where each lap is fast, by pieces of about 50 m"
})

export type SessionMicroSectors = typeof SessionMicroSectors.Type
