import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { QueryInt, QueryTime, SampleRate } from "../parameters.ts"
import * as Problems from "../problems.ts"
import { TelemetryPoint } from "./point.ts"

const TelemetryRange = Schema.Struct({
  session_id: Schema.Int,
  start_time: Schema.NullOr(Schema.Number),
  end_time: Schema.NullOr(Schema.Number),
  points: Schema.Array(TelemetryPoint),
  total_points: Schema.Int.annotations({ description: "Points in the range, before thinning" })
}).annotations({ identifier: "TelemetryRange" })

export const Telemetry = HttpApiGroup.make("telemetry")
  .add(
    HttpApiEndpoint.get("range", "/telemetry/range")
      .setUrlParams(
        Schema.Struct({
          session_id: QueryInt(1, Number.MAX_SAFE_INTEGER),
          start_time: Schema.optional(QueryTime),
          end_time: Schema.optional(QueryTime),
          sample_rate: SampleRate
        })
      )
      .addSuccess(TelemetryRange)
      .addError(Problems.SessionNotFound)
      .addError(Problems.InvalidValue)
      .annotate(
        OpenApi.Description,
        "A session's points from start_time to end_time, both inclusive, by default the whole session. With Accept: text/csv as CSV."
      )
  )
  .add(
    HttpApiEndpoint.get("live", "/telemetry/live")
      .addSuccess(Schema.Void)
      .addError(Problems.UpgradeRequired)
      .addError(Problems.InvalidValue)
      .addError(Problems.SessionNotFound)
      .annotate(
        OpenApi.Description,
        "A WebSocket that sends live telemetry. Query parameters, all optional: session_id (only that session), rate (Hz, at most telemetry_rate), events (lap,session: also laps that complete and sessions that start or end)."
      )
  )
