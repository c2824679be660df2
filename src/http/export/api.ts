import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { Lap } from "../../domain/Lap.ts"
import { Session } from "../../domain/Session.ts"
import { alsoAs, asDownload } from "../openApi.ts"
import { LapPath, QueryChoice, SessionPath } from "../parameters.ts"
import * as Problems from "../problems.ts"
import { TelemetryPoint } from "../telemetry/point.ts"

const Csv = HttpApiSchema.Text({ contentType: "text/csv" }).annotations({
  description: "RFC 4180, the telemetry point's fields as columns; empty where a channel is absent"
})

// What the files hold; they are written from columns (export/), never through these schemas.
const points = Schema.Array(TelemetryPoint)

const LapExport = Schema.Struct({ lap: Lap, session: Session, points }).annotations({
  identifier: "LapExport"
})

const SessionExport = Schema.Struct({
  session: Session,
  laps: Schema.Array(Schema.Struct({ lap: Lap, points }))
}).annotations({ identifier: "SessionExport" })

export const Export = HttpApiGroup.make("export")
  .add(
    HttpApiEndpoint.get("lapCsv", "/export/csv/:lap_id")
      .annotate(OpenApi.Summary, "Export a lap as CSV")
      .setPath(LapPath)
      .addSuccess(Csv)
      .addError(Problems.LapNotFound)
      .annotate(OpenApi.Description, "The lap's points as the file lap-<id>.csv.")
      .annotate(OpenApi.Transform, asDownload)
  )
  .add(
    HttpApiEndpoint.get("lapJson", "/export/json/:lap_id")
      .annotate(OpenApi.Summary, "Export a lap as JSON")
      .setPath(LapPath)
      .addSuccess(LapExport)
      .addError(Problems.LapNotFound)
      .annotate(OpenApi.Description, "The lap, its session and its points as the file lap-<id>.json.")
      .annotate(OpenApi.Transform, asDownload)
  )
  .add(
    HttpApiEndpoint.get("session", "/export/session/:session_id")
      .annotate(OpenApi.Summary, "Export a session as CSV or JSON")
      .setPath(SessionPath)
      .setUrlParams(
        Schema.Struct({
          format: Schema.optionalWith(
            QueryChoice(["csv", "json"], {
              description: "What kind of file; where it is left out, csv unless Accept allows only json",
              default: "csv"
            }),
            { exact: true }
          )
        })
      )
      .addSuccess(SessionExport)
      .addError(Problems.SessionNotFound)
      .addError(Problems.NotAcceptable)
      .annotate(
        OpenApi.Description,
        "The session as the file session-<id>.csv (lap_number, empty outside a lap, and the point's fields) or session-<id>.json."
      )
      .annotate(OpenApi.Transform, (operation) => asDownload(alsoAs("text/csv")(operation)))
  )
