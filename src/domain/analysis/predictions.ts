/** The prediction of the next lap. */
import { Schema } from "effect"
import { described, LapReference, nullable, pair, Version } from "./parts.ts"

export const LeftOutLap = Schema.Struct({
  lapId: LapReference,
  lapNumber: Schema.Int,
  reason: described(
    Schema.Literal(
      "not_valid",
      "not_timed",
      "off_pace",
      "implausible_time",
      "in_lap",
      "out_lap",
      "neutralised",
      "start",
      "outlier"
    ),
    "`in_lap`, `out_lap`: with a stop in the pits; `neutralised`: behind a safety car, under a flag, or to cool down; " +
      "`start`: from standstill; `off_pace`: over 107 % of the best, for example with a spin; `implausible_time`: under " +
      "half of the median; `outlier`: at pace, but far from the laps around it. Where points do not show a stop, `in_lap` is an outlier " +
      "before one lap that is 10 s over the best, or before the car stood, and then laps at pace"
  )
}).annotations({ identifier: "LeftOutLap", description: "A lap that the prediction does not use" })

export type LeftOutLap = typeof LeftOutLap.Type

export const LapAhead = Schema.Struct({
  laps: described(Schema.Int, "How many laps ahead, 1 to 10; 1 is the next lap"),
  predictedLapTime: described(
    Schema.Number,
    "Seconds: the expected time, provided that it is a lap at pace and no stop is made before it"
  ),
  confidenceInterval: pair(
    "Seconds, low and high: in past races it contained nine in ten of the laps at pace, with or without a stop before them"
  )
}).annotations({ identifier: "LapAhead", description: "The prediction of one of the next laps" })

export const Prediction = Schema.Struct({
  sessionId: Schema.Int,
  algorithmVersion: Version,
  predictedLapTime: nullable(
    "Seconds: the median of the next lap's time, provided that it is a running lap at pace: valid, within " +
      "107 % of the best, and neither into nor out of the pits. Null until there are enough laps"
  ),
  confidenceInterval: Schema.NullOr(pair("Seconds, low and high: the interval for a running lap at pace")),
  confidenceLevel: nullable("0 to 1: the chance that the next running lap at pace lies in the interval"),
  lapsAhead: described(
    Schema.Array(LapAhead),
    "The next 10 laps; the first is the prediction above. Empty until there are enough laps"
  ),
  theoreticalBest: nullable("Seconds: the sum of the session's best valid sectors"),
  consistency: nullable("Seconds: the spread of the laps around the trend of their stint"),
  trendPerLap: nullable(
    "Seconds by which the stint gets slower with each lap; null if fewer than 3 of its laps are used"
  ),
  lapsUsed: described(Schema.Int, "Number of laps at pace that are no outliers"),
  lapsLeftOut: described(Schema.Array(LeftOutLap), "The session's other laps, in the order driven"),
  stint: Schema.NullOr(
    Schema.Struct({
      firstLapNumber: Schema.Int,
      laps: described(Schema.Int, "Number of its laps that are used")
    })
  ).annotations({
    description:
      "The current stint, since the last stop, gap or jump in the level of lap times. Null if no lap is used"
  }),
  message: described(
    Schema.String,
    "One sentence: the prediction and the laps that it is based on, or how many laps it needs"
  ),
  backTest: Schema.Struct({
    predictions: described(
      Schema.Int,
      "Number of past laps at pace that were predicted from the laps before them"
    ),
    maeModel: nullable("Seconds: the mean absolute error of the model on those laps"),
    maePersistence: nullable(
      "Seconds: the mean absolute error if each lap is predicted to repeat the last lap at pace"
    ),
    answeredBy: described(Schema.Literal("model"), "Always the model; persistence is only its baseline"),
    crps: nullable(
      "Seconds: the mean continuous ranked probability score of the model on those laps, which is the error of the whole " +
        "distribution. Of an answer without an interval, such as the last lap again, it is the mean absolute error"
    ),
    coverage: nullable("0 to 1: the share of those laps that lay in the interval predicted for them"),
    intervals: described(Schema.Int, "Number of those laps that had an interval: all of them")
  }).annotations({
    identifier: "BackTest",
    description: "The model and the baseline (repeat the last lap) tested on the session's past laps"
  })
}).annotations({
  identifier: "Prediction",
  description: "The prediction of the next lap, or how many laps it needs"
})

export type Prediction = typeof Prediction.Type
