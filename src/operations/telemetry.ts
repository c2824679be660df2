/** A session's points between two instants. */
import { Effect, Schema } from "effect"
import { Archive } from "../archive/Archive.ts"
import { InvalidValue, SessionNotFound } from "../domain/errors.ts"
import { decimal } from "../formats/decimals.ts"
import { groupFacts, groupJson } from "../formats/files.ts"
import * as PointsArrow from "../formats/arrow/pointsArrow.ts"
import * as PointsJson from "../formats/json/pointsJson.ts"
import { CsvDecimal, rowsWanted, SessionId, time } from "./fields.ts"
import { type Text, written } from "./operation.ts"
import { answeredGroup, TelemetryRow } from "./point.ts"

const TelemetryRange = Schema.Struct({
  sessionId: Schema.Int,
  startTime: Schema.NullOr(Schema.Number),
  endTime: Schema.NullOr(Schema.Number),
  ...answeredGroup,
  points: Schema.Array(TelemetryRow),
  totalPoints: Schema.Int.annotations({ description: "Number of points in the range, before thinning" })
}).annotations({ identifier: "TelemetryRange" })

const instant = (which: string) =>
  time(
    `The ${which} instant: epoch seconds, or an ISO 8601 date-time (UTC if it has no offset). The default is the session's ${which} point`
  )

const timeJson = (time: number | null) => (time === null ? "null" : decimal(time))

type Range = Effect.Effect.Success<ReturnType<Archive["Type"]["range"]>>

/** The answer of `range` as an Arrow stream. */
export const rangeArrow = ({ chosen, end, points, sessionId, start, total }: Range): Text =>
  PointsArrow.table(points, chosen.columns, {
    session_id: sessionId,
    start_time: timeJson(start),
    end_time: timeJson(end),
    ...groupFacts(chosen),
    total_points: total
  })

/** Both instants are inclusive. */
export const range = written({
  input: Schema.Struct({
    sessionId: SessionId,
    startTime: instant("first"),
    endTime: instant("last"),
    decimal: CsvDecimal,
    ...rowsWanted
  }),
  answer: TelemetryRange,
  errors: [SessionNotFound, InvalidValue],
  run: ({ decimal, endTime: end, startTime: start, ...question }) =>
    Archive.pipe(
      Effect.flatMap((archive) => archive.range({ ...question, start, end })),
      Effect.map((range) => ({ ...range, decimal }))
    ),
  json: ({ chosen, end, points, sessionId, start, total }) =>
    PointsJson.document(
      `{"session_id":${sessionId},"start_time":${timeJson(start)},"end_time":${timeJson(end)},${groupJson(chosen)}"points":`,
      points,
      `,"total_points":${total}}`,
      chosen
    )
})
