/** Queries that the indexes of the blocks answer alone: which sessions and groups exist. */
import type * as SqlClient from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { partNames } from "../../domain/columnNames.ts"
import type { SessionGroup } from "../RowStore.ts"
import { orUnavailable } from "./SqliteFile.ts"

export const make = (sql: SqlClient.SqlClient) => {
  return {
    // Goes through the index from each session to the next: a session may have thousands of blocks.
    sessionIds: sql<{ id: number }>`WITH RECURSIVE ids (id) AS (
      SELECT min(session_id) FROM blocks
      UNION ALL
      SELECT (SELECT min(session_id) FROM blocks WHERE session_id > ids.id)
        FROM ids WHERE ids.id IS NOT NULL
    ) SELECT ids.id FROM ids WHERE ids.id IS NOT NULL`.pipe(
      orUnavailable,
      Effect.map((rows) => rows.map((row) => row.id)),
      Effect.withSpan("blockIndex.sessionIds")
    ),

    groups: Effect.fn("blockIndex.groups")(function* (sessionId: number) {
      const rows = yield* sql<{ name: string }>`WITH RECURSIVE names (name) AS (
          SELECT min(group_name) FROM blocks WHERE session_id = ${sessionId}
          UNION ALL
          SELECT (SELECT min(group_name) FROM blocks
              WHERE session_id = ${sessionId} AND group_name > names.name)
            FROM names WHERE names.name IS NOT NULL
        ) SELECT names.name FROM names WHERE names.name IS NOT NULL`
      return rows.map((row) => row.name)
    }, orUnavailable),

    /** Every layout begins with the time, and that of points has all of their channels. */
    columns: Effect.fn("blockIndex.columns")(function* ({ group, sessionId }: SessionGroup) {
      const rows = yield* sql<{ names: string }>`SELECT names FROM layouts WHERE id IN
        (SELECT layout FROM blocks WHERE session_id = ${sessionId} AND group_name = ${group})
        ORDER BY id`
      return [...new Set(rows.flatMap((row) => partNames(row.names)))]
    }, orUnavailable),

    // Reads a table, because a statement without a table never looks at the file.
    check: orUnavailable(Effect.asVoid(sql`SELECT id FROM blocks LIMIT 1`))
  }
}
