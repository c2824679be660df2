/** The other answers of the analysis: of a lap's sectors, and of a session. */
import { Schema } from "effect"
import { SectorSource } from "../../domain/Lap.ts"
import {
  described,
  LapId,
  Metres,
  Missing,
  numbers,
  orNull,
  pair,
  Seconds,
  seconds,
  toldNumbers,
  Version
} from "./parts.ts"

export const SectorAnalysis = Schema.Struct({
  algorithm_version: Version,
  lap_id: LapId,
  sectors: Schema.Array(
    Schema.Struct({
      sector_number: Schema.Int,
      time: Seconds,
      delta: orNull("Seconds behind the session's best valid one; null without another lap to compare with"),
      speed_avg: orNull("km/h; null where not known"),
      speed_max: orNull("km/h; null where not known")
    })
  ),
  sector_source: described(
    Schema.NullOr(SectorSource),
    "Whose sectors they are: `derived` ones are cut by the service. Null where there are none, or that is not known"
  ),
  total_time: Seconds,
  theoretical_best: orNull("Seconds: the sum of the session's best valid sectors"),
  theoretical_best_source: described(Schema.NullOr(SectorSource), "Whose sectors that is made of"),
  missing_channels: Missing
}).annotations({ identifier: "SectorAnalysis", description: "The lap by sectors" })

export const SessionAnomalies = Schema.Struct({
  algorithm_version: Version,
  session_id: Schema.Int,
  anomalies: Schema.Array(
    Schema.Struct({
      lap_id: LapId,
      lap_number: Schema.Int,
      type: Schema.Literal(
        "slow_lap",
        "off_pace_sector",
        "speed_loss",
        "lock_up_or_spin",
        "missed_gear",
        "data_gap",
        "pause",
        "frozen_channel",
        "implausible_value",
        "contradiction"
      ),
      timestamp: described(Schema.Number, "Epoch seconds: when it began"),
      distance: orNull("Metres from the line; null where not known"),
      value: orNull("What was measured, in the channel's unit"),
      expected: orNull("What was to be expected"),
      severity: Schema.Literal("low", "medium", "high"),
      description: Schema.String,
      channel: described(Schema.String, "What it shows in"),
      z: orNull("The modified z-score; null for what needs no baseline"),
      laps_in_baseline: Schema.Int,
      duration: seconds("how long it lasted"),
      cost: orNull(
        "Seconds lost against the baseline's median, with no more digits than `cost_uncertainty` leaves; null where that cannot be told"
      ),
      cost_uncertainty: orNull(
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
            lap_id: LapId,
            lap_number: Schema.Int,
            timestamp: described(Schema.Number, "Epoch seconds"),
            distance: orNull("Metres from the line; null where not known"),
            value: orNull("What was measured, in the channel's unit"),
            duration: seconds("how long it lasted")
          })
        ),
        "All of them, in the order driven; of a single one itself"
      )
    })
  ),
  total: Schema.Int,
  missing_channels: Missing
}).annotations({ identifier: "SessionAnomalies", description: "What stands out, the costliest first" })

const LeftOutLap = Schema.Struct({
  lap_id: LapId,
  lap_number: Schema.Int,
  reason: described(
    Schema.Literal("not_valid", "not_timed", "off_pace", "implausible_time", "in_lap", "outlier"),
    "`off_pace`: over 107 % of the best, as with a stop, a safety car or a spin; `implausible_time`: under half of the " +
      "median; `outlier`: at pace, and yet far from the laps around it; `in_lap`: an outlier before laps not at pace"
  )
}).annotations({ identifier: "LeftOutLap", description: "A lap that says nothing of the next one" })

export const Prediction = Schema.Struct({
  session_id: Schema.Int,
  algorithm_version: Version,
  predicted_lap_time: orNull(
    "Seconds that the next lap takes, if it is a lap at pace (valid, within 107 % of the best); as likely more as " +
      "less. Null before there are enough laps"
  ),
  confidence_interval: Schema.NullOr(pair("Seconds, low and high: within what a lap at pace can take")),
  confidence_level: orNull("0 to 1: the chance that the next lap at pace lies in the interval"),
  theoretical_best: orNull("Seconds: the sum of the session's best valid sectors"),
  consistency: orNull("Seconds: the spread of the laps around the trend of their stint"),
  trend_per_lap: orNull(
    "Seconds that the stint gets slower by with each lap; null with fewer than 3 laps of it"
  ),
  laps_used: described(Schema.Int, "Laps at pace that are no outliers"),
  laps_left_out: described(Schema.Array(LeftOutLap), "The session's other laps, in the order driven"),
  stint: Schema.NullOr(
    Schema.Struct({
      first_lap_number: Schema.Int,
      laps: described(Schema.Int, "Laps used of it")
    })
  ).annotations({
    description:
      "The stint under way: since the last stop, gap, or jump of the level. Null where no lap is used"
  }),
  message: described(Schema.String, "One sentence: what is predicted from what, or how many laps are needed"),
  back_test: Schema.Struct({
    predictions: described(Schema.Int, "Past laps at pace that were predicted from those before them"),
    mae_model: orNull("Seconds: the model's mean absolute error on them"),
    mae_persistence: orNull("Seconds: that of the last lap at pace, again"),
    answered_by: described(
      Schema.Literal("model"),
      "The model always answers; persistence is what it is held against"
    ),
    coverage: orNull("0 to 1: the share of them in the interval stated before"),
    intervals: described(Schema.Int, "How many had one: all")
  }).annotations({
    identifier: "BackTest",
    description: "The model, and the last lap again, on the session's past laps"
  })
}).annotations({ identifier: "Prediction", description: "The next lap, or how many laps are needed" })

export const SessionMicroSectors = Schema.Struct({
  algorithm_version: Version,
  session_id: Schema.Int,
  bounds: numbers("Metres from the line: where the pieces begin and end, one more than there are pieces"),
  laps: described(
    Schema.Array(
      Schema.Struct({
        lap_id: LapId,
        times: toldNumbers("Seconds in each piece; null where the lap's data are not sound")
      })
    ),
    "The laps taken apart, the fastest first; none where no piece of a valid lap is sound"
  ),
  left_out: described(
    Schema.Array(Schema.Struct({ lap_id: LapId, reason: Schema.String })),
    "Valid laps of which no piece is sound, the fastest first, and why"
  ),
  best: described(
    Schema.Array(Schema.NullOr(Schema.Struct({ lap_id: LapId, time: Schema.Number }))),
    "The least seconds in each piece, and whose; null where no lap is sound"
  ),
  theoretical_best: orNull(
    "Seconds: the sum of the best pieces, which nobody can drive; null where a piece is sound in no lap"
  ),
  feasible_best: Schema.NullOr(
    Schema.Struct({
      time: described(Schema.Number, "Seconds: what it takes, free of the noise that it was chosen by"),
      interval: pair(
        "Seconds: from the pieces as measured to what noise and other laps of the session leave of it in 19 of 20 draws"
      ),
      pieces_time: described(
        Schema.Number,
        "Seconds: its pieces as measured, noise and all; the least of noisy times is too little"
      ),
      lap_ids: described(Schema.Array(LapId), "The laps that it takes pieces of, the fastest first"),
      unused: described(
        Schema.Array(Schema.Struct({ lap_id: LapId, reason: Schema.String })),
        "The laps that it takes nothing of, and why"
      ),
      joints: Schema.Array(
        Schema.Struct({
          distance: Metres,
          from_lap_id: LapId,
          to_lap_id: LapId,
          speed_difference: described(Schema.Number, "km/h by which the lap that takes over is faster")
        })
      )
    })
  ).annotations({
    description:
      "The best lap that joins pieces only where both laps were equally fast; null where none leads around, or noise exceeds the gain"
  }),
  feasible_best_reason: described(
    Schema.NullOr(Schema.String),
    "One sentence: why there is no feasible_best; null where there is one"
  ),
  missing_channels: Missing
}).annotations({
  identifier: "SessionMicroSectors",
  description: "Where each lap is fast, by pieces of about 50 m"
})

export const SessionConsistency = Schema.Struct({
  algorithm_version: Version,
  session_id: Schema.Int,
  times: Schema.Struct({
    laps: Schema.Int,
    best: orNull("Seconds"),
    mean: orNull("Seconds"),
    median: orNull("Seconds"),
    standard_deviation: orNull("Seconds; of a sample (n - 1)"),
    robust_deviation: orNull(
      "Seconds; by the median distance from the median, which one bad lap does not move"
    ),
    interquartile_range: orNull("Seconds"),
    relative: orNull("robust_deviation as a share of the median")
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
  missing_channels: Missing
}).annotations({ identifier: "SessionConsistency", description: "How alike the session's laps are" })
