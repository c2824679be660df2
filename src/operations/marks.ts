/** What users say about recorded things: names, notes and tags. */
import { Effect, Schema } from "effect"
import { LapNotFound, MarkChanged, SessionNotFound, TooManyMarks } from "../domain/errors.ts"
import type { RecordedLap } from "../domain/Lap.ts"
import { LapMark, noLapMark, noSessionMark, type Revised, revised, SessionMark } from "../domain/Mark.ts"
import { Announcer } from "../live/Announcer.ts"
import { fromWire } from "../platform/wire.ts"
import { Laps } from "../store/Laps.ts"
import { Marks } from "../store/Marks.ts"
import { Sessions } from "../store/Sessions.ts"
import { LapId, Revision, SessionId } from "./fields.ts"
import { answered } from "./operation.ts"

/** The bodies that mark a session and a lap. */
export const SessionMarkBody = fromWire(SessionMark)
export const LapMarkBody = fromWire(LapMark)

const Text = Schema.NullOr(Schema.String)

const noted = { note: Text, tags: Schema.Array(Schema.String) }

const MarkOfSession = Schema.Struct({
  sessionId: Schema.Int,
  ...noted,
  circuit: Text,
  circuitLayout: Text,
  vehicle: Text,
  driver: Text,
  ...revised
}).annotations({ identifier: "MarkOfSession" })

const ofSession = (
  sessionId: number,
  { value, ...kept }: Revised<SessionMark>
): typeof MarkOfSession.Type => ({ sessionId, ...value, ...kept })

const MarkOfLap = Schema.Struct({
  lapId: Schema.Int,
  sessionId: Schema.Int,
  excluded: Schema.Boolean,
  valid: Schema.NullOr(Schema.Boolean),
  reason: Text,
  ...noted,
  ...revised
}).annotations({ identifier: "MarkOfLap" })

const ofLap = (
  { id: lapId, sessionId }: RecordedLap,
  { value, ...kept }: Revised<LapMark>
): typeof MarkOfLap.Type => ({ lapId, sessionId, ...value, ...kept })

const NAMES = ["circuit", "vehicle", "driver"] as const

export const session = answered({
  input: Schema.Struct({ sessionId: SessionId }),
  answer: MarkOfSession,
  errors: [SessionNotFound],
  run: ({ sessionId }) =>
    Effect.flatMap(Marks, (marks) =>
      Effect.map(marks.sessionMark(sessionId), (kept) => ofSession(sessionId, kept))
    )
})

export const sessionRevisions = answered({
  input: Schema.Struct({ sessionId: SessionId }),
  answer: Schema.Array(MarkOfSession).annotations({ description: "Earlier states, the newest first" }),
  errors: [SessionNotFound],
  run: ({ sessionId }) =>
    Effect.flatMap(Marks, (marks) =>
      Effect.map(marks.sessionMarkRevisions(sessionId), (all) =>
        all.map((kept) => ofSession(sessionId, kept))
      )
    )
})

/** Live clients get the session with its names, in which lists show it from now on. */
const mark = Effect.fn("marks.session")(function* (
  sessionId: number,
  value: SessionMark,
  revision: number | undefined
) {
  const marks = yield* Marks
  const before = yield* (yield* Sessions).session(sessionId)
  const after = yield* marks.markSession(sessionId, value, revision)
  const changed = NAMES.filter((name) => before[name] !== after[name])
  if (changed.length > 0) {
    yield* (yield* Announcer).announce({ type: "session", sessionId, data: after, changed })
  }
  return ofSession(sessionId, yield* marks.sessionMark(sessionId))
}, Effect.uninterruptible)

const errors = [SessionNotFound, MarkChanged, TooManyMarks] as const

export const putSession = answered({
  input: Schema.Struct({ sessionId: SessionId, sessionMark: SessionMarkBody, revision: Revision }),
  answer: MarkOfSession,
  errors,
  run: ({ revision, sessionId, sessionMark }) => mark(sessionId, sessionMark, revision)
})

export const deleteSession = answered({
  input: Schema.Struct({ sessionId: SessionId, revision: Revision }),
  answer: MarkOfSession,
  errors,
  run: ({ revision, sessionId }) => mark(sessionId, noSessionMark, revision)
})

export const lap = answered({
  input: Schema.Struct({ lapId: LapId }),
  answer: MarkOfLap,
  errors: [LapNotFound],
  run: ({ lapId }) =>
    Effect.gen(function* () {
      return ofLap(yield* (yield* Laps).lap(lapId), yield* (yield* Marks).lapMark(lapId))
    })
})

export const lapRevisions = answered({
  input: Schema.Struct({ lapId: LapId }),
  answer: Schema.Array(MarkOfLap).annotations({ description: "Earlier states, the newest first" }),
  errors: [LapNotFound],
  run: ({ lapId }) =>
    Effect.gen(function* () {
      const lap = yield* (yield* Laps).lap(lapId)
      const all = yield* (yield* Marks).lapMarkRevisions(lapId)
      return all.map((kept) => ofLap(lap, kept))
    })
})

/** The fields of a lap that a mark decides, and their names for live clients. */
const DECIDED = {
  valid: "valid",
  excluded: "excluded",
  corrected: "corrected",
  validReported: "valid_reported"
} as const

/** Live clients get the lap again, as they do when a simulator changes it. */
const markLap = Effect.fn("marks.lap")(function* (
  lapId: number,
  value: LapMark,
  revision: number | undefined
) {
  const marks = yield* Marks
  const before = yield* (yield* Laps).lap(lapId)
  const data = yield* marks.markLap(lapId, value, revision)
  const changed = Object.entries(DECIDED).flatMap(([name, wireName]) =>
    before[name as keyof typeof DECIDED] === data[name as keyof typeof DECIDED] ? [] : [wireName]
  )
  if (changed.length > 0) {
    yield* (yield* Announcer).announce({ type: "lap", sessionId: data.sessionId, data, changed })
  }
  return ofLap(data, yield* marks.lapMark(lapId))
}, Effect.uninterruptible)

const errorsOfLap = [LapNotFound, MarkChanged, TooManyMarks] as const

export const putLap = answered({
  input: Schema.Struct({ lapId: LapId, lapMark: LapMarkBody, revision: Revision }),
  answer: MarkOfLap,
  errors: errorsOfLap,
  run: ({ lapId, lapMark, revision }) => markLap(lapId, lapMark, revision)
})

export const deleteLap = answered({
  input: Schema.Struct({ lapId: LapId, revision: Revision }),
  answer: MarkOfLap,
  errors: errorsOfLap,
  run: ({ lapId, revision }) => markLap(lapId, noLapMark, revision)
})
