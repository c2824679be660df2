/**
 * Decides which programs may use the stored data. Each schema has a row beside its tables with its version. A program
 * that knows only lower versions does not know the newer form, and does not use the store.
 */
import * as Migrator from "@effect/sql/Migrator"
import * as SqlClient from "@effect/sql/SqlClient"
import { Context, Data, Effect } from "effect"
import { StoreUnavailable } from "../../domain/errors.ts"
import { reasonOf } from "../../platform/systemErrors.ts"
import { failuresOf } from "./failures.ts"
import { codeOf, TABLE_EXISTS } from "./sqlState.ts"

/** This program cannot use the store, and waiting does not help; `reason` says why. */
export class NotForUs extends Data.TaggedError("NotForUs")<{ readonly reason: string }> {}

export const notForUs = (store: string, reason: string) =>
  new StoreUnavailable({ store, cause: new NotForUs({ reason }), reason })

/** Why a layer opens its stores. A reader creates no tables. */
export class SchemaUse extends Context.Reference<SchemaUse>()("store/SchemaUse", {
  defaultValue: (): "read" | "write" => "write"
}) {}

/**
 * The steps that make a schema. The number at the beginning of the last key (`0001_catalog`) is the schema's version.
 */
export type Migrations = Readonly<Record<string, Effect.Effect<void, unknown, SqlClient.SqlClient>>>

const TABLE = "schema_versions"

const tableExists = (sql: SqlClient.SqlClient, table: string) =>
  Effect.map(
    sql.onDialectOrElse({
      pg: () => sql`SELECT 1 AS found WHERE to_regclass(${table}) IS NOT NULL`,
      orElse: () => sql`SELECT 1 AS found FROM sqlite_master WHERE type = 'table' AND name = ${table}`
    }),
    (rows) => rows.length > 0
  )

/**
 * Creates the migrator's own table, as the migrator would. In PostgreSQL, the migrator looks for it with a query that
 * fails if the table is missing, which would abort the surrounding transaction.
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

/** The version of the schema in the store; 0 if the store does not have it. */
const storedVersion = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, schema: string) {
  if (!(yield* tableExists(sql, TABLE))) return 0
  const rows = yield* sql<{
    version: number
  }>`SELECT version FROM ${sql(TABLE)} WHERE schema_name = ${schema}`
  return rows[0]?.version ?? 0
})

const storeVersion = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, schema: string, version: number) {
  yield* sql`CREATE TABLE IF NOT EXISTS ${sql(TABLE)} (schema_name TEXT PRIMARY KEY, version INTEGER NOT NULL)`
  yield* sql`INSERT INTO ${sql(TABLE)} (schema_name, version) VALUES (${schema}, ${version})
    ON CONFLICT (schema_name) DO UPDATE SET version = excluded.version
    WHERE ${sql(TABLE)}.version < excluded.version`
})

/**
 * Migrates the schema and stores its version. A newer schema is refused, and left as it is. Several processes may do this at
 * the same time: SQLite's transaction, or the migrator's lock of its table in PostgreSQL, lets one migrate at a time.
 */
export const broughtUpToDate = (
  store: string,
  schema: string,
  migrations: Migrations
): Effect.Effect<void, StoreUnavailable, SqlClient.SqlClient> => {
  const ours = Math.max(...Object.keys(migrations).map((key) => Number.parseInt(key, 10)))
  const table = `${schema}_migrations`
  const migrate = Migrator.make({})({ loader: Migrator.fromRecord(migrations), table })
  const checked = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const theirs = yield* storedVersion(sql, schema)
    if (theirs > ours) {
      return yield* notForUs(
        store,
        `its ${schema} schema ${theirs} is newer than this version of the program, which knows up to ${ours}`
      )
    }
    if ((yield* SchemaUse) === "read" && theirs === 0) {
      return yield* notForUs(store, `there is no ${schema} of this program in it`)
    }
    const change = Effect.zipRight(migrate, storeVersion(sql, schema, ours))
    // One transaction for all, because each commit waits for the disk.
    yield* sql.withTransaction(
      Effect.zipRight(ensureMigrations(sql, table), theirs === ours ? migrate : change)
    )
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
