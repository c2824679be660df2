/** What users say about recorded things: names, notes and tags. */
import { Effect, Schema } from "effect"
import { MarkChanged, SessionNotFound, TooManyMarks } from "../domain/errors.ts"
import { noSessionMark, type Revised, revised, SessionMark } from "../domain/Mark.ts"
import { Announcer } from "../live/Announcer.ts"
import { fromWire } from "../platform/wire.ts"
import { Marks } from "../store/Marks.ts"
import { Sessions } from "../store/Sessions.ts"
import { SessionId, wholeNumber } from "./fields.ts"
import { answered } from "./operation.ts"

/** The body that marks a session. */
export const SessionMarkBody = fromWire(SessionMark)

const Expected = Schema.optional(
  wholeNumber(0, Number.MAX_SAFE_INTEGER, "The revision that is to be changed; any if left out")
)

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
  input: Schema.Struct({ sessionId: SessionId, sessionMark: SessionMarkBody, revision: Expected }),
  answer: MarkOfSession,
  errors,
  run: ({ revision, sessionId, sessionMark }) => mark(sessionId, sessionMark, revision)
})

export const deleteSession = answered({
  input: Schema.Struct({ sessionId: SessionId, revision: Expected }),
  answer: MarkOfSession,
  errors,
  run: ({ revision, sessionId }) => mark(sessionId, noSessionMark, revision)
})
