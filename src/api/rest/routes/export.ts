import { Effect, Schema } from "effect"
import { exchangeFormats, type ExchangeName, exchangeNames } from "../../../formats/exchange/exchangeFiles.ts"
import { MOTEC_TYPE } from "../../../formats/motec/motecFiles.ts"
import { PARQUET_TYPE } from "../../../formats/parquet/pointsParquet.ts"
import { RECORDING_TYPE } from "../../../formats/recording/sessionRecording.ts"
import { ARROW_TYPE } from "../../../formats/arrow/pointsArrow.ts"
import { NDJSON_TYPE } from "../../../formats/json/pointsNdjson.ts"
import * as Export from "../../../operations/export.ts"
import * as Laps from "../../../operations/laps.ts"
import { NotAcceptable, negotiated } from "../../accept.ts"
import { asFile, byAccept, BYTES, TEXT } from "../answers.ts"
import { QueryChoice } from "../query.ts"
import { get, routes } from "../route.ts"

const CSV_TYPE = "text/csv"
const JSON_TYPE = "application/json"

const types = {
  csv: CSV_TYPE,
  json: JSON_TYPE,
  ndjson: NDJSON_TYPE,
  parquet: PARQUET_TYPE,
  motec: MOTEC_TYPE,
  recording: RECORDING_TYPE,
  vbo: exchangeFormats.vbo.contentType,
  racechrono: exchangeFormats.racechrono.contentType,
  "motec-csv": exchangeFormats["motec-csv"].contentType,
  gpx: exchangeFormats.gpx.contentType,
  kml: exchangeFormats.kml.contentType
} as const

/** The route of a lap's file for another program. `what`: of the file. */
const lapFor = (format: ExchangeName, title: string, what: string) =>
  get(`/export/${format}/:lap_id`, Export.lap, {
    fixed: { format },
    summary: `Export a lap ${title}`,
    description: `Returns the lap's points as the file lap-<id>.${exchangeFormats[format].ending}: ${what}. \`channels\` adds some to those of the points.`,
    answer: asFile({ [types[format]]: TEXT }, (file) => file, `The file: ${what}`)
  })

const NEEDS_COORDINATES = "A session without latitude and longitude has none"

/** The requested format, or else the one that the client prefers; csv if the client states no preference. */
const fileFormat = (wanted: (typeof Export.sessionFormats)[number] | undefined) =>
  Effect.map(
    negotiated(
      wanted === undefined
        ? [
            types.csv,
            types.json,
            types.ndjson,
            types.parquet,
            types.motec,
            types.recording,
            ...exchangeNames.map((name) => types[name])
          ]
        : [types[wanted]]
    ),
    (type) => Export.sessionFormats.find((format) => types[format] === type)!
  )

export const exports = routes("export", {
  lapCsv: get("/export/csv/:lap_id", Export.lap, {
    fixed: { format: "csv" },
    summary: "Export a lap as CSV",
    description: "Returns the lap's points as the file lap-<id>.csv.",
    answer: asFile(
      { [CSV_TYPE]: TEXT },
      (file) => file,
      "RFC 4180, with the fields of a telemetry point as columns; a field is empty where its channel is absent"
    )
  }),
  lapJson: get("/export/json/:lap_id", Export.lap, {
    fixed: { format: "json" },
    summary: "Export a lap as JSON",
    description: "Returns the lap, its session and its points as the file lap-<id>.json.",
    answer: asFile({ [JSON_TYPE]: Export.lap.answer }, (file) => file)
  }),
  lapNdjson: get("/export/ndjson/:lap_id", Export.lap, {
    fixed: { format: "ndjson" },
    summary: "Export a lap as NDJSON",
    description: "Returns the lap's points as the file lap-<id>.ndjson: a JSON object in each line.",
    answer: asFile(
      { [NDJSON_TYPE]: TEXT },
      (file) => file,
      "In each line a telemetry point as a JSON object; a value is null where its channel is absent"
    )
  }),
  lapArrow: get("/export/arrow/:lap_id", Laps.telemetry, {
    summary: "Export a lap as Arrow",
    description:
      "Returns the lap's points as the file lap-<id>.arrows: an Arrow IPC stream of doubles, exact to the bit, null where a channel is absent. The schema's metadata has lap_id, group and total_points.",
    answer: asFile(
      { [ARROW_TYPE]: BYTES },
      (points) => ({
        name: `lap-${points.lap.id}.arrows`,
        contentType: ARROW_TYPE,
        text: Laps.telemetryArrow(points)
      }),
      "An Arrow IPC stream with the fields of a telemetry point; a value is null where its channel is absent"
    )
  }),
  lapParquet: get("/export/parquet/:lap_id", Export.lap, {
    fixed: { format: "parquet" },
    summary: "Export a lap as Parquet",
    description:
      "Returns the lap's points as the file lap-<id>.parquet: doubles, exact to the bit, null where a channel is absent. Its key-value metadata has session, laps, channels and telemetry_version, as JSON.",
    answer: asFile(
      { [PARQUET_TYPE]: BYTES },
      (file) => file,
      "A Parquet file with the fields of a telemetry point as columns; a value is null where its channel is absent"
    )
  }),
  lapMotec: get("/export/motec/:lap_id", Export.lap, {
    fixed: { format: "motec" },
    summary: "Export a lap for MoTeC i2",
    description:
      "Returns the file lap-<id>.zip with the lap's log (.ld) and its beacons (.ldx). Each group of channels has its own even rate; all channels are in the log, unless `channels` chooses some.",
    answer: asFile({ [MOTEC_TYPE]: BYTES }, (file) => file, "A zip file with a .ld log and its .ldx file")
  }),
  lapVbo: lapFor(
    "vbo",
    "for Circuit Tools",
    `rows with a position, and the start line. ${NEEDS_COORDINATES}`
  ),
  lapRaceChrono: lapFor("racechrono", "for RaceChrono", "its CSV, format 3"),
  lapMotecCsv: lapFor("motec-csv", "as MoTeC CSV", "names, units and beacon markers as i2 has them"),
  lapGpx: lapFor("gpx", "as GPX", `the car's way with heights and times. ${NEEDS_COORDINATES}`),
  lapKml: lapFor("kml", "as KML", `the car's way as a line. ${NEEDS_COORDINATES}`),
  session: get("/export/session/:session_id", Export.session, {
    query: {
      format: Schema.optionalWith(
        QueryChoice(Export.sessionFormats, {
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
    summary: "Export a session in one of several formats",
    description:
      "Returns the session as the file session-<id>.csv (lap_number, which is empty outside a lap, and the fields of a telemetry point), session-<id>.json, or session-<id>.ndjson (an object for each point, with lap_number, which is null outside a lap). session-<id>.parquet has the points with lap_number as its last column; `motec` gives session-<id>.zip with a .ld log and its .ldx file; `vbo`, `racechrono` and `motec-csv` are text files of other programs, `gpx` and `kml` the car's way. A recording, session-<id>.ndjson.gz, has everything that the service has of the session; `telemetry import` makes the same session of it.",
    errors: [NotAcceptable],
    answer: byAccept(
      asFile(
        {
          [CSV_TYPE]: TEXT,
          [JSON_TYPE]: Export.session.answer,
          [NDJSON_TYPE]: TEXT,
          [PARQUET_TYPE]: BYTES,
          [MOTEC_TYPE]: BYTES,
          [RECORDING_TYPE]: BYTES,
          [types.vbo]: TEXT,
          [types.racechrono]: TEXT,
          [types["motec-csv"]]: TEXT,
          [types.gpx]: TEXT,
          [types.kml]: TEXT
        },
        (file) => file
      )
    )
  })
})
