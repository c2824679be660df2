import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import { flow } from "effect"
import { MAX_WANTED } from "../../../domain/channelPattern.ts"
import {
  InvalidValue,
  SessionNotFound,
  TooManyOfClient,
  TooManyReplays,
  TooManySelections
} from "../../../domain/errors.ts"
import { ARROW_TYPE } from "../../../formats/arrow/pointsArrow.ts"
import { withSign } from "../../../formats/csv/decimalSign.ts"
import * as PointsCsv from "../../../formats/csv/pointsCsv.ts"
import * as PointsNdjson from "../../../formats/json/pointsNdjson.ts"
import * as Telemetry from "../../../operations/telemetry.ts"
import { NotAcceptable, respondAs } from "../../accept.ts"
import { UpgradeRequired } from "../../live/handshake.ts"
import { eventTypes } from "../../live/liveQuery.ts"
import { alsoAs, withQuery } from "../openApi.ts"
import { get, rawRoute, routes } from "../route.ts"
import { upgrade } from "../../live/upgrade.ts"

export const telemetry = routes("telemetry", {
  range: get("/telemetry/range", Telemetry.range, {
    summary: "Read a session's points between two instants",
    description:
      "Returns a session's points from start_time to end_time, both inclusive; by default those of the whole session. With Accept: application/vnd.apache.arrow.stream the answer is an Arrow stream, with text/csv CSV, with application/x-ndjson a JSON object in each line.",
    errors: [NotAcceptable],
    respond: respondAs({
      "application/json": { text: Telemetry.range.json },
      "text/csv": {
        contentType: "text/csv; charset=utf-8",
        text: ({ chosen, decimal, points }) => withSign(PointsCsv.table(points, chosen), decimal)
      },
      [PointsNdjson.NDJSON_TYPE]: {
        text: ({ chosen, points }) => PointsNdjson.lines(points, chosen)
      },
      [ARROW_TYPE]: { text: Telemetry.rangeArrow }
    }),
    transform: flow(alsoAs("text/csv"), alsoAs(PointsNdjson.NDJSON_TYPE), alsoAs(ARROW_TYPE, "binary"))
  }),
  live: rawRoute(
    "GET",
    "/telemetry/live",
    {
      summary: "Watch live telemetry over a WebSocket",
      description:
        'A WebSocket that sends live telemetry: {type: "telemetry", data, session_id}. data is a telemetry point without steering (channels=steering gives it, and `live.telemetry` of /trpc); channels that the simulator does not send are null. With sequence=1 each telemetry message also has sequence, the number of the point in its session (from 1; null if it is not known), and left_out, the number of points before it that were left out on purpose. A point is lost if sequence exceeds the previous one by more than left_out + 1. With since=N the service first sends {type: "replay", session_id, since, from, to, missed} and then the points numbered from `from` to `to`. missed counts points that are too old to be sent again (more than 50,000 ago). `to` is below since if the service was killed before it stored the last points. With channels= each telemetry message also has channels: {name: value}, the newest values known when the point was sent, never interpolated; null for a channel that the simulator does not send or has not sent yet. A pattern also selects channels that the simulator adds later. One process serves at most 64 different selections of channels at a time, and at most 8 for one address (429).',
      success: [
        HttpApiSchema.Empty(101).annotations({ description: "The connection has become a WebSocket" })
      ],
      errors: [
        UpgradeRequired,
        InvalidValue,
        SessionNotFound,
        TooManyOfClient,
        TooManySelections,
        TooManyReplays
      ],
      transform: withQuery({
        session_id: {
          type: "integer",
          minimum: 1,
          maximum: Number.MAX_SAFE_INTEGER,
          description: "Sends this session only"
        },
        rate: {
          type: "number",
          exclusiveMinimum: 0,
          description:
            "Maximum messages per second and session; never more than the configuration's telemetry_rate"
        },
        events: {
          type: "array",
          items: { type: "string", enum: eventTypes },
          description:
            "lap, session, or both with a comma between them: the service also sends laps when they complete, and sessions when they start or end; either once more, with `changed` (names of fields), when the simulator corrects it"
        },
        channels: {
          type: "array",
          items: { type: "string" },
          maxItems: MAX_WANTED,
          description:
            "Further channels of telemetry messages, separated by commas: names, or patterns such as `fuel`, `tyre_*`, `*` (all)"
        },
        heartbeat: {
          type: "string",
          enum: ["0", "1"],
          description:
            '1 also sends {type: "heartbeat"} every 15 s: whoever hears nothing for longer has lost the connection'
        },
        sequence: {
          type: "string",
          enum: ["0", "1"],
          description: "1 numbers the messages; requires session_id"
        },
        since: {
          type: "integer",
          minimum: 0,
          maximum: Number.MAX_SAFE_INTEGER,
          description:
            "The last sequence that the client received: the service first sends what followed it; requires sequence=1"
        }
      })
    },
    () => upgrade
  )
})
