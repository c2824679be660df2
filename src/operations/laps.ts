/** Laps, and the points of one. */
import { Effect, Schema } from "effect"
import { Archive } from "../archive/Archive.ts"
import { LapNotFound, SessionNotFound } from "../domain/errors.ts"
import { Lap } from "../domain/Lap.ts"
import * as PointsJson from "../export/pointsJson.ts"
import { Catalog } from "../store/Catalog.ts"
import { LapId, SampleRate, SessionId } from "./fields.ts"
import { answered, written } from "./operation.ts"
import { TelemetryPoint } from "./point.ts"

const LapTelemetry = Schema.Struct({
  lap_id: Schema.Int,
  points: Schema.Array(TelemetryPoint),
  total_points: Schema.Int.annotations({ description: "Points recorded for the lap, before thinning" })
}).annotations({ identifier: "LapTelemetry" })

/** By lap number. */
export const ofSession = answered({
  input: Schema.Struct({ sessionId: SessionId }),
  answer: Schema.Array(Lap).annotations({ description: "The laps of the session" }),
  errors: [SessionNotFound],
  run: ({ sessionId }) => Effect.flatMap(Catalog, (catalog) => catalog.laps(sessionId))
})

export const read = answered({
  input: Schema.Struct({ lapId: LapId }),
  answer: Lap,
  errors: [LapNotFound],
  run: ({ lapId }) => Effect.flatMap(Catalog, (catalog) => catalog.lap(lapId))
})

export const telemetry = written({
  input: Schema.Struct({ lapId: LapId, sampleRate: SampleRate }),
  answer: LapTelemetry,
  errors: [LapNotFound],
  run: ({ lapId, sampleRate }) => Effect.flatMap(Archive, (archive) => archive.lapPoints(lapId, sampleRate)),
  json: ({ lap, points, total }) =>
    PointsJson.document(`{"lap_id":${lap.id},"points":`, points, `,"total_points":${total}}`)
})
