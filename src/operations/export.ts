/** Exports recordings as files. */
import { Schema } from "effect"
import { InvalidValue, LapNotFound, SessionNotFound } from "../domain/errors.ts"
import { ExportFormat } from "../domain/Configuration.ts"
import { Lap } from "../domain/Lap.ts"
import { Session } from "../domain/Session.ts"
import { lapFile, sessionFile } from "../export/files.ts"
import { LapId, rowsWanted, SessionId } from "./fields.ts"
import { written } from "./operation.ts"
import { answeredGroup, TelemetryRow } from "./point.ts"

// The content of the files, for the description only: export/ writes them from columns, never through these schemas.
const points = Schema.Array(TelemetryRow)

const LapExport = Schema.Struct({ lap: Lap, session: Session, ...answeredGroup, points }).annotations({
  identifier: "LapExport"
})

const SessionExport = Schema.Struct({
  session: Session,
  ...answeredGroup,
  laps: Schema.Array(Schema.Struct({ lap: Lap, points }))
}).annotations({ identifier: "SessionExport" })

export const lap = written({
  input: Schema.Struct({ lapId: LapId, format: ExportFormat, ...rowsWanted }),
  answer: LapExport,
  errors: [LapNotFound, InvalidValue],
  run: ({ format, lapId, ...wanted }) => lapFile(lapId, format, wanted),
  json: ({ text }) => text
})

export const session = written({
  input: Schema.Struct({ sessionId: SessionId, format: ExportFormat, ...rowsWanted }),
  answer: SessionExport,
  errors: [SessionNotFound, InvalidValue],
  run: ({ format, sessionId, ...wanted }) => sessionFile(sessionId, format, wanted),
  json: ({ text }) => text
})
