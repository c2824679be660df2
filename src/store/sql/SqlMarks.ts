/** Marks in the catalog: read and changed, each change in one transaction with the rows that it concerns. */
import type * as SqlClient from "@effect/sql/SqlClient"
import { Clock, Effect } from "effect"
import { LapNotFound, SessionNotFound } from "../../domain/errors.ts"
import type { LapMark, SessionMark } from "../../domain/Mark.ts"
import type { Laps } from "../Laps.ts"
import type { Sessions } from "../Sessions.ts"
import { orUnavailable } from "./catalogFailures.ts"
import { givenId, type LapRow, type SessionRow } from "./catalogRows.ts"
import * as Rows from "./markRows.ts"
import type { SqlChanges } from "./SqlChanges.ts"

const now = Effect.map(Clock.currentTimeMillis, (millis) => millis / 1000)

export const make = (
  sql: SqlClient.SqlClient,
  { turn }: SqlChanges,
  { session }: typeof Sessions.Service,
  { lap }: typeof Laps.Service
) => {
  const rows = Rows.make(sql)

  const sessionMark = Effect.fn("Marks.sessionMark")(function* (sessionId: number) {
    yield* session(sessionId)
    return yield* Rows.revised(yield* rows.rowOf("session", String(sessionId)), Rows.kinds.session)
  }, orUnavailable)

  const markSession = Effect.fn("Marks.markSession")(function* (
    sessionId: number,
    mark: SessionMark,
    expected?: number
  ) {
    const kept = yield* Rows.sessionMarkToKeep({ sessionId, lapId: null }, mark, yield* now)
    yield* sql.withTransaction(
      Effect.gen(function* () {
        yield* turn(0)
        const [row] = yield* sql<SessionRow>`SELECT * FROM sessions WHERE id = ${givenId(sql, sessionId)}`
        if (row === undefined) return yield* new SessionNotFound({ sessionId })
        yield* rows.replace(kept, expected)
        yield* rows.applyToSession(row, mark, turn(1))
      })
    )
    return yield* session(sessionId)
  }, orUnavailable)

  const lapMark = Effect.fn("Marks.lapMark")(function* (lapId: number) {
    yield* lap(lapId)
    return yield* Rows.revised(yield* rows.rowOf("lap", String(lapId)), Rows.kinds.lap)
  }, orUnavailable)

  const markLap = Effect.fn("Marks.markLap")(function* (lapId: number, mark: LapMark, expected?: number) {
    yield* sql.withTransaction(
      Effect.gen(function* () {
        yield* turn(0)
        const [row] = yield* sql<LapRow>`SELECT * FROM laps WHERE id = ${givenId(sql, lapId)}`
        if (row === undefined) return yield* new LapNotFound({ lapId })
        const about = { sessionId: Number(row.session_id), lapId }
        yield* rows.replace(yield* Rows.lapMarkToKeep(about, mark, yield* now), expected)
        yield* rows.applyToLap(row, mark)
      })
    )
    return yield* lap(lapId)
  }, orUnavailable)

  return { sessionMark, markSession, lapMark, markLap }
}
