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
      "A session's points from start_time to end_time, both inclusive, by default the whole session. With Accept: text/csv as CSV, with application/vnd.apache.arrow.stream as an Arrow stream.",
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
        'A WebSocket that sends live telemetry: {type: "telemetry", data, session_id}, where data is a telemetry point without steering; what the simulator does not tell is null. (`live.telemetry` of /trpc tells it whole.) With sequence=1 each such message has sequence, the number of the point among the session\'s (from 1; null where it is not known), and left_out, how many points before it were left out on purpose: a point is lost where sequence is more than left_out + 1 above the one before. With since, what came after that point is sent first, after {type: "replay", session_id, since, from, to, missed}: points from to to are sent, missed came too long ago (over 50,000 points), and to is below since where the service was killed before it stored the last ones. With channels each telemetry message has channels, {name: value} as of the point by what was known when it was sent, never interpolated; null is what the simulator does not tell, or has not yet. Patterns follow the session as its simulator tells more. At most 64 different selections of channels are served at a time in one process.',
      success: [
        HttpApiSchema.Empty(101).annotations({ description: "The connection is a WebSocket from here on" })
      ],
      errors: [UpgradeRequired, InvalidValue, SessionNotFound, TooManySelections],
      transform: withQuery({
        session_id: {
          type: "integer",
          minimum: 1,
          maximum: Number.MAX_SAFE_INTEGER,
          description: "Only this session"
        },
        rate: {
          type: "number",
          exclusiveMinimum: 0,
          description: "Most messages per second of one session; telemetry_rate of the configuration caps it"
        },
        events: {
          type: "array",
          items: { type: "string", enum: eventTypes },
          description:
            "lap, session or both between commas: also laps that complete, sessions that start or end"
        },
        channels: {
          type: "array",
          items: { type: "string" },
          maxItems: MAX_WANTED,
          description:
            "Between commas, channels that telemetry messages have besides: names or patterns such as `fuel`, `tyre_*`, `*` (all)"
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
    },
    () => upgrade
  )
})
