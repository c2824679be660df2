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
        'A WebSocket that sends live telemetry: {type: "telemetry", data, session_id}, where data is a telemetry point without steering; what the simulator does not tell is null. (`live.telemetry` of /trpc tells it whole.) With sequence=1 each such message has sequence, the number of the point among the session\'s (from 1; null where it is not known), and left_out, how many points before it were left out on purpose: a point is lost where sequence is more than left_out + 1 above the one before. With since, what came after that point is sent first, after {type: "replay", session_id, since, from, to, missed}: points from to to are sent, missed came too long ago (over 50,000 points), and to is below since where the service was killed before it stored the last ones.'
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
          },
          sequence: {
            type: "string",
            enum: ["0", "1"],
            description: "1: messages are numbered; with session_id"
          },
          since: {
            type: "integer",
            minimum: 0,
            maximum: Number.MAX_SAFE_INTEGER,
            description: "The last sequence that was received: what came since is sent first; with sequence=1"
          }
        })
      )
  )
