/**
 * The rows of marks, and what a mark writes into the row of its session or lap: what lists, indexes and totals go by. All of
 * it runs in a transaction that has taken its turn (SqlChanges.ts).
 */
import type * as SqlClient from "@effect/sql/SqlClient"
import { Effect, Schema } from "effect"
import { MarkChanged, TooManyMarks } from "../../domain/errors.ts"
import {
  LapMark,
  MAX_MARKS,
  noLapMark,
  noSessionMark,
  type Revised,
  saysNothing,
  SessionMark
} from "../../domain/Mark.ts"
import { fromWire } from "../../platform/wire.ts"
import { unavailable } from "./catalogFailures.ts"
import { fromNames, type LapRow, nameKey, reportedNames, type SessionRow } from "./catalogRows.ts"

export type MarkKind = "session" | "lap"

export interface MarkRow {
  readonly value: string
  readonly is_set: number
  readonly revision: number
  readonly changed_at: number
}

/** What a mark is about, and its text. */
export interface MarkToKeep {
  readonly kind: MarkKind
  readonly target: string
  readonly sessionId: number
  readonly lapId: number | null
  readonly value: string
  readonly isSet: boolean
  readonly tags: ReadonlyArray<string>
  readonly revision: number
  readonly changedAt: number
}

const storedOf = <A, I>(schema: Schema.Schema<A, I>) => {
  const stored = Schema.parseJson(fromWire(schema))
  return {
    read: (text: string) => Effect.mapError(Schema.decode(stored)(text), unavailable),
    write: (value: A) => Effect.mapError(Schema.encode(stored)(value), unavailable)
  }
}

/** The kinds of marks. */
export const kinds = {
  session: { stored: storedOf(SessionMark), none: noSessionMark },
  lap: { stored: storedOf(LapMark), none: noLapMark }
}

/** The session, or the lap of a session, that a mark is about. */
export interface About {
  readonly sessionId: number
  readonly lapId: number | null
}

export const revised = <A, E>(
  row: MarkRow | undefined,
  {
    none,
    stored
  }: { readonly none: A; readonly stored: { readonly read: (text: string) => Effect.Effect<A, E> } }
): Effect.Effect<Revised<A>, E> =>
  row === undefined
    ? Effect.succeed({ value: none, revision: 0, changedAt: null })
    : Effect.map(stored.read(row.value), (value) => ({
        value,
        revision: row.revision,
        changedAt: row.changed_at
      }))

const keeping =
  <A extends { readonly tags: ReadonlyArray<string> }>(
    kind: MarkKind,
    { none, stored }: { readonly none: A; readonly stored: ReturnType<typeof storedOf<A, unknown>> }
  ) =>
  ({ lapId, sessionId }: About, mark: A, changedAt: number) =>
    Effect.map(stored.write(mark), (value) => ({
      kind,
      target: String(lapId ?? sessionId),
      sessionId,
      lapId,
      value,
      isSet: !saysNothing(mark, none),
      tags: mark.tags,
      changedAt
    }))

/** Marks as they are kept. */
export const sessionMarkToKeep = keeping("session", kinds.session)
export const lapMarkToKeep = keeping("lap", kinds.lap)

export const make = (sql: SqlClient.SqlClient) => {
  const rowOf = Effect.fnUntraced(function* (kind: MarkKind, target: string) {
    const [row] = yield* sql<MarkRow>`SELECT value, is_set, revision, changed_at FROM marks
      WHERE kind = ${kind} AND target = ${target}`
    return row
  })

  const keep = Effect.fnUntraced(function* (mark: MarkToKeep) {
    const { changedAt, isSet, kind, lapId, revision, sessionId, tags, target, value } = mark
    const about = { kind, target, session_id: sessionId, lap_id: lapId }
    const row = { ...about, value, is_set: isSet ? 1 : 0, revision, changed_at: changedAt }
    const [kept] = yield* sql<{ id: number }>`INSERT INTO marks ${sql.insert(row)}
      ON CONFLICT (kind, target) DO UPDATE SET session_id = excluded.session_id, lap_id = excluded.lap_id,
        value = excluded.value, is_set = excluded.is_set, revision = excluded.revision, changed_at = excluded.changed_at
      RETURNING id`
    const id = Number(kept!.id)
    yield* sql`DELETE FROM tags WHERE mark_id = ${id}`
    const tagged = [...new Set(tags.map(nameKey))].map((key) => ({
      mark_id: id,
      tag_key: key,
      session_id: sessionId,
      lap_id: lapId
    }))
    if (tagged.length > 0) yield* sql`INSERT INTO tags ${sql.insert(tagged)}`
  })

  /**
   * Replaces a mark, unless its revision is not the expected one or its session has too many. Nothing is kept of a mark
   * that never said anything.
   */
  const replace = Effect.fnUntraced(function* (
    mark: Omit<MarkToKeep, "revision">,
    expected: number | undefined
  ) {
    const before = yield* rowOf(mark.kind, mark.target)
    const revision = before?.revision ?? 0
    if (expected !== undefined && expected !== revision) return yield* new MarkChanged({ expected, revision })
    if (before === undefined && !mark.isSet) return
    if (mark.isSet && before?.is_set !== 1) {
      const [row] = yield* sql<{ count: number | string }>`SELECT count(*) AS count FROM marks
        WHERE session_id = ${mark.sessionId} AND is_set = 1`
      if (Number(row!.count) >= MAX_MARKS) return yield* new TooManyMarks({ limit: MAX_MARKS })
    }
    yield* keep({ ...mark, revision: revision + 1 })
  })

  /** `renamed` gives the number of a change, for clients that follow names; it is used if names change. */
  const applyToSession = Effect.fnUntraced(function* <E, R>(
    row: SessionRow,
    mark: SessionMark,
    renamed: Effect.Effect<number, E, R>
  ) {
    const reported = reportedNames(row)
    const { circuit, circuitLayout, driver, tags, vehicle } = mark
    const names = {
      circuit: circuit ?? reported.circuit,
      vehicle: vehicle ?? reported.vehicle,
      driver: driver ?? reported.driver
    }
    const isRenamed =
      names.circuit !== row.circuit || names.vehicle !== row.vehicle || names.driver !== row.driver
    const columns = {
      // Names in an update make the session be counted anew.
      ...(isRenamed ? { ...fromNames(names), change: yield* renamed } : {}),
      circuit_reported: circuit === null ? null : reported.circuit,
      vehicle_reported: vehicle === null ? null : reported.vehicle,
      driver_reported: driver === null ? null : reported.driver,
      circuit_layout: circuitLayout,
      tags: tags.length === 0 ? null : JSON.stringify(tags)
    }
    yield* sql`UPDATE sessions SET ${sql.update(columns)} WHERE id = ${row.id}`
  })

  const applyToLap = Effect.fnUntraced(function* (row: LapRow, { excluded, valid }: LapMark) {
    const reported = row.valid_reported ?? row.valid
    const counts = row.withdrawn === 1 || excluded ? 0 : valid === null ? reported : valid ? 1 : 0
    const columns = {
      // Validity in an update makes the session be counted anew.
      ...(counts === row.valid ? {} : { valid: counts }),
      valid_reported: excluded || valid !== null ? reported : null,
      valid_given: valid === null ? null : valid ? 1 : 0,
      excluded: excluded ? 1 : 0
    }
    yield* sql`UPDATE laps SET ${sql.update(columns)} WHERE id = ${row.id}`
  })

  return { rowOf, keep, replace, applyToSession, applyToLap }
}
