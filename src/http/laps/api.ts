import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { Lap } from "../../domain/Lap.ts"
import { PathId, SampleRate } from "../parameters.ts"
import * as Problems from "../problems.ts"
import { TelemetryPoint } from "../telemetry/point.ts"

const LapTelemetry = Schema.Struct({
  lap_id: Schema.Int,
  points: Schema.Array(TelemetryPoint),
  total_points: Schema.Int.annotations({ description: "Points recorded for the lap, before thinning" })
}).annotations({ identifier: "LapTelemetry" })

export const Laps = HttpApiGroup.make("laps")
  .add(
    HttpApiEndpoint.get("ofSession", "/:session_id/laps")
      .setPath(Schema.Struct({ session_id: PathId }))
      .addSuccess(Schema.Array(Lap))
      .addError(Problems.SessionNotFound)
      .annotate(OpenApi.Description, "By lap number.")
  )
  .add(
    HttpApiEndpoint.get("read", "/:lap_id")
      .setPath(Schema.Struct({ lap_id: PathId }))
      .addSuccess(Lap)
      .addError(Problems.LapNotFound)
  )
  .add(
    HttpApiEndpoint.get("telemetry", "/:lap_id/telemetry")
      .setPath(Schema.Struct({ lap_id: PathId }))
      .setUrlParams(Schema.Struct({ sample_rate: SampleRate }))
      .addSuccess(LapTelemetry)
      .addError(Problems.LapNotFound)
      .annotate(
        OpenApi.Description,
        "The lap's points by time. sample_rate N keeps every Nth, and always the first and the last."
      )
  )
