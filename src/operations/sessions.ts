/** Operations on sessions: find, create, pin, delete. */
import { Clock, Effect, Schema } from "effect"
import { Archive } from "../archive/Archive.ts"
import { Name } from "../domain/Configuration.ts"
import { DateTime } from "../domain/DateTime.ts"
import { InvalidValue, SessionBeingRecorded, SessionNotFound } from "../domain/errors.ts"
import { Session, sessionOrders } from "../domain/Session.ts"
import { Sessions } from "../store/Sessions.ts"
import { choiceOr, optionalText, SessionId, wholeNumberOr } from "./fields.ts"
import { answered } from "./operation.ts"

const NewSession = Schema.Struct({
  circuit: Name,
  vehicle: Name,
  driver: Name,
  datetime: Schema.optional(
    DateTime.annotations({ jsonSchema: { type: "string", format: "date-time" } })
  ).annotations({ description: "By default the current time" })
}).annotations({ identifier: "SessionToCreate" })

/** The properties of a session that a user may change. */
export const SessionChange = Schema.Struct({ pinned: Schema.Boolean }).annotations({
  identifier: "SessionChange"
})

const SessionList = Schema.Struct({
  total: Schema.Int.annotations({ description: "Number of all sessions that match" }),
  items: Schema.Array(Session),
  page: Schema.Int.annotations({ description: "Number of the page, from 0" }),
  pageSize: Schema.Int
}).annotations({ identifier: "SessionList" })

const DeletedSession = Schema.Struct({
  id: Schema.Int,
  deleted: Schema.Literal(true),
  message: Schema.String
}).annotations({ identifier: "DeletedSession" })

const only = (name: string) => optionalText(`Only sessions with this ${name}: the whole name, ignoring case`)

/** Longer than any text that a person types to find a session. */
const MAX_SEARCH = 200

/** A page of the sessions that match, the newest first by default. */
export const list = answered({
  input: Schema.Struct({
    circuit: only("circuit"),
    vehicle: only("vehicle"),
    driver: only("driver"),
    search: optionalText(
      `Only sessions in which the circuit, the vehicle or the driver contains each of these words, ignoring case; at most ${MAX_SEARCH} characters`
    ),
    tag: optionalText("Only sessions with this tag, ignoring case"),
    sort: choiceOr(
      "newest",
      sessionOrders,
      "The order: by start time, by fastest lap (sessions without one come last), or by a name and then the newest first"
    ),
    limit: wholeNumberOr(50, 1, 1000, "Maximum number of sessions in the answer"),
    offset: wholeNumberOr(0, 0, Number.MAX_SAFE_INTEGER, "Number of matching sessions to skip")
  }),
  answer: SessionList,
  errors: [InvalidValue],
  run: (filter) =>
    Effect.gen(function* () {
      const given = filter.search?.length ?? 0
      if (given > MAX_SEARCH) {
        return yield* new InvalidValue({
          name: "search",
          value: given,
          expected: `at most ${MAX_SEARCH} characters`
        })
      }
      const { items, total } = yield* (yield* Sessions).sessions(filter)
      return { total, items, page: Math.floor(filter.offset / filter.limit), pageSize: filter.limit }
    })
})

export const read = answered({
  input: Schema.Struct({ sessionId: SessionId }),
  answer: Session,
  errors: [SessionNotFound],
  run: ({ sessionId }) => Effect.flatMap(Sessions, (sessions) => sessions.session(sessionId))
})

/** The session begins now unless the caller gives a time. */
export const create = answered({
  input: NewSession,
  answer: Session,
  errors: [],
  run: (wanted) =>
    Effect.gen(function* () {
      const now = (yield* Clock.currentTimeMillis) / 1000
      return yield* (yield* Sessions).createSession(
        { ...wanted, datetime: wanted.datetime ?? now },
        { recording: false }
      )
    })
})

export const update = answered({
  input: Schema.Struct({ sessionId: SessionId, ...SessionChange.fields }),
  answer: Session,
  errors: [SessionNotFound],
  run: ({ pinned, sessionId }) =>
    Effect.flatMap(Sessions, (sessions) => sessions.pinSession(sessionId, pinned))
})

/** Deletes a session with its laps and its points. */
export const remove = answered({
  input: Schema.Struct({ sessionId: SessionId }),
  answer: DeletedSession,
  errors: [SessionNotFound, SessionBeingRecorded],
  run: ({ sessionId: id }) =>
    Effect.gen(function* () {
      yield* (yield* Archive).deleteSession(id)
      return { id, deleted: true as const, message: `Session ${id}, its laps and its points are deleted` }
    })
})
