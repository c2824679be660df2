/** Exports recordings as files. */
import { Effect, Schema } from "effect"
import { InvalidValue, LapNotFound, SessionNotFound } from "../domain/errors.ts"
import { Lap } from "../domain/Lap.ts"
import { Session } from "../domain/Session.ts"
import { type DecimalSign, withSign } from "../formats/csv/decimalSign.ts"
import { type ExportFile, type FileFormat, fileFormats, lapFile, sessionFile } from "../formats/files.ts"
import type { RowsWanted } from "../archive/chosenRows.ts"
import { exchangeNames, isExchange, lapExchange, sessionExchange } from "../formats/exchange/exchangeFiles.ts"
import { lapMotec, sessionMotec } from "../formats/motec/motecFiles.ts"
import { lapParquet, sessionParquet } from "../formats/parquet/parquetFiles.ts"
import { recordingFile } from "../formats/recording/sessionRecording.ts"
import { CsvDecimal, LapId, rowsWanted, SessionId } from "./fields.ts"
import { written } from "./operation.ts"
import { answeredGroup, TelemetryRow } from "./point.ts"

// The content of the files, for the description only: formats/ writes them from columns, never through these schemas.
const points = Schema.Array(TelemetryRow)

const LapExport = Schema.Struct({ lap: Lap, session: Session, ...answeredGroup, points }).annotations({
  identifier: "LapExport"
})

const SessionExport = Schema.Struct({
  session: Session,
  ...answeredGroup,
  laps: Schema.Array(
    Schema.Struct({
      lap: Schema.NullOr(Lap).annotations({
        description: "Null in the last entry, which has the points outside laps, if there are any"
      }),
      points
    })
  )
}).annotations({ identifier: "SessionExport" })

const Format = Schema.Literal(...fileFormats, "parquet", "motec", ...exchangeNames)

/** The formats of a whole session's file. A recording has all of it: it takes no choice of channels. */
export const sessionFormats = [...fileFormats, "parquet", "motec", "recording", ...exchangeNames] as const
const SessionFormat = Schema.Literal(...sessionFormats)

const recorded = Effect.fnUntraced(function* (
  sessionId: number,
  { channels = [], group, sampleRate = 1 }: RowsWanted
) {
  const given = {
    channels: channels.join(","),
    group: group ?? "",
    sample_rate: sampleRate > 1 ? String(sampleRate) : ""
  }
  for (const [name, value] of Object.entries(given)) {
    const expected = "left out, because a recording has the whole session"
    if (value !== "") return yield* new InvalidValue({ name, value, expected })
  }
  return yield* recordingFile(sessionId)
})

/** A file of CSV with this decimal sign; the other formats have their own. */
const signed =
  (format: FileFormat, decimal: DecimalSign) =>
  <File extends ExportFile>(file: File): File =>
    format === "csv" ? { ...file, text: withSign(file.text, decimal) } : file

export const lap = written({
  input: Schema.Struct({ lapId: LapId, format: Format, decimal: CsvDecimal, ...rowsWanted }),
  answer: LapExport,
  errors: [LapNotFound, InvalidValue],
  run: ({ decimal, format, lapId, ...wanted }) =>
    format === "parquet"
      ? lapParquet(lapId, wanted)
      : format === "motec"
        ? lapMotec(lapId, wanted)
        : isExchange(format)
          ? lapExchange(lapId, format, wanted)
          : Effect.map(lapFile(lapId, format, wanted), signed(format, decimal)),
  json: ({ text }) => text
})

export const session = written({
  input: Schema.Struct({ sessionId: SessionId, format: SessionFormat, decimal: CsvDecimal, ...rowsWanted }),
  answer: SessionExport,
  errors: [SessionNotFound, InvalidValue],
  run: ({ decimal, format, sessionId, ...wanted }) =>
    format === "recording"
      ? recorded(sessionId, wanted)
      : format === "parquet"
        ? sessionParquet(sessionId, wanted)
        : format === "motec"
          ? sessionMotec(sessionId, wanted)
          : isExchange(format)
            ? sessionExchange(sessionId, format, wanted)
            : Effect.map(sessionFile(sessionId, format, wanted), signed(format, decimal)),
  json: ({ text }) => text
})
