/** Carries the marks of a session to another catalog, where its laps may have other ids. */
import type * as SqlClient from "@effect/sql/SqlClient"
import { Effect } from "effect"
import type { MarkRecord } from "../CatalogTransfer.ts"
import type { LapRow, SessionRow } from "./catalogRows.ts"
import * as Rows from "./markRows.ts"

interface RecordedRow extends Rows.MarkRow {
  readonly kind: string
  readonly target: string
  readonly lap_start: number | null
}

export const make = (sql: SqlClient.SqlClient) => {
  const rows = Rows.make(sql)

  /** The marks of a session that say something. */
  const recorded = Effect.fnUntraced(function* (sessionId: number) {
    const found = yield* sql<RecordedRow>`SELECT marks.kind, target, value, is_set, revision, changed_at,
      laps.start_time AS lap_start FROM marks LEFT JOIN laps ON laps.id = marks.lap_id
      WHERE marks.session_id = ${sessionId} AND is_set = 1 ORDER BY marks.id`
    return found.map(
      ({ changed_at: changedAt, kind, lap_start: lapStart, revision, target, value }): MarkRecord => ({
        kind,
        lapStart,
        target,
        value,
        revision,
        changedAt
      })
    )
  })

  /** Puts them into the session, in the transaction that completes it. */
  const restore = Effect.fnUntraced(function* (sessionId: number, marks: ReadonlyArray<MarkRecord>) {
    for (const { changedAt, kind, lapStart, revision, value } of marks) {
      if (kind === "lap") {
        const [row] = yield* sql<LapRow>`SELECT * FROM laps
          WHERE session_id = ${sessionId} AND start_time = ${lapStart}`
        if (row === undefined) continue
        const mark = yield* Rows.kinds.lap.stored.read(value)
        const about = { sessionId, lapId: Number(row.id) }
        yield* rows.keep({ ...(yield* Rows.lapMarkToKeep(about, mark, changedAt)), revision })
        yield* rows.applyToLap(row, mark)
      } else if (kind === "session") {
        const mark = yield* Rows.kinds.session.stored.read(value)
        const [row] = yield* sql<SessionRow & { readonly change: number }>`SELECT * FROM sessions
          WHERE id = ${sessionId}`
        yield* rows.keep({
          ...(yield* Rows.sessionMarkToKeep({ sessionId, lapId: null }, mark, changedAt)),
          revision
        })
        yield* rows.applyToSession(row!, mark, Effect.succeed(row!.change))
      }
    }
  })

  return { recorded, restore }
}
