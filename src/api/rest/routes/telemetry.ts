import { ARROW_TYPE } from "../../../formats/arrow/pointsArrow.ts"
import { withSign } from "../../../formats/csv/decimalSign.ts"
import * as PointsCsv from "../../../formats/csv/pointsCsv.ts"
import * as PointsNdjson from "../../../formats/json/pointsNdjson.ts"
import * as Live from "../../../operations/live.ts"
import * as Telemetry from "../../../operations/telemetry.ts"
import { NotAcceptable } from "../../accept.ts"
import { UpgradeRequired } from "../../live/handshake.ts"
import { upgrade } from "../../live/upgrade.ts"
import { BYTES, inForms, TEXT } from "../answers.ts"
import { get, routes, webSocket } from "../route.ts"

export const telemetry = routes("telemetry", {
  range: get("/telemetry/range", Telemetry.range, {
    summary: "Read a session's points between two instants",
    description:
      "Returns a session's points from start_time to end_time, both inclusive; by default those of the whole session. With Accept: application/vnd.apache.arrow.stream the answer is an Arrow stream, with text/csv CSV, with application/x-ndjson a JSON object in each line.",
    errors: [NotAcceptable],
    answer: inForms({
      "application/json": { content: Telemetry.range.answer, text: Telemetry.range.json },
      "text/csv": {
        content: TEXT,
        contentType: "text/csv; charset=utf-8",
        text: ({ chosen, decimal, points }) => withSign(PointsCsv.table(points, chosen), decimal)
      },
      [PointsNdjson.NDJSON_TYPE]: {
        content: TEXT,
        text: ({ chosen, points }) => PointsNdjson.lines(points, chosen)
      },
      [ARROW_TYPE]: { content: BYTES, text: Telemetry.rangeArrow }
    })
  }),
  live: webSocket(
    "/telemetry/live",
    { input: Live.telemetry.input, errors: [UpgradeRequired, ...Live.telemetry.errors] },
    {
      summary: "Watch live telemetry over a WebSocket",
      description:
        'A WebSocket that sends live telemetry: {type: "telemetry", data, session_id}. data is a telemetry point without steering (channels=steering gives it, and `live.telemetry` of /trpc); channels that the simulator does not send are null. With sequence=1 each telemetry message also has sequence, the number of the point in its session (from 1; null if it is not known), and left_out, the number of points before it that were left out on purpose. A point is lost if sequence exceeds the previous one by more than left_out + 1. With since=N the service first sends {type: "replay", session_id, since, from, to, missed} and then the points numbered from `from` to `to`. missed counts points that are too old to be sent again (more than 50,000 ago). `to` is below since if the service was killed before it stored the last points. With channels= each telemetry message also has channels: {name: value}, the newest values known when the point was sent, never interpolated; null for a channel that the simulator does not send or has not sent yet. A pattern also selects channels that the simulator adds later. One process serves at most 64 different selections of channels at a time, and at most 8 for one address (429).'
    },
    upgrade
  )
})
