import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { PathId, QueryChoice } from "../parameters.ts"
import * as Problems from "../problems.ts"

const Csv = HttpApiSchema.Text({ contentType: "text/csv" })
const Json = Schema.Unknown.annotations({ identifier: "ExportedJson" })

export const Export = HttpApiGroup.make("export")
  .add(
    HttpApiEndpoint.get("lapCsv", "/export/csv/:lap_id")
      .setPath(Schema.Struct({ lap_id: PathId }))
      .addSuccess(Csv)
      .addError(Problems.LapNotFound)
      .annotate(OpenApi.Description, "The lap's points as the file lap-<id>.csv.")
  )
  .add(
    HttpApiEndpoint.get("lapJson", "/export/json/:lap_id")
      .setPath(Schema.Struct({ lap_id: PathId }))
      .addSuccess(Json)
      .addError(Problems.LapNotFound)
      .annotate(OpenApi.Description, "{lap, session, points} as the file lap-<id>.json.")
  )
  .add(
    HttpApiEndpoint.get("session", "/export/session/:session_id")
      .setPath(Schema.Struct({ session_id: PathId }))
      .setUrlParams(
        Schema.Struct({ format: Schema.optionalWith(QueryChoice("csv", "json"), { default: () => "csv" }) })
      )
      .addSuccess(Csv)
      .addError(Problems.SessionNotFound)
      .annotate(
        OpenApi.Description,
        "The session as the file session-<id>.csv (lap_number and the point's fields) or session-<id>.json ({session, laps: [{lap, points}]})."
      )
  )
