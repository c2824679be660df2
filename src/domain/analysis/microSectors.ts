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
  toldNumbers,
  Version
} from "./parts.ts"

export const SessionMicroSectors = Schema.Struct({
  algorithmVersion: Version,
  sessionId: Schema.Int,
  bounds: numbers("Metres from the line: where the pieces begin and end, one more than there are pieces"),
  laps: described(
    Schema.Array(
      Schema.Struct({
        lapId: LapReference,
        times: toldNumbers("Seconds in each piece; null where the lap's data are not sound")
      })
    ),
    "The laps taken apart, the fastest first; none where no piece of a valid lap is sound"
  ),
  leftOut: described(
    Schema.Array(Schema.Struct({ lapId: LapReference, reason: Schema.String })),
    "Valid laps of which no piece is sound, the fastest first, and why"
  ),
  best: described(
    Schema.Array(Schema.NullOr(Schema.Struct({ lapId: LapReference, time: Schema.Number }))),
    "The least seconds in each piece, and whose; null where no lap is sound"
  ),
  theoreticalBest: nullable(
    "Seconds: the sum of the best pieces, which nobody can drive; null where a piece is sound in no lap"
  ),
  feasibleBest: Schema.NullOr(
    Schema.Struct({
      time: described(Schema.Number, "Seconds: what it takes, free of the noise that it was chosen by"),
      interval: pair(
        "Seconds: from the pieces as measured to what noise and other laps of the session leave of it in 19 of 20 draws"
      ),
      piecesTime: described(
        Schema.Number,
        "Seconds: its pieces as measured, noise and all; the least of noisy times is too little"
      ),
      lapIds: described(Schema.Array(LapReference), "The laps that it takes pieces of, the fastest first"),
      unused: described(
        Schema.Array(Schema.Struct({ lapId: LapReference, reason: Schema.String })),
        "The laps that it takes nothing of, and why"
      ),
      joints: Schema.Array(
        Schema.Struct({
          distance: Metres,
          fromLapId: LapReference,
          toLapId: LapReference,
          speedDifference: described(Schema.Number, "km/h by which the lap that takes over is faster")
        })
      )
    })
  ).annotations({
    description:
      "The best lap that joins pieces only where both laps were equally fast; null where none leads around, or noise exceeds the gain"
  }),
  feasibleBestReason: described(
    Schema.NullOr(Schema.String),
    "One sentence: why there is no feasible_best; null where there is one"
  ),
  missingChannels: Missing
}).annotations({
  identifier: "SessionMicroSectors",
  description: "Where each lap is fast, by pieces of about 50 m"
})

export type SessionMicroSectors = typeof SessionMicroSectors.Type
