/** Laps, and the points of a lap. */
import { Effect, Schema } from "effect"
import { Archive } from "../archive/Archive.ts"
import { InvalidValue, LapNotFound, SessionNotFound } from "../domain/errors.ts"
import { Lap } from "../domain/Lap.ts"
import { groupFacts, groupJson } from "../formats/files.ts"
import * as PointsArrow from "../formats/arrow/pointsArrow.ts"
import * as PointsJson from "../formats/json/pointsJson.ts"
import { Laps } from "../store/Laps.ts"
import { LapId, rowsWanted, SessionId } from "./fields.ts"
import { answered, type Text, written } from "./operation.ts"
import { answeredGroup, TelemetryRow } from "./point.ts"

const LapTelemetry = Schema.Struct({
  lapId: Schema.Int,
  ...answeredGroup,
  points: Schema.Array(TelemetryRow),
  totalPoints: Schema.Int.annotations({
    description: "Number of points recorded for the lap, before thinning"
  })
}).annotations({ identifier: "LapTelemetry" })

/** A session's laps, by lap number. */
export const ofSession = answered({
  input: Schema.Struct({ sessionId: SessionId }),
  answer: Schema.Array(Lap).annotations({ description: "The laps of the session" }),
  errors: [SessionNotFound],
  run: ({ sessionId }) => Effect.flatMap(Laps, (laps) => laps.laps(sessionId))
})

export const read = answered({
  input: Schema.Struct({ lapId: LapId }),
  answer: Lap,
  errors: [LapNotFound],
  run: ({ lapId }) => Effect.flatMap(Laps, (laps) => laps.lap(lapId))
})

type LapPoints = Effect.Effect.Success<ReturnType<Archive["Type"]["lapPoints"]>>

/** The answer of `telemetry` as an Arrow stream. */
export const telemetryArrow = ({ chosen, lap, points, total }: LapPoints): Text =>
  PointsArrow.table(points, chosen.columns, { lap_id: lap.id, ...groupFacts(chosen), total_points: total })

export const telemetry = written({
  input: Schema.Struct({ lapId: LapId, ...rowsWanted }),
  answer: LapTelemetry,
  errors: [LapNotFound, InvalidValue],
  run: ({ lapId, ...wanted }) => Effect.flatMap(Archive, (archive) => archive.lapPoints(lapId, wanted)),
  json: ({ chosen, lap, points, total }) =>
    PointsJson.document(
      `{"lap_id":${lap.id},${groupJson(chosen)}"points":`,
      points,
      `,"total_points":${total}}`,
      chosen
    )
})
