/**
 * Knows which sessions the catalog has, and which it deleted. Rows of deletions stay, because points of a deleted
 * session may arrive late.
 */
import type * as SqlClient from "@effect/sql/SqlClient"
import { Array, Effect } from "effect"
import { orUnavailable } from "./catalogFailures.ts"
import { notOfAnother } from "./catalogRows.ts"

interface Id {
  readonly id: number
}

/** Ids in one statement: SQLite takes 32,766 parameters, PostgreSQL 65,535. */
const MAX_IDS = 10_000

/** `node`: the node that this process records as. */
export const make = (sql: SqlClient.SqlClient, node: string | null) => {
  /** Untraced: the store writer calls it at each commit, and the statement has a span. */
  const among = Effect.fnUntraced(function* (
    column: string,
    table: string,
    wanted: ReadonlyArray<number>,
    condition = sql`1 = 1`
  ) {
    const found = new Set<number>()
    for (const some of Array.chunksOf(wanted, MAX_IDS)) {
      const rows = yield* sql<Id>`SELECT ${sql(column)} AS id FROM ${sql(table)}
        WHERE ${sql.in(column, some)} AND ${condition}`
      for (const { id } of rows) found.add(Number(id))
    }
    return found
  }, orUnavailable)

  const isNotOfAnother = notOfAnother(sql, node)

  const pending = sql<Id>`SELECT session_id AS id FROM deleted_sessions WHERE pending = 1 ORDER BY id`

  return {
    /** Runs in the transaction that deletes the session's own row. */
    addDeletion: (id: number, why: "wanted" | "for room") =>
      sql`INSERT INTO deleted_sessions (session_id, pending, for_room)
        VALUES (${id}, 1, ${why === "for room" ? 1 : 0}) ON CONFLICT (session_id) DO UPDATE SET pending = 1`,

    deletions: {
      pendingRemovals: orUnavailable(Effect.map(pending, (rows) => rows.map(({ id }) => Number(id)))),

      removalDone: Effect.fn("Deletions.removalDone")(function* (id: number) {
        yield* sql`UPDATE deleted_sessions SET pending = 0 WHERE session_id = ${id}`
        yield* sql`DELETE FROM tenures WHERE session_id = ${id}`
      }, orUnavailable),

      removeAgain: Effect.fn("Deletions.removeAgain")(function* (id: number) {
        const rows = yield* sql`UPDATE deleted_sessions SET pending = 1 WHERE session_id = ${id}
          RETURNING session_id`
        return rows.length > 0
      }, orUnavailable),

      deleted: (wanted: ReadonlyArray<number>) =>
        Effect.map(among("session_id", "deleted_sessions", wanted), (found) =>
          wanted.filter((id) => found.has(id))
        ),

      removedForRoom: (wanted: ReadonlyArray<number>) =>
        Effect.map(among("session_id", "deleted_sessions", wanted, sql`for_room = 1`), (found) =>
          wanted.filter((id) => found.has(id))
        ),

      missing: (wanted: ReadonlyArray<number>) =>
        Effect.map(among("id", "sessions", wanted), (found) => wanted.filter((id) => !found.has(id))),

      lost: (wanted: ReadonlyArray<number>) =>
        Effect.map(among("id", "sessions", wanted, isNotOfAnother), (found) =>
          wanted.filter((id) => !found.has(id))
        )
    }
  }
}

export type SqlDeletions = ReturnType<typeof make>
