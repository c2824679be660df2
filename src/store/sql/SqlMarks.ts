/** Marks in the catalog: read and changed, each change in one transaction with the rows that it concerns. */
import type * as SqlClient from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { apart, nearest } from "../../domain/anomalyPlace.ts"
import { LapNotFound, SessionNotFound } from "../../domain/errors.ts"
import {
  type AnomalyMark,
  type LapMark,
  type NameMark,
  noLapMark,
  noSessionMark,
  type ReferenceKey,
  type SessionMark
} from "../../domain/Mark.ts"
import type { Laps } from "../Laps.ts"
import type { GivenReference } from "../Marks.ts"
import type { Sessions } from "../Sessions.ts"
import { orUnavailable } from "./catalogFailures.ts"
import { givenId, type LapRow, type SessionRow } from "./catalogRows.ts"
import * as Kinds from "./markKinds.ts"
import * as Rows from "./markRows.ts"
import type { SqlChanges } from "./SqlChanges.ts"
import * as SqlMarkList from "./SqlMarkList.ts"

export const make = (
  sql: SqlClient.SqlClient,
  { turn }: SqlChanges,
  { session }: typeof Sessions.Service,
  { lap }: typeof Laps.Service
) => {
  const rows = Rows.make(sql)
  const { anomalyRows, lists } = SqlMarkList.make(sql)

  /** One transaction, after all others that take their turn. */
  const inTurn = <A, E>(change: Effect.Effect<A, E>) => sql.withTransaction(Effect.zipRight(turn(0), change))

  const sessionMark = Effect.fn("Marks.sessionMark")(function* (sessionId: number) {
    yield* session(sessionId)
    return yield* Rows.revised(yield* rows.rowOf("session", String(sessionId)), noSessionMark, Kinds.session)
  }, orUnavailable)

  const sessionMarkRevisions = Effect.fn("Marks.sessionMarkRevisions")(function* (sessionId: number) {
    yield* session(sessionId)
    return yield* rows.earlier("session", String(sessionId), Kinds.session)
  }, orUnavailable)

  const lapMarkRevisions = Effect.fn("Marks.lapMarkRevisions")(function* (lapId: number) {
    yield* lap(lapId)
    return yield* rows.earlier("lap", String(lapId), Kinds.lap)
  }, orUnavailable)

  const rowOfSession = Effect.fnUntraced(function* (sessionId: number) {
    const [row] = yield* sql<SessionRow>`SELECT * FROM sessions WHERE id = ${givenId(sql, sessionId)}`
    return row ?? (yield* new SessionNotFound({ sessionId }))
  })

  const rowOfLap = Effect.fnUntraced(function* (lapId: number) {
    const [row] = yield* sql<LapRow>`SELECT * FROM laps WHERE id = ${givenId(sql, lapId)}`
    return row ?? (yield* new LapNotFound({ lapId }))
  })

  const markSession = Effect.fn("Marks.markSession")(function* (
    sessionId: number,
    mark: SessionMark,
    expected?: number
  ) {
    const marking = Effect.gen(function* () {
      const row = yield* rowOfSession(sessionId)
      yield* rows.replace(yield* Kinds.session.toKeep({ sessionId, lapId: null }, mark), expected)
      yield* rows.applyToSession(row, mark, turn(1))
    })
    yield* inTurn(marking)
    return yield* session(sessionId)
  }, orUnavailable)

  const lapMark = Effect.fn("Marks.lapMark")(function* (lapId: number) {
    yield* lap(lapId)
    return yield* Rows.revised(yield* rows.rowOf("lap", String(lapId)), noLapMark, Kinds.lap)
  }, orUnavailable)

  const markLap = Effect.fn("Marks.markLap")(function* (lapId: number, mark: LapMark, expected?: number) {
    const marking = Effect.gen(function* () {
      const row = yield* rowOfLap(lapId)
      const about = { sessionId: Number(row.session_id), lapId }
      yield* rows.replace(yield* Kinds.lap.toKeep(about, mark), expected)
      yield* rows.applyToLap(row, mark)
    })
    yield* inTurn(marking)
    return yield* lap(lapId)
  }, orUnavailable)

  const markAnomaly = Effect.fn("Marks.markAnomaly")(function* (
    sessionId: number,
    mark: AnomalyMark,
    expected?: number
  ) {
    const marking = Effect.gen(function* () {
      yield* rowOfSession(sessionId)
      const kept = yield* Kinds.anomaly.toKeep({ sessionId, lapId: null }, mark)
      // An anomaly that is found some metres from where it was has the same mark.
      const same = nearest(yield* anomalyRows(sessionId), ({ mark: known }) => apart(known, mark))
      const { target } = same ?? kept
      return { value: mark, ...(yield* rows.replace({ ...kept, target }, expected)) }
    })
    return yield* inTurn(marking)
  }, orUnavailable)

  const putReference = Effect.fn("Marks.putReference")(function* (
    lapId: number,
    { circuit, ...mark }: GivenReference,
    expected?: number
  ) {
    const putting = Effect.gen(function* () {
      const sessionId = Number((yield* rowOfLap(lapId)).session_id)
      const whole = { ...mark, circuit: circuit ?? (yield* rowOfSession(sessionId)).circuit }
      const kept = yield* Kinds.reference.toKeep({ sessionId, lapId }, whole)
      const revised = yield* rows.replace(kept, expected)
      return { ...whole, sessionId, lapId, ...revised, unmatched: false }
    })
    return yield* inTurn(putting)
  }, orUnavailable)

  /** Takes back a mark that says nothing once it is gone. */
  const takeBack = (mark: Kinds.MarkToKeep, expected: number | undefined) =>
    inTurn(rows.replace({ ...mark, isSet: false }, expected))

  const nothing = { sessionId: null, lapId: null }

  const deleteReference = Effect.fn("Marks.deleteReference")(function* (
    key: ReferenceKey,
    expected?: number
  ) {
    yield* takeBack(yield* Kinds.reference.toKeep(nothing, { ...key, name: null }), expected)
  }, orUnavailable)

  const putName = Effect.fn("Marks.putName")(function* (mark: NameMark, expected?: number) {
    const revised = yield* inTurn(rows.replace(yield* Kinds.name.toKeep(nothing, mark), expected))
    return { value: mark, ...revised }
  }, orUnavailable)

  const deleteName = Effect.fn("Marks.deleteName")(function* (raw: string, expected?: number) {
    yield* takeBack(yield* Kinds.name.toKeep(nothing, { raw, name: raw }), expected)
  }, orUnavailable)

  return {
    sessionMark,
    sessionMarkRevisions,
    markSession,
    lapMark,
    lapMarkRevisions,
    markLap,
    markAnomaly,
    putReference,
    deleteReference,
    putName,
    deleteName,
    ...lists
  }
}
