import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import { flow } from "effect"
import { MAX_WANTED } from "../../domain/channelPattern.ts"
import { InvalidValue, SessionNotFound, TooManySelections } from "../../domain/errors.ts"
import { ARROW_TYPE } from "../../export/pointsArrow.ts"
import * as PointsCsv from "../../export/pointsCsv.ts"
import * as Telemetry from "../../operations/telemetry.ts"
import { NotAcceptable, respondAs } from "../accept.ts"
import { UpgradeRequired } from "../handshake.ts"
import { eventTypes } from "../liveQuery.ts"
import { alsoAs, withQuery } from "../openApi.ts"
import { get, rawRoute, routes } from "../route.ts"
import { upgrade } from "../upgrade.ts"

export const telemetry = routes("telemetry", {
  range: get("/telemetry/range", Telemetry.range, {
    summary: "Read a session's points between two instants",
    description:
      "Returns a session's points from start_time to end_time, both inclusive. The default is the whole session. The Accept header chooses JSON, CSV (text/csv) or an Arrow stream (application/vnd.apache.arrow.stream).",
    errors: [NotAcceptable],
    respond: respondAs({
      "application/json": { text: Telemetry.range.json },
      "text/csv": {
        contentType: "text/csv; charset=utf-8",
        text: ({ chosen, points }) => PointsCsv.table(points, chosen.columns)
      },
      [ARROW_TYPE]: { text: Telemetry.rangeArrow }
    }),
    transform: flow(alsoAs("text/csv"), alsoAs(ARROW_TYPE, "binary"))
  }),
  live: rawRoute(
    "GET",
    "/telemetry/live",
    {
      summary: "Watch live telemetry over a WebSocket",
      description:
        'Opens a WebSocket that sends live telemetry as {type: "telemetry", data, session_id}. `data` is a telemetry point without steering (the subscription `live.telemetry` of /trpc has it); a channel that the simulator does not send is null. With sequence=1 each of these messages also has `sequence`, the number of its point in the session (from 1; null if unknown), and `left_out`, the number of points just before it that the service left out because of the rate. The client has lost points if `sequence` exceeds that of the message before by more than `left_out` + 1. With `since` the service first sends {type: "replay", session_id, since, from, to, missed}, then the points numbered from `from` to `to`, and then live ones. `missed` counts older points that it does not send (it sends at most 50,000). `to` is less than `since` if the service was killed before it stored the last points. With `channels` each telemetry message also has `channels`, an object of values by channel name: the newest value known when the message was sent, as of the time of the point and never interpolated; null if the simulator does not send the channel, or has not sent it yet. A pattern also selects matching channels that the simulator sends later. One process serves at most 64 different selections of channels at a time.',
      success: [HttpApiSchema.Empty(101).annotations({ description: "The connection is now a WebSocket" })],
      errors: [UpgradeRequired, InvalidValue, SessionNotFound, TooManySelections],
      transform: withQuery({
        session_id: {
          type: "integer",
          minimum: 1,
          maximum: Number.MAX_SAFE_INTEGER,
          description: "Only telemetry and events of this session"
        },
        rate: {
          type: "number",
          exclusiveMinimum: 0,
          description:
            "Maximum number of telemetry messages a second for each session. `telemetry_rate` of the configuration is the upper limit"
        },
        events: {
          type: "array",
          items: { type: "string", enum: eventTypes },
          description:
            "Events to send besides telemetry, separated by commas: `lap` (a lap is complete), `session` (a session starts or ends)"
        },
        channels: {
          type: "array",
          items: { type: "string" },
          maxItems: MAX_WANTED,
          description:
            "Further channels in telemetry messages, separated by commas: names or patterns such as `fuel`, `tyre_*`, `*` (all)"
        },
        sequence: {
          type: "string",
          enum: ["0", "1"],
          description: "1 numbers the telemetry messages. Needs session_id"
        },
        since: {
          type: "integer",
          minimum: 0,
          maximum: Number.MAX_SAFE_INTEGER,
          description:
            "The last `sequence` that the client received. The service first sends what came after it. Needs sequence=1"
        }
      })
    },
    () => upgrade
  )
})
