/**
 * The rows of marks, and what a mark writes into the row of its session or lap: what lists, indexes and totals go by. All of
 * it runs in a transaction that has taken its turn (SqlChanges.ts).
 */
import type * as SqlClient from "@effect/sql/SqlClient"
import { Clock, Effect } from "effect"
import { MarkChanged, TooManyMarks } from "../../domain/errors.ts"
import {
  KEPT_REVISIONS,
  type LapMark,
  MAX_MARKS,
  type MarkKind,
  type Revised,
  type SessionMark
} from "../../domain/Mark.ts"
import { fromNames, type LapRow, nameKey, reportedNames, type SessionRow } from "./catalogRows.ts"
import type { MarkToKeep } from "./markKinds.ts"

export interface MarkRow {
  readonly id: number
  readonly value: string
  readonly is_set: number
  readonly revision: number
  readonly changed_at: number
}

interface Revision {
  readonly revision: number
  readonly changedAt: number
}

export const revised = <A, E>(
  row: MarkRow | undefined,
  none: A,
  { read }: { readonly read: (text: string) => Effect.Effect<A, E> }
): Effect.Effect<Revised<A>, E> =>
  row === undefined
    ? Effect.succeed({ value: none, revision: 0, changedAt: null })
    : Effect.map(read(row.value), (value) => ({
        value,
        revision: row.revision,
        changedAt: row.changed_at
      }))

export const make = (sql: SqlClient.SqlClient) => {
  const rowOf = Effect.fnUntraced(function* (kind: MarkKind, target: string) {
    const [row] = yield* sql<MarkRow>`SELECT id, value, is_set, revision, changed_at FROM marks
      WHERE kind = ${kind} AND target = ${target}`
    return row
  })

  const keep = Effect.fnUntraced(function* (
    { isSet, kind, lapId, sessionId, tags, target, value }: MarkToKeep,
    { changedAt, revision }: Revision
  ) {
    const about = { kind, target, session_id: sessionId, lap_id: lapId }
    const row = { ...about, value, is_set: isSet ? 1 : 0, revision, changed_at: changedAt }
    const [kept] = yield* sql<{ id: number }>`INSERT INTO marks ${sql.insert(row)}
      ON CONFLICT (kind, target) DO UPDATE SET session_id = excluded.session_id, lap_id = excluded.lap_id,
        value = excluded.value, is_set = excluded.is_set, revision = excluded.revision, changed_at = excluded.changed_at
      RETURNING id`
    const id = Number(kept!.id)
    yield* sql`DELETE FROM tags WHERE mark_id = ${id}`
    if (!isSet) return
    const tagged = [...new Set(tags.map(nameKey))].map((key) => ({
      mark_id: id,
      tag_key: key,
      session_id: sessionId,
      lap_id: lapId
    }))
    if (tagged.length > 0) yield* sql`INSERT INTO tags ${sql.insert(tagged)}`
  })

  /** What users said of sessions and laps is kept when they say something else: notes are long. */
  const keepEarlier = Effect.fnUntraced(function* (row: MarkRow) {
    const { changed_at, id: mark_id, revision, value } = row
    yield* sql`INSERT INTO mark_revisions ${sql.insert({ mark_id, revision, value, changed_at })}`
    yield* sql`DELETE FROM mark_revisions WHERE mark_id = ${mark_id} AND revision <= ${revision - KEPT_REVISIONS}`
  })

  /** The newest first. */
  const earlier = Effect.fnUntraced(function* <A, E>(
    kind: MarkKind,
    target: string,
    { read }: { readonly read: (text: string) => Effect.Effect<A, E> }
  ) {
    const found = yield* sql<{
      readonly value: string
      readonly revision: number
      readonly changed_at: number
    }>`SELECT mark_revisions.value, mark_revisions.revision, mark_revisions.changed_at
      FROM mark_revisions JOIN marks ON marks.id = mark_revisions.mark_id
      WHERE kind = ${kind} AND target = ${target} ORDER BY mark_revisions.revision DESC`
    return yield* Effect.forEach(found, ({ changed_at: changedAt, revision, value }) =>
      Effect.map(read(value), (value): Revised<A> => ({ value, revision, changedAt }))
    )
  })

  /**
   * Replaces a mark, unless its revision is not the expected one or its session has too many. Nothing is kept of a mark
   * that never said anything. Returns the revision.
   */
  const replace = Effect.fnUntraced(function* (mark: MarkToKeep, expected: number | undefined) {
    const before = yield* rowOf(mark.kind, mark.target)
    const revision = before?.revision ?? 0
    if (expected !== undefined && expected !== revision) return yield* new MarkChanged({ expected, revision })
    if (before === undefined && !mark.isSet) return { revision: 0, changedAt: null }
    if (mark.isSet && before?.is_set !== 1) {
      const beside = mark.sessionId === null ? sql`kind = ${mark.kind}` : sql`session_id = ${mark.sessionId}`
      const [row] = yield* sql<{ count: number | string }>`SELECT count(*) AS count FROM marks
        WHERE ${beside} AND is_set = 1`
      if (Number(row!.count) >= MAX_MARKS) return yield* new TooManyMarks({ limit: MAX_MARKS })
    }
    const revised = { revision: revision + 1, changedAt: (yield* Clock.currentTimeMillis) / 1000 }
    if (before !== undefined && (mark.kind === "session" || mark.kind === "lap")) yield* keepEarlier(before)
    yield* keep(mark, revised)
    return revised
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

  return { rowOf, keep, earlier, replace, applyToSession, applyToLap }
}
