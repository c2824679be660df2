import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { Effect, flow, Schema } from "effect"
import { type ExportFile, type FileFormat, fileFormats } from "../../../formats/files.ts"
import { ARROW_TYPE } from "../../../formats/arrow/pointsArrow.ts"
import { NDJSON_TYPE } from "../../../formats/json/pointsNdjson.ts"
import { CsvDecimal, rowsWanted } from "../../../operations/fields.ts"
import * as Export from "../../../operations/export.ts"
import * as Laps from "../../../operations/laps.ts"
import type { Text } from "../../../operations/operation.ts"
import { NotAcceptable, negotiated } from "../../accept.ts"
import { alsoAs, asDownload, firstAs } from "../openApi.ts"
import { QueryChoice, queryField } from "../query.ts"
import { get, routes } from "../route.ts"
import { textResponse } from "../streaming.ts"

const Csv = HttpApiSchema.Text({ contentType: "text/csv" }).annotations({
  description:
    "RFC 4180, with the fields of a telemetry point as columns; a field is empty where its channel is absent"
})

const Ndjson = HttpApiSchema.Text({ contentType: NDJSON_TYPE }).annotations({
  description: "In each line a telemetry point as a JSON object; a value is null where its channel is absent"
})

const Arrow = HttpApiSchema.Uint8Array({ contentType: ARROW_TYPE }).annotations({
  description:
    "An Arrow IPC stream with the fields of a telemetry point; a value is null where its channel is absent"
})

const download = ({
  contentType,
  name,
  text
}: Pick<ExportFile, "contentType" | "name"> & { readonly text: Text }) =>
  textResponse(text, { contentType, fileName: name })

const rowsQuery = {
  sample_rate: queryField("sample_rate", rowsWanted.sampleRate),
  channels: queryField("channels", rowsWanted.channels),
  group: queryField("group", rowsWanted.group),
  decimal: queryField("decimal", CsvDecimal)
}

const types = { csv: "text/csv", json: "application/json", ndjson: NDJSON_TYPE } as const

/** The requested format, or else the one that the client prefers; csv where it does not say. */
const fileFormat = (wanted: FileFormat | undefined) =>
  Effect.map(
    negotiated(wanted === undefined ? [types.csv, types.json, types.ndjson] : [types[wanted]]),
    (type) => fileFormats.find((format) => types[format] === type)!
  )

export const exports = routes("export", {
  lapCsv: get("/export/csv/:lap_id", Export.lap, {
    fixed: { format: "csv" },
    summary: "Export a lap as CSV",
    description: "Returns the lap's points as the file lap-<id>.csv.",
    success: [Csv],
    isStreamed: true,
    respond: download,
    transform: asDownload
  }),
  lapJson: get("/export/json/:lap_id", Export.lap, {
    fixed: { format: "json" },
    summary: "Export a lap as JSON",
    description: "Returns the lap, its session and its points as the file lap-<id>.json.",
    isStreamed: true,
    respond: download,
    transform: asDownload
  }),
  lapNdjson: get("/export/ndjson/:lap_id", Export.lap, {
    fixed: { format: "ndjson" },
    summary: "Export a lap as NDJSON",
    description: "Returns the lap's points as the file lap-<id>.ndjson: a JSON object in each line.",
    success: [Ndjson],
    isStreamed: true,
    respond: download,
    transform: asDownload
  }),
  lapArrow: get("/export/arrow/:lap_id", Laps.telemetry, {
    summary: "Export a lap as Arrow",
    description:
      "Returns the lap's points as the file lap-<id>.arrows: an Arrow IPC stream of doubles, exact to the bit, null where a channel is absent. The schema's metadata has lap_id, group and total_points.",
    success: [Arrow],
    isStreamed: true,
    respond: (points) =>
      download({
        name: `lap-${points.lap.id}.arrows`,
        contentType: ARROW_TYPE,
        text: Laps.telemetryArrow(points)
      }),
    transform: asDownload
  }),
  session: get("/export/session/:session_id", Export.session, {
    query: {
      ...rowsQuery,
      format: Schema.optionalWith(
        QueryChoice(fileFormats, {
          description: "The format of the file. Without it, the one that Accept prefers",
          default: "csv"
        }),
        { exact: true }
      )
    },
    complete: ({ channels, decimal, format, group, sampleRate, sessionId }) =>
      Effect.map(fileFormat(format), (format) => ({
        sessionId: sessionId!,
        channels,
        decimal: decimal!,
        group,
        sampleRate: sampleRate!,
        format
      })),
    summary: "Export a session as CSV, JSON or NDJSON",
    description:
      "Returns the session as the file session-<id>.csv (lap_number, which is empty outside a lap, and the fields of a telemetry point), session-<id>.json, or session-<id>.ndjson (an object for each point, with lap_number, which is null outside a lap).",
    errors: [NotAcceptable],
    isStreamed: true,
    respond: (file) => Effect.map(download(file), HttpServerResponse.setHeader("vary", "Accept")),
    transform: flow(firstAs(types.csv), alsoAs(types.ndjson), asDownload)
  })
})
