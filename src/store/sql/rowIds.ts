/** Ids of sessions and laps that another catalog has given. PostgreSQL's identity columns count only the ids that they give. */
import type * as SqlClient from "@effect/sql/SqlClient"
import { Effect } from "effect"

type Numbered = "sessions" | "laps"

export const make = (sql: SqlClient.SqlClient) => {
  const isPostgres = sql.onDialectOrElse({ pg: () => true, orElse: () => false })

  /** The highest id that was ever given. */
  const given = Effect.fnUntraced(function* (table: Numbered) {
    const [row] = yield* isPostgres
      ? sql<{ id: number | string | null }>`SELECT
          pg_sequence_last_value(pg_get_serial_sequence(${table}, 'id')::regclass) AS id`
      : sql<{ id: number | null }>`SELECT max(seq) AS id FROM sqlite_sequence WHERE name = ${table}`
    return Number(row?.id ?? 0)
  })

  /** Makes the table give only ids above `id` from now on. */
  const countFrom = Effect.fnUntraced(function* (table: Numbered, id: number) {
    if (isPostgres) {
      yield* sql`SELECT setval(pg_get_serial_sequence(${table}, 'id')::regclass, ${id}::bigint)`
      return
    }
    yield* sql`DELETE FROM sqlite_sequence WHERE name = ${table}`
    yield* sql`INSERT INTO sqlite_sequence (name, seq) VALUES (${table}, ${id})`
  })

  /**
   * Whether the id is in use. A session's id is also in use while the points of a deleted session are still to be
   * removed.
   */
  const isTaken = Effect.fnUntraced(function* (table: Numbered, id: number) {
    const pending =
      table === "sessions" ? sql`UNION ALL SELECT session_id FROM deleted_sessions WHERE pending = 1` : sql``
    const rows =
      yield* sql`SELECT id FROM (SELECT id FROM ${sql(table)} ${pending}) AS ids WHERE id = ${id} LIMIT 1`
    return rows.length > 0
  })

  /** Inserts the row under its own id if `keep` is set and the id is free. Returns the row's id. */
  const insert = Effect.fnUntraced(function* (
    table: Numbered,
    row: Readonly<Record<string, string | number | null>>,
    id: number,
    keep: boolean
  ) {
    const taken = keep && (yield* isTaken(table, id))
    const own = keep && !taken ? { id, ...row } : row
    const columns = sql.csv(Object.keys(own).map((name) => sql`${sql(name)}`))
    const values = sql.csv(Object.values(own).map((value) => sql`${value}`))
    const [inserted] = yield* sql<{ id: number }>`INSERT INTO ${sql(table)} (${columns})
      ${sql.literal(isPostgres && keep && !taken ? "OVERRIDING SYSTEM VALUE" : "")}
      VALUES (${values}) RETURNING id`
    return Number(inserted!.id)
  })

  return { countFrom, given, insert, isPostgres }
}
