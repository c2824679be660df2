/** The prediction of the next lap. */
import { Schema } from "effect"
import { described, LapReference, nullable, pair, Version } from "./parts.ts"

export const LeftOutLap = Schema.Struct({
  lapId: LapReference,
  lapNumber: Schema.Int,
  reason: described(
    Schema.Literal("not_valid", "not_timed", "off_pace", "implausible_time", "in_lap", "outlier"),
    "`off_pace`: over 107 % of the best, as with a stop, a safety car or a spin; `implausible_time`: under half of the " +
      "median; `outlier`: at pace, and yet far from the laps around it; `in_lap`: an outlier before laps not at pace"
  )
}).annotations({ identifier: "LeftOutLap", description: "A lap that says nothing of the next one" })

export type LeftOutLap = typeof LeftOutLap.Type

export const Prediction = Schema.Struct({
  sessionId: Schema.Int,
  algorithmVersion: Version,
  predictedLapTime: nullable(
    "Seconds that the next lap takes, if it is a lap at pace (valid, within 107 % of the best); as likely more as " +
      "less. Null before there are enough laps"
  ),
  confidenceInterval: Schema.NullOr(pair("Seconds, low and high: within what a lap at pace can take")),
  confidenceLevel: nullable("0 to 1: the chance that the next lap at pace lies in the interval"),
  theoreticalBest: nullable("Seconds: the sum of the session's best valid sectors"),
  consistency: nullable("Seconds: the spread of the laps around the trend of their stint"),
  trendPerLap: nullable(
    "Seconds that the stint gets slower by with each lap; null with fewer than 3 laps of it"
  ),
  lapsUsed: described(Schema.Int, "Laps at pace that are no outliers"),
  lapsLeftOut: described(Schema.Array(LeftOutLap), "The session's other laps, in the order driven"),
  stint: Schema.NullOr(
    Schema.Struct({
      firstLapNumber: Schema.Int,
      laps: described(Schema.Int, "Laps used of it")
    })
  ).annotations({
    description:
      "The stint under way: since the last stop, gap, or jump of the level. Null where no lap is used"
  }),
  message: described(Schema.String, "One sentence: what is predicted from what, or how many laps are needed"),
  backTest: Schema.Struct({
    predictions: described(Schema.Int, "Past laps at pace that were predicted from those before them"),
    maeModel: nullable("Seconds: the model's mean absolute error on them"),
    maePersistence: nullable("Seconds: that of the last lap at pace, again"),
    answeredBy: described(
      Schema.Literal("model"),
      "The model always answers; persistence is what it is held against"
    ),
    coverage: nullable("0 to 1: the share of them in the interval stated before"),
    intervals: described(Schema.Int, "How many had one: all")
  }).annotations({
    identifier: "BackTest",
    description: "The model, and the last lap again, on the session's past laps"
  })
}).annotations({ identifier: "Prediction", description: "The next lap, or how many laps are needed" })

export type Prediction = typeof Prediction.Type
