/**
 * Which versions of this program may use what is stored. Each schema has a row beside its tables: its version, and the first
 * versions whose programs may read it and write it. The newest program that opened the store wrote this row. So an older
 * program knows whether it may go on, although it cannot know what is new.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import type * as SqlError from "@effect/sql/SqlError"
import { Context, Data, Effect } from "effect"
import { StoreUnavailable } from "../domain/errors.ts"
import { reasonOf } from "../systemErrors.ts"
import { failuresOf } from "./failures.ts"
import { codeOf, TABLE_EXISTS } from "./sqlState.ts"

/** This program cannot use the store, and waiting does not help; `reason` says why. */
export class NotForUs extends Data.TaggedError("NotForUs")<{ readonly reason: string }> {}

export const notForUs = (store: string, reason: string) =>
  new StoreUnavailable({ store, cause: new NotForUs({ reason }), reason })

/** A schema's version is the number of its last migration. */
export interface SchemaVersion {
  readonly schema: string
  /** The number of its last migration. */
  readonly version: number
  /** The first version whose programs can read the store, and (`writableFrom`) write to it without harm. */
  readonly readableFrom: number
  readonly writableFrom: number
}

/** Why a layer opens its stores. A reader creates no tables, and changes none that a newer version made. */
export class SchemaUse extends Context.Reference<SchemaUse>()("store/SchemaUse", {
  defaultValue: (): "read" | "write" => "write"
}) {}

/** The number at the beginning of a migration's key: `0004_changes`. */
export const versionOf = (migrations: Readonly<Record<string, unknown>>): number =>
  Math.max(...Object.keys(migrations).map((key) => Number.parseInt(key, 10)))

interface Row {
  readonly version: number
  readonly readable_from: number
  readonly writable_from: number
}

const TABLE = "schema_versions"

const tableExists = (sql: SqlClient.SqlClient, table: string) =>
  Effect.map(
    sql.onDialectOrElse({
      pg: () => sql`SELECT 1 AS found WHERE to_regclass(${table}) IS NOT NULL`,
      orElse: () => sql`SELECT 1 AS found FROM sqlite_master WHERE type = 'table' AND name = ${table}`
    }),
    (rows) => rows.length > 0
  )

const ensureTable = (sql: SqlClient.SqlClient) =>
  sql`CREATE TABLE IF NOT EXISTS ${sql(TABLE)} (
    schema_name TEXT PRIMARY KEY,
    version INTEGER NOT NULL,
    readable_from INTEGER NOT NULL,
    writable_from INTEGER NOT NULL
  )`

/**
 * The migrator's own table, in its words. The migrator asks PostgreSQL for it by a query that fails if it is missing, which
 * would abort the transaction around it.
 */
const ensureMigrations = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, table: string) {
  const migratorDoes = sql.onDialectOrElse({ pg: () => false, orElse: () => true })
  if (migratorDoes || (yield* tableExists(sql, table))) return
  yield* sql`CREATE TABLE ${sql(table)} (
    migration_id integer primary key,
    created_at timestamp with time zone not null default now(),
    name text not null
  )`
})

const stored = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, schema: string) {
  if (!(yield* tableExists(sql, TABLE))) return undefined
  const rows = yield* sql<Row>`SELECT version, readable_from, writable_from FROM ${sql(TABLE)}
    WHERE schema_name = ${schema}`
  return rows[0]
})

const state = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, ours: SchemaVersion) {
  yield* ensureTable(sql)
  yield* sql`INSERT INTO ${sql(TABLE)} (schema_name, version, readable_from, writable_from)
    VALUES (${ours.schema}, ${ours.version}, ${ours.readableFrom}, ${ours.writableFrom})
    ON CONFLICT (schema_name) DO UPDATE SET version = excluded.version,
      readable_from = excluded.readable_from, writable_from = excluded.writable_from
    WHERE ${sql(TABLE)}.version < excluded.version`
})

const tooNew = ({ schema, version }: SchemaVersion, row: Row, use: "read" | "write") => {
  const least = use === "read" ? row.readable_from : row.writable_from
  const sentence =
    `its ${schema} schema ${row.version} is newer than this version of the program, which knows up to ${version}; ` +
    `to ${use} it takes one that knows ${least}`
  return { sentence, refused: version < least }
}

/**
 * Migrates the schema and stores its version. A newer schema is left as it is, and refused unless its row says that a program
 * of this version may still use it. `migrations`: the migrator's own table. Several processes may do this at once: SQLite's
 * transaction, or the migrator's lock of its table in PostgreSQL, lets one migrate at a time.
 */
export const broughtUpToDate = <E>(
  store: string,
  ours: SchemaVersion,
  migrations: string,
  migrate: Effect.Effect<unknown, E, SqlClient.SqlClient>
): Effect.Effect<void, StoreUnavailable, SqlClient.SqlClient> => {
  const checked: Effect.Effect<void, StoreUnavailable | E | SqlError.SqlError, SqlClient.SqlClient> =
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const use = yield* SchemaUse
      const row = yield* stored(sql, ours.schema)
      if (row !== undefined && row.version > ours.version) {
        const { refused, sentence } = tooNew(ours, row, use)
        return refused ? yield* notForUs(store, sentence) : undefined
      }
      if (use === "read" && !(yield* tableExists(sql, migrations))) {
        return yield* notForUs(store, `there is no ${ours.schema} of this program in it`)
      }
      const change = row?.version === ours.version ? migrate : Effect.zipRight(migrate, state(sql, ours))
      // One transaction for all, because each commit waits for the disk.
      yield* sql.withTransaction(Effect.zipRight(ensureMigrations(sql, migrations), change))
    })
  // The migrator dies if a migration fails.
  return Effect.mapError(failuresOf(store).orUnavailableForAll(checked), (error) =>
    codeOf(error) === TABLE_EXISTS
      ? notForUs(
          store,
          `${reasonOf(error.cause)}, and this program has not made it: give the service a database of its own`
        )
      : error
  )
}
