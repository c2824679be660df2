import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { Lap } from "../../domain/Lap.ts"
import { LapPath, QueryInt, SessionPath } from "../parameters.ts"
import * as Problems from "../problems.ts"

const Seconds = Schema.NullOr(Schema.Number).annotations({ description: "Seconds; null where not timed" })

const TimeDelta = Schema.Struct({ total: Seconds, sector1: Seconds, sector2: Seconds, sector3: Seconds })

/** The parts that prove and explain a comparison: their shapes are those of analysis/. */
const Evidence = Schema.Array(Schema.Record({ key: Schema.String, value: Schema.Unknown }))

const comparison = {
  algorithm_version: Schema.String,
  laps: Schema.Array(Lap),
  fastest_lap_id: Schema.Int,
  time_deltas: Schema.Record({ key: Schema.String, value: TimeDelta }).annotations({
    description: "By lap id, against the fastest lap"
  }),
  suggestions: Schema.Array(Schema.String),
  losses: Evidence,
  closure: Evidence,
  corners: Evidence,
  method: Schema.NullOr(Schema.Literal("positions", "speed"))
}

const LapComparison = Schema.Struct(comparison).annotations({
  identifier: "LapComparison",
  description: "The laps against the fastest of them"
})

const TracedLapComparison = Schema.Struct({
  ...comparison,
  traces: Schema.Array(
    Schema.Struct({
      lap_id: Schema.Int,
      distance: Schema.Array(Schema.Number),
      time_delta: Schema.Array(Schema.Number),
      speed: Schema.Array(Schema.Number)
    })
  )
}).annotations({ identifier: "TracedLapComparison", description: "The comparison with a trace for each lap" })

const SectorAnalysis = Schema.Struct({
  algorithm_version: Schema.String,
  lap_id: Schema.Int,
  sectors: Schema.Array(
    Schema.Struct({
      sector_number: Schema.Int,
      time: Seconds,
      delta: Seconds,
      speed_avg: Schema.NullOr(Schema.Number),
      speed_max: Schema.NullOr(Schema.Number)
    })
  ),
  total_time: Seconds,
  theoretical_best: Seconds
}).annotations({ identifier: "SectorAnalysis", description: "The lap by sectors" })

const SessionAnomalies = Schema.Struct({
  algorithm_version: Schema.String,
  session_id: Schema.Int,
  anomalies: Schema.Array(
    Schema.Struct({
      lap_id: Schema.Int,
      lap_number: Schema.Int,
      type: Schema.String,
      timestamp: Schema.Number,
      distance: Schema.NullOr(Schema.Number),
      value: Schema.NullOr(Schema.Number),
      expected: Schema.NullOr(Schema.Number),
      severity: Schema.Literal("low", "medium", "high"),
      description: Schema.String,
      channel: Schema.String,
      z: Schema.NullOr(Schema.Number),
      laps_in_baseline: Schema.Int,
      duration: Schema.Number,
      cost: Schema.NullOr(Schema.Number)
    })
  ),
  total: Schema.Int
}).annotations({ identifier: "SessionAnomalies", description: "What stands out, the costliest first" })

const Prediction = Schema.Struct({
  session_id: Schema.Int,
  algorithm_version: Schema.String,
  predicted_lap_time: Seconds,
  confidence_interval: Schema.NullOr(Schema.Tuple(Schema.Number, Schema.Number)),
  confidence_level: Schema.NullOr(Schema.Number),
  theoretical_best: Seconds,
  consistency: Seconds,
  trend_per_lap: Seconds,
  laps_used: Schema.Int,
  message: Schema.String,
  back_test: Schema.Record({ key: Schema.String, value: Schema.Unknown })
}).annotations({ identifier: "Prediction", description: "The next lap, or how many laps are needed" })

const ComparedLaps = Schema.Struct({
  lap_ids: Schema.Array(Schema.Int.pipe(Schema.positive()))
}).annotations({ identifier: "ComparedLaps" })

export const Analysis = HttpApiGroup.make("analysis")
  .add(
    HttpApiEndpoint.get("compare", "/compare")
      .setUrlParams(
        Schema.Struct({
          lap_ids: Schema.Array(
            QueryInt(1, Number.MAX_SAFE_INTEGER, { description: "Id of a lap" })
          ).annotations({ description: "Repeated, once for each of 2 to 20 laps" })
        })
      )
      .addSuccess(LapComparison)
      .addError(Problems.LapNotFound)
      .addError(Problems.InvalidValue)
      .annotate(OpenApi.Description, "Compares laps on one circuit, by distance, against the fastest.")
  )
  .add(
    HttpApiEndpoint.post("compareTraced", "/analysis/compare")
      .setPayload(ComparedLaps)
      .addSuccess(TracedLapComparison)
      .addError(Problems.LapNotFound)
      .addError(Problems.InvalidValue)
      .annotate(OpenApi.Description, "The same comparison with traces on a grid of distance.")
  )
  .add(
    HttpApiEndpoint.get("sectors", "/analysis/sectors/:lap_id")
      .setPath(LapPath)
      .addSuccess(SectorAnalysis)
      .addError(Problems.LapNotFound)
      .annotate(OpenApi.Description, "The lap's sectors against the session's best valid ones.")
  )
  .add(
    HttpApiEndpoint.get("anomalies", "/analysis/anomalies/:session_id")
      .setPath(SessionPath)
      .addSuccess(SessionAnomalies)
      .addError(Problems.SessionNotFound)
      .annotate(
        OpenApi.Description,
        "What stands out against the session's other laps at pace, with evidence."
      )
  )
  .add(
    HttpApiEndpoint.get("predictions", "/analysis/predictions/:session_id")
      .setPath(SessionPath)
      .addSuccess(Prediction)
      .addError(Problems.SessionNotFound)
      .annotate(
        OpenApi.Description,
        "The next lap's time with an interval, and the back-test of both methods."
      )
  )
