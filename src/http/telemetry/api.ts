import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { eventTypes } from "../../live/subscription.ts"
import { alsoAs, withQuery } from "../openApi.ts"
import { QueryInt, QueryTime, SampleRate } from "../parameters.ts"
import * as Problems from "../problems.ts"
import { TelemetryPoint } from "./point.ts"

export const TelemetryRange = Schema.Struct({
  session_id: Schema.Int,
  start_time: Schema.NullOr(Schema.Number),
  end_time: Schema.NullOr(Schema.Number),
  points: Schema.Array(TelemetryPoint),
  total_points: Schema.Int.annotations({ description: "Points in the range, before thinning" })
}).annotations({ identifier: "TelemetryRange" })

const instant = (which: string) =>
  `The ${which} instant: epoch seconds, or an ISO 8601 date-time (UTC, where it names no offset); the session's ${which} point by default`

export const Telemetry = HttpApiGroup.make("telemetry")
  .add(
    HttpApiEndpoint.get("range", "/telemetry/range")
      .annotate(OpenApi.Summary, "Read a session's points between two instants")
      .setUrlParams(
        Schema.Struct({
          session_id: QueryInt(1, Number.MAX_SAFE_INTEGER, { description: "Id of the session" }),
          start_time: Schema.optionalWith(QueryTime({ description: instant("first") }), { exact: true }),
          end_time: Schema.optionalWith(QueryTime({ description: instant("last") }), { exact: true }),
          sample_rate: SampleRate
        })
      )
      .addSuccess(TelemetryRange)
      .addError(Problems.SessionNotFound)
      .addError(Problems.InvalidValue)
      .addError(Problems.NotAcceptable)
      .annotate(
        OpenApi.Description,
        "A session's points from start_time to end_time, both inclusive, by default the whole session. With Accept: text/csv as CSV."
      )
      .annotate(OpenApi.Transform, alsoAs("text/csv"))
  )
  .add(
    HttpApiEndpoint.get("live", "/telemetry/live")
      .annotate(OpenApi.Summary, "Watch live telemetry over a WebSocket")
      .addSuccess(
        HttpApiSchema.Empty(101).annotations({ description: "The connection is a WebSocket from here on" })
      )
      .addError(Problems.UpgradeRequired)
      .addError(Problems.InvalidValue)
      .addError(Problems.SessionNotFound)
      .annotate(
        OpenApi.Description,
        'A WebSocket that sends live telemetry: {type: "telemetry", data, session_id}, where data is a telemetry point without steering; what the simulator does not tell is null. (`live.telemetry` of /trpc tells it whole.)'
      )
      .annotate(
        OpenApi.Transform,
        withQuery({
          session_id: {
            type: "integer",
            minimum: 1,
            maximum: Number.MAX_SAFE_INTEGER,
            description: "Only this session"
          },
          rate: {
            type: "number",
            exclusiveMinimum: 0,
            description:
              "Most messages per second of one session; telemetry_rate of the configuration caps it"
          },
          events: {
            type: "array",
            items: { type: "string", enum: eventTypes },
            description:
              "lap, session or both between commas: also laps that complete, sessions that start or end"
          }
        })
      )
  )
