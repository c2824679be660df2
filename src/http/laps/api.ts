import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { Lap } from "../../domain/Lap.ts"
import { LapPath, SampleRate, SessionPath } from "../parameters.ts"
import * as Problems from "../problems.ts"
import { TelemetryPoint } from "../telemetry/point.ts"

export const LapTelemetry = Schema.Struct({
  lap_id: Schema.Int,
  points: Schema.Array(TelemetryPoint),
  total_points: Schema.Int.annotations({ description: "Points recorded for the lap, before thinning" })
}).annotations({ identifier: "LapTelemetry" })

/** These stand beside fixed names such as /connect: what is no number is another path, not an unknown lap. */
export const Laps = HttpApiGroup.make("laps")
  .add(
    HttpApiEndpoint.get("ofSession", "/:session_id(^\\d+$)/laps")
      .annotate(OpenApi.Summary, "List the laps of a session")
      .setPath(SessionPath)
      .addSuccess(Schema.Array(Lap).annotations({ description: "The laps of the session" }))
      .addError(Problems.SessionNotFound)
      .annotate(OpenApi.Description, "By lap number.")
  )
  .add(
    HttpApiEndpoint.get("read", "/:lap_id(^\\d+$)")
      .annotate(OpenApi.Summary, "Read a lap")
      .setPath(LapPath)
      .addSuccess(Lap)
      .addError(Problems.LapNotFound)
      .annotate(OpenApi.Description, "One lap.")
  )
  .add(
    HttpApiEndpoint.get("telemetry", "/:lap_id(^\\d+$)/telemetry")
      .annotate(OpenApi.Summary, "Read a lap's points")
      .setPath(LapPath)
      .setUrlParams(Schema.Struct({ sample_rate: SampleRate }))
      .addSuccess(LapTelemetry)
      .addError(Problems.LapNotFound)
      .annotate(
        OpenApi.Description,
        "The lap's points by time. sample_rate N keeps every Nth, and always the first and the last."
      )
  )
