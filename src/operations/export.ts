/** Files of what was recorded. */
import { Schema } from "effect"
import { LapNotFound, SessionNotFound } from "../domain/errors.ts"
import { ExportFormat } from "../domain/Configuration.ts"
import { Lap } from "../domain/Lap.ts"
import { Session } from "../domain/Session.ts"
import { lapFile, sessionFile } from "../export/files.ts"
import { LapId, SessionId } from "./fields.ts"
import { written } from "./operation.ts"
import { TelemetryPoint } from "./point.ts"

// What the files hold; they are written from columns (export/), never through these schemas.
const points = Schema.Array(TelemetryPoint)

const LapExport = Schema.Struct({ lap: Lap, session: Session, points }).annotations({
  identifier: "LapExport"
})

const SessionExport = Schema.Struct({
  session: Session,
  laps: Schema.Array(Schema.Struct({ lap: Lap, points }))
}).annotations({ identifier: "SessionExport" })

export const lap = written({
  input: Schema.Struct({ lapId: LapId, format: ExportFormat }),
  answer: LapExport,
  errors: [LapNotFound],
  run: ({ format, lapId }) => lapFile(lapId, format),
  json: ({ text }) => text
})

export const session = written({
  input: Schema.Struct({ sessionId: SessionId, format: ExportFormat }),
  answer: SessionExport,
  errors: [SessionNotFound],
  run: ({ format, sessionId }) => sessionFile(sessionId, format),
  json: ({ text }) => text
})
