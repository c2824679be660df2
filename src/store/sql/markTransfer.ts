/** Carries the marks of a session to another catalog, where its laps may have other ids. */
import type * as SqlClient from "@effect/sql/SqlClient"
import { Effect } from "effect"
import type { MarkRecord } from "../CatalogTransfer.ts"
import type { LapRow, SessionRow } from "./catalogRows.ts"
import * as Kinds from "./markKinds.ts"
import * as Rows from "./markRows.ts"

interface RecordedRow extends Rows.MarkRow {
  readonly kind: MarkRecord["kind"]
  readonly lap_start: number | null
}

export const make = (sql: SqlClient.SqlClient) => {
  const rows = Rows.make(sql)

  /** The marks of a session that say something. */
  const recorded = Effect.fnUntraced(function* (sessionId: number) {
    const found = yield* sql<RecordedRow>`SELECT marks.id, marks.kind, value, is_set, revision, changed_at,
      laps.start_time AS lap_start FROM marks LEFT JOIN laps ON laps.id = marks.lap_id
      WHERE marks.session_id = ${sessionId} AND is_set = 1 ORDER BY marks.id`
    return found.map(({ changed_at: changedAt, kind, lap_start: lapStart, revision, value }): MarkRecord => ({
      kind,
      lapStart,
      value,
      revision,
      changedAt
    }))
  })

  const restoreOne = Effect.fnUntraced(function* (sessionId: number, mark: MarkRecord) {
    const { kind, lapStart, value } = mark
    const [lap] =
      lapStart === null
        ? []
        : yield* sql<LapRow>`SELECT * FROM laps WHERE session_id = ${sessionId} AND start_time = ${lapStart}`
    const about = { sessionId, lapId: lap === undefined ? null : Number(lap.id) }
    switch (kind) {
      case "session": {
        const [row] = yield* sql<SessionRow & { readonly change: number }>`SELECT * FROM sessions
          WHERE id = ${sessionId}`
        const read = yield* Kinds.session.read(value)
        yield* rows.keep(yield* Kinds.session.toKeep(about, read), mark)
        return yield* rows.applyToSession(row!, read, Effect.succeed(row!.change))
      }
      case "lap": {
        if (lap === undefined) return
        const read = yield* Kinds.lap.read(value)
        yield* rows.keep(yield* Kinds.lap.toKeep(about, read), mark)
        return yield* rows.applyToLap(lap, read)
      }
      case "anomaly":
        return yield* rows.keep(yield* Kinds.anomaly.toKeep(about, yield* Kinds.anomaly.read(value)), mark)
      case "reference": {
        const kept = yield* Kinds.reference.toKeep(about, yield* Kinds.reference.read(value))
        // A reference that the target has for the same names stays.
        const there = yield* rows.rowOf(kind, kept.target)
        if (lap !== undefined && there?.is_set !== 1) yield* rows.keep(kept, mark)
        return
      }
    }
  })

  /** Puts them into the session, in the transaction that completes it. */
  const restore = (sessionId: number, marks: ReadonlyArray<MarkRecord>) =>
    Effect.forEach(marks, (mark) => restoreOne(sessionId, mark), { discard: true })

  return { recorded, restore }
}
