/** The shapes of the analysis: those of analysis/, described. */
import { Schema } from "effect"
import { Lap, SectorSource } from "../domain/Lap.ts"
import { channels } from "../domain/PointBatch.ts"

const described = <A, I>(schema: Schema.Schema<A, I>, description: string) =>
  schema.annotations({ description })

const toldNumbers = (description: string) =>
  described(Schema.Array(Schema.NullOr(Schema.Number)), description)
const numbers = (description: string) => described(Schema.Array(Schema.Number), description)
const orNull = (description: string) => described(Schema.NullOr(Schema.Number), description)
const Metres = described(Schema.Number, "Metres from the line")
const Kmh = orNull("km/h; null where the speed is not told")
const LapId = described(Schema.Int, "Id of a lap")
const Version = described(
  Schema.String,
  "Raised when a figure changes: the same version and input, the same bytes"
)
const Seconds = described(Schema.NullOr(Schema.Number), "Seconds; null where not timed")
const seconds = (description: string) => described(Schema.Number, `Seconds: ${description}`)

const Missing = described(
  Schema.Array(Schema.Literal(...channels)),
  "Channels that one of the laps does not tell and that would have been used, in the order of a point; what needs them is left out"
)

const delta = { total: Seconds, sector1: Seconds, sector2: Seconds, sector3: Seconds }

const Loss = Schema.Struct({
  lap_id: LapId,
  corner: described(
    Schema.NullOr(Schema.Int),
    "The corner's number; null on a straight, and for a corner that is none of the circuit's own"
  ),
  corner_label: described(Schema.NullOr(Schema.String), "The corner's `label`; null on a straight"),
  distance: described(
    Schema.Number,
    "Metres from the line: the corner's apex, or the middle of the straight"
  ),
  seconds: seconds("what the lap lost there to the fastest"),
  cause: described(
    Schema.NullOr(
      Schema.Literal("braking", "minimum speed", "throttle", "top speed", "line", "pace", "spin or stop")
    ),
    "What was different and explains most of the seconds by itself; null where nothing that was measured does"
  ),
  sentence: Schema.String
}).annotations({ identifier: "Loss", description: "One place where a lap lost time" })

const Explained = Schema.Struct({
  delta: seconds("the lap's delta at the line by its telemetry, the sum of the other four"),
  lost: seconds("the sum of the lap's `losses`"),
  unnamed: seconds("losses too small to be named or to be sure of, or beside what is unsound, together"),
  gained: seconds("what it gained elsewhere, together; 0 or less"),
  unsound: seconds("what went, either way, where the delta is not to be relied on")
}).annotations({ identifier: "Explained", description: "Where a lap's delta went" })

const Stretch = Schema.Struct({
  from: Metres,
  to: Metres,
  reason: Schema.String
}).annotations({
  identifier: "Stretch",
  description: "A stretch of the lap that is not to be relied on, and why"
})

const Closure = Schema.Struct({
  lap_id: LapId,
  ...delta,
  timed_by: described(
    Schema.Literal("clock", "positions"),
    "What timed the lap from line to line: the recorder's clock, or the crossing that the positions show"
  ),
  measured: orNull("The lap's time by that, seconds"),
  official: orNull("The lap's own time, seconds"),
  unsound: described(
    Schema.Array(Stretch),
    "Where the delta is not to be relied on, by faults of this lap's data or the fastest's; no loss is named there"
  ),
  trusted: described(Schema.Boolean, "Whether no stretch is unsound"),
  reason: described(Schema.NullOr(Schema.String), "Why it is not trusted: of the longest stretch"),
  explained: described(
    Schema.NullOr(Explained),
    "Null where nothing of the lap is sound, or it or the fastest does not tell its speed: its losses go unnamed"
  )
}).annotations({
  identifier: "Closure",
  description:
    "What the telemetry's deltas at the line and at the sector lines miss the official ones by, in seconds"
})

/** As an array of two: generators of clients know no tuples. */
const pair = (description: string) =>
  Schema.Tuple(Schema.Number, Schema.Number).annotations({
    jsonSchema: { type: "array", items: { type: "number" }, minItems: 2, maxItems: 2, description }
  })

const Between = (description: string) => Schema.NullOr(pair(description))

const CornerPass = Schema.Struct({
  lap_id: LapId,
  entry_speed: Kmh,
  apex_speed: Kmh,
  exit_speed: Kmh,
  minimum_speed: Kmh,
  minimum_speed_at: orNull("Metres from the line; null where the speed is not told"),
  braking_point: orNull(
    "Metres from the line; null where the lap does not brake for it, or the brake is not told"
  ),
  braking_interval: Between(
    "Metres from the line: the points between which the braking began; null as `braking_point`"
  ),
  throttle_interval: Between(
    "Metres from the line: the points between which the throttle was opened; null as `throttle_point`"
  ),
  throttle_point: orNull("Metres from the line where the throttle is opened again; null where not known"),
  time: seconds("from the corner's entry to its exit"),
  time_lost: seconds("lost (or, below 0, gained) to the fastest, with the braking before it")
}).annotations({ identifier: "CornerPass", description: "A lap in a corner" })

const NumberedBy = Schema.Literal("official", "edited", "detected")
export const FoundBy = Schema.Literal("positions", "speed")
export const Direction = Schema.Literal("left", "right")

const Corner = Schema.Struct({
  number: described(
    Schema.NullOr(Schema.Int),
    "The circuit's own, where it is known: the first, where a corner found is several, null where it is none. Else from 1, " +
      "counted from the line"
  ),
  label: described(Schema.String, "`5`, `5-6`, or `between 5 and 6`"),
  name: described(Schema.NullOr(Schema.String), "Where the circuit has one for it"),
  numbered_by: described(
    NumberedBy,
    "`official`: by the circuit's own map; `edited`: as a user said; `detected`: found, and none of the circuit's own"
  ),
  found_by: described(
    FoundBy,
    "`positions`: where the fastest lap's line bends; `speed`: where most of the laps are slower than before and after, " +
      "because positions are not told"
  ),
  direction: described(Schema.NullOr(Direction), "Null where it was found by speed"),
  entry: Metres,
  apex: Metres,
  exit: described(Schema.Number, "Metres from the line; before the entry where the line lies in the corner"),
  angle: orNull("By how much it turns, radians; null where it was found by speed"),
  radius: orNull("Of its tightest bend, metres; null where it was found by speed"),
  passes: described(Schema.Array(CornerPass), "One for each lap")
}).annotations({ identifier: "Corner", description: "A corner, found in the laps" })

const comparison = {
  algorithm_version: Version,
  laps: Schema.Array(Lap),
  fastest_lap_id: LapId,
  time_deltas: Schema.Record({ key: Schema.String, value: Schema.Struct(delta) }).annotations({
    description: "By lap id, against the fastest lap"
  }),
  suggestions: described(Schema.Array(Schema.String), "The sentences of `losses`"),
  losses: described(Schema.Array(Loss), "The largest first"),
  closure: described(Schema.Array(Closure), "One for each lap"),
  corners: described(Schema.Array(Corner), "In the order driven"),
  circuit: Schema.NullOr(
    Schema.Struct({
      name: Schema.String,
      numbered_by: Schema.Literal("official", "edited"),
      score: orNull("0 to 1: how much of the known circuit's corners and of the line's is the same"),
      margin: orNull("By how much that is more than any other circuit's")
    })
  ).annotations({
    description:
      "Whose numbers the corners have: of a known circuit, by the length and the sequence of the corners, or of a user. " +
      "Null where they are in the order found"
  }),
  method: described(
    Schema.NullOr(Schema.Literal("positions", "speed")),
    "What the laps were aligned by; null where they cannot be"
  ),
  missing_channels: Missing
}

export const LapComparison = Schema.Struct(comparison).annotations({
  identifier: "LapComparison",
  description: "The laps against the fastest of them"
})

export const TracedLapComparison = Schema.Struct({
  ...comparison,
  traces: Schema.Array(
    Schema.Struct({
      lap_id: LapId,
      distance: numbers("Metres from the line, about one apart"),
      time_delta: numbers("Seconds behind the fastest there"),
      time_delta_uncertainty: numbers(
        "Seconds: the true delta lies within so much of the one given, at nine places in ten"
      ),
      speed: toldNumbers("km/h"),
      throttle: toldNumbers("0 to 1"),
      brake: toldNumbers("0 to 1"),
      gear: toldNumbers("Of the nearest point"),
      steering: toldNumbers("-1 (full left) to 1 (full right)"),
      position_x: toldNumbers("Metres"),
      position_y: toldNumbers("Metres")
    }).annotations({
      identifier: "Trace",
      description: "A value for each distance; null where the channel is not told"
    })
  )
}).annotations({ identifier: "TracedLapComparison", description: "The comparison with a trace for each lap" })

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
