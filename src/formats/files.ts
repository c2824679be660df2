/** The export files: the name and the content of a lap's or a session's file, as pieces of UTF-8. */
import { Effect, Stream } from "effect"
import { Archive } from "../archive/Archive.ts"
import type { ChosenRows, RowsWanted } from "../archive/chosenRows.ts"
import {
  LapNotFound,
  type SessionNotFound,
  type SessionUnreadable,
  type TooManyAnswers
} from "../domain/errors.ts"
import { Lap } from "../domain/Lap.ts"
import { Session } from "../domain/Session.ts"
import { Sessions } from "../store/Sessions.ts"
import { toJson } from "../platform/wire.ts"
import { utf8 } from "./pieces.ts"
import * as PointsCsv from "./csv/pointsCsv.ts"
import * as PointsJson from "./json/pointsJson.ts"
import * as PointsNdjson from "./json/pointsNdjson.ts"

export interface ExportFile<Deleted = LapNotFound | SessionNotFound> {
  readonly name: string
  readonly contentType: string
  /** Fails, at its end at the latest, where the file is not complete. */
  readonly text: Stream.Stream<Uint8Array, Deleted | SessionUnreadable | TooManyAnswers>
}

export const fileFormats = ["csv", "json", "ndjson"] as const
export type FileFormat = (typeof fileFormats)[number]

const contentTypes: Readonly<Record<FileFormat, string>> = {
  csv: "text/csv; charset=utf-8",
  json: "application/json",
  ndjson: PointsNdjson.NDJSON_TYPE
}

const lapJson = toJson(Lap)
const sessionJson = toJson(Session)

/** Fields before the rows of a JSON document, where the rows are a group's own samples. */
export const groupJson = ({ group }: ChosenRows) =>
  group === undefined ? "" : `"group":${JSON.stringify(group)},`

/** The same as metadata of an Arrow stream. */
export const groupFacts = ({ group }: ChosenRows): Readonly<Record<string, string>> =>
  group === undefined ? {} : { group }

export const lapFile = Effect.fn("export.lapFile")(function* (
  lapId: number,
  format: FileFormat,
  wanted: RowsWanted = {}
) {
  const archive = yield* Archive
  const { chosen, lap, points } = yield* archive.lapPoints(lapId, wanted)
  const name = `lap-${lap.id}.${format}`
  const contentType = contentTypes[format]
  if (format !== "json") {
    const text = format === "csv" ? PointsCsv.table(points, chosen) : PointsNdjson.lines(points, chosen)
    return { name, contentType, text } satisfies ExportFile<LapNotFound>
  }
  const session = yield* (yield* Sessions).session(lap.sessionId).pipe(
    // The session was deleted between the two reads, and the lap with it.
    Effect.catchTag("SessionNotFound", () => new LapNotFound({ lapId }))
  )
  const head = `{"lap":${JSON.stringify(lapJson(lap))},"session":${JSON.stringify(sessionJson(session))},${groupJson(chosen)}"points":`
  const text = PointsJson.document(head, points, "}", chosen)
  return { name, contentType, text } satisfies ExportFile<LapNotFound>
})

export const sessionFile = Effect.fn("export.sessionFile")(function* (
  sessionId: number,
  format: FileFormat,
  wanted: RowsWanted = {}
) {
  const { chosen, inRoom, session, stretches } = yield* (yield* Archive).session(sessionId, wanted)
  const laps = stretches
    .flatMap(({ lap, points }) => (lap === null ? [] : [{ lap, points }]))
    .toSorted((a, b) => a.lap.lapNumber - b.lap.lapNumber)
  const lapEntries = Stream.fromIterable(laps.entries()).pipe(
    Stream.flatMap(([index, { lap, points }]) =>
      PointsJson.document(
        `${index === 0 ? "" : ","}{"lap":${JSON.stringify(lapJson(lap))},"points":`,
        points,
        "}",
        chosen
      )
    )
  )
  const outside = Stream.flatMap(Stream.fromIterable(stretches), ({ lap, points }) =>
    lap === null ? points : Stream.empty
  )
  const lastEntry = PointsJson.rows(
    `${laps.length === 0 ? "" : ","}{"lap":null,"points":`,
    outside,
    "}",
    chosen
  )
  const head = `{"session":${JSON.stringify(sessionJson(session))},${groupJson(chosen)}"laps":[`
  const json = Stream.make(utf8(head)).pipe(
    Stream.concat(lapEntries),
    Stream.concat(lastEntry),
    Stream.concat(Stream.make(utf8("]}")))
  )
  const texts = {
    csv: PointsCsv.tableWithLaps(stretches, chosen),
    json,
    ndjson: PointsNdjson.linesWithLaps(stretches, chosen)
  }
  return {
    name: `session-${session.id}.${format}`,
    contentType: contentTypes[format],
    text: inRoom(texts[format])
  } satisfies ExportFile<SessionNotFound>
})
