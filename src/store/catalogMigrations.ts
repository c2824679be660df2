import { randomUUID } from "node:crypto"
import * as Migrator from "@effect/sql/Migrator"
import * as SqlClient from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { endOf } from "./catalogRows.ts"
import { failuresOf } from "./failures.ts"
import { broughtUpToDate, type SchemaVersion, versionOf } from "./schemaVersions.ts"
import { addChangedLaps, addDrives, addTotals } from "./catalogTotals.ts"

/** The type of a row's id. AUTOINCREMENT, because SQLite gives a plain rowid out again once its row is deleted. */
const numbered = (sql: SqlClient.SqlClient) =>
  sql.literal(
    sql.onDialectOrElse({
      pg: () => "INTEGER GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
      orElse: () => "INTEGER PRIMARY KEY AUTOINCREMENT"
    })
  )

/** Times are epoch seconds; a flag is 0 or 1, which every dialect has. */
const createCatalog = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const id = numbered(sql)
  const double = sql.literal("DOUBLE PRECISION")
  // The *_key columns hold the lower-cased names, because SQLite's own lower() knows ASCII only.
  yield* sql`CREATE TABLE sessions (
    id ${id},
    circuit TEXT NOT NULL, circuit_key TEXT NOT NULL,
    vehicle TEXT NOT NULL, vehicle_key TEXT NOT NULL,
    driver TEXT NOT NULL, driver_key TEXT NOT NULL,
    datetime ${double} NOT NULL,
    first_point ${double},
    last_point ${double},
    recording SMALLINT NOT NULL
  )`
  yield* sql`CREATE INDEX sessions_by_datetime ON sessions (datetime, id)`
  yield* sql`CREATE INDEX sessions_by_circuit ON sessions (circuit_key)`
  yield* sql`CREATE INDEX sessions_by_driver ON sessions (driver_key)`
  yield* sql`CREATE TABLE laps (
    id ${id},
    session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    lap_number INTEGER NOT NULL,
    lap_time ${double},
    sector1_time ${double},
    sector2_time ${double},
    sector3_time ${double},
    valid SMALLINT NOT NULL,
    start_time ${double} NOT NULL,
    end_time ${double} NOT NULL,
    UNIQUE (session_id, start_time)
  )`
  yield* sql`CREATE TABLE configuration (id INTEGER PRIMARY KEY CHECK (id = 1), value TEXT NOT NULL)`
})

/** Metres driven in the session; null where not measured. */
const addDistance = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE sessions ADD COLUMN distance DOUBLE PRECISION`
})

/** The origin of sessions that were moved from another catalog: see CatalogTransfer.ts. */
const addImports = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE catalog_identity (id INTEGER PRIMARY KEY CHECK (id = 1), value TEXT NOT NULL)`
  yield* sql`INSERT INTO catalog_identity (id, value) VALUES (1, ${randomUUID()})`
  yield* sql`CREATE TABLE imports (
    origin TEXT PRIMARY KEY, sessions_until INTEGER NOT NULL, laps_until INTEGER NOT NULL
  )`
  yield* sql`CREATE TABLE imported_sessions (
    origin TEXT NOT NULL,
    origin_id INTEGER NOT NULL,
    session_id INTEGER NOT NULL UNIQUE REFERENCES sessions (id) ON DELETE CASCADE,
    complete SMALLINT NOT NULL,
    PRIMARY KEY (origin, origin_id)
  )`
})

/**
 * When a session last began or ended, as a number that grows with every such change of any session. The number comes from one
 * row. A transaction that changes this row excludes others from it until the commit, so laps and changes become visible in
 * the order of their numbers. Sequences alone do not guarantee that order, and clients that follow the catalog need it.
 */
const addChanges = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE sessions ADD COLUMN change INTEGER NOT NULL DEFAULT 0`
  yield* sql`CREATE INDEX sessions_by_change ON sessions (change)`
  yield* sql`CREATE TABLE changes (id INTEGER PRIMARY KEY CHECK (id = 1), latest INTEGER NOT NULL)`
  yield* sql`INSERT INTO changes (id, latest) VALUES (1, 0)`
})

/**
 * Which node records a session, and which process holds a node (Nodes.ts). Sessions that were being recorded before this
 * migration have no node; the next node that starts ends them. Also which sessions were deleted: only their points may be
 * removed. A removal is pending until it is done, and the deletion is remembered for ever, because points may arrive late.
 */
const addOwners = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE deleted_sessions (session_id INTEGER PRIMARY KEY, pending SMALLINT NOT NULL)`
  yield* sql`ALTER TABLE sessions ADD COLUMN node TEXT`
  yield* sql`CREATE TABLE nodes (
    id TEXT PRIMARY KEY, holder TEXT NOT NULL, described TEXT NOT NULL, expires DOUBLE PRECISION NOT NULL
  )`
})

/** Details that users give of circuits, by the circuit's lower-cased name; the value is JSON. */
const addCircuits = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE circuits (name_key TEXT PRIMARY KEY, name TEXT NOT NULL, value TEXT NOT NULL)`
})

/**
 * Who measured a lap's sectors: null in laps that were stored before. Also the lines of sectors that the service derives, by
 * the circuit's lower-cased name; the value is JSON, and a circuit has a row for each layout that was driven.
 */
const addSectorLines = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE laps ADD COLUMN sector_source TEXT`
  const id = numbered(sql)
  yield* sql`CREATE TABLE sector_lines (id ${id}, circuit_key TEXT NOT NULL, value TEXT NOT NULL)`
  yield* sql`CREATE INDEX sector_lines_by_circuit ON sector_lines (circuit_key, id)`
})

/** Whether a user wants the session kept when others are removed to make room. */
const addPinned = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE sessions ADD COLUMN pinned SMALLINT NOT NULL DEFAULT 0`
})

/** The order in which sessions are removed to make room (archive/Retention.ts). */
const addEnds = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE INDEX sessions_by_end ON sessions ((coalesce(last_point, datetime)), id)
    WHERE recording = 0 AND pinned = 0`
})

/** The channels that a session's source has declared (SqlDictionaries.ts); null in sessions that were recorded before. */
const addDictionaries = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const id = numbered(sql)
  yield* sql`CREATE TABLE dictionaries (id ${id}, digest TEXT NOT NULL UNIQUE, value TEXT NOT NULL)`
  yield* sql`ALTER TABLE sessions ADD COLUMN dictionary INTEGER REFERENCES dictionaries (id)`
  yield* sql`CREATE INDEX sessions_by_dictionary ON sessions (dictionary)`
})

/** Names of older versions as they are kept now, in Unicode's NFC. Triggers count the sessions under them. */
const composeNames = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const column of ["circuit", "vehicle", "driver"]) {
    const rows = yield* sql<{ name: string }>`SELECT DISTINCT ${sql(column)} AS name FROM totals`
    for (const { name } of rows) {
      const composed = name.normalize("NFC")
      if (composed === name) continue
      const changed = { [column]: composed, [`${column}_key`]: composed.toLowerCase() }
      yield* sql`UPDATE sessions SET ${sql.update(changed)} WHERE ${sql(column)} = ${name}`
    }
  }
  for (const [table, column] of [
    ["circuits", "name_key"],
    ["sector_lines", "circuit_key"]
  ] as const) {
    const rows = yield* sql<{ key: string }>`SELECT DISTINCT ${sql(column)} AS key FROM ${sql(table)}`
    const keys = new Set(rows.map(({ key }) => key))
    for (const key of keys) {
      const composed = key.normalize("NFC").toLowerCase()
      // Details that are there under the composed name stay.
      if (composed === key || (table === "circuits" && keys.has(composed))) continue
      yield* sql`UPDATE ${sql(table)} SET ${sql.update({ [column]: composed })} WHERE ${sql(column)} = ${key}`
    }
  }
})

/** When this machine began or ended the session's recording, epoch s; 0 where it did not record it. */
const addStoredTimes = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE sessions ADD COLUMN stored_at DOUBLE PRECISION NOT NULL DEFAULT 0`
  yield* sql`DROP INDEX sessions_by_end`
  yield* sql`CREATE INDEX sessions_by_end ON sessions ((${endOf(sql)}), id) WHERE recording = 0 AND pinned = 0`
})

/** Whether all nodes find the points of this one. What older versions noted of a node does not tell; it tells when it starts again. */
const addSharing = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE nodes ADD COLUMN shares SMALLINT NOT NULL DEFAULT 1`
})

const migrations = {
  "0001_catalog": createCatalog,
  "0002_distance": addDistance,
  "0003_imports": addImports,
  "0004_changes": addChanges,
  "0005_owners": addOwners,
  "0006_circuits": addCircuits,
  "0007_sector_lines": addSectorLines,
  "0008_totals": addTotals,
  "0009_pinned": addPinned,
  "0010_ends": addEnds,
  "0011_dictionaries": addDictionaries,
  "0012_changed_laps": addChangedLaps,
  "0013_drives": addDrives,
  "0014_composed_names": composeNames,
  "0015_stored_times": addStoredTimes,
  "0016_sharing": addSharing
}

const TABLE = "catalog_migrations"

/**
 * So far migrations only added columns and tables. But a program that does not know owners (0005) would end sessions and
 * remove points that belong to others. The database itself keeps the totals (0008), whichever program writes.
 */
const schema: SchemaVersion = {
  schema: "catalog",
  version: versionOf(migrations),
  readableFrom: 1,
  writableFrom: 5
}

const upToDate = broughtUpToDate(
  "catalog",
  schema,
  TABLE,
  Migrator.make({})({ loader: Migrator.fromRecord(migrations), table: TABLE })
)

/** The number of our lock: PostgreSQL's advisory locks have no names. */
const MIGRATION_LOCK = 1_952_804_973

/**
 * Makes processes that start together migrate one after another. PostgreSQL lets two of them create the table of migrations
 * at once, and one of the two then fails. The lock ends with the transaction: one that belongs to the connection would stay
 * held where a pool (PgBouncer in transaction mode) gives each statement another connection.
 */
const oneByOne = (sql: SqlClient.SqlClient) =>
  failuresOf("catalog").orUnavailableForAll(
    sql.withTransaction(Effect.zipRight(sql`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`, upToDate))
  )

/** Brings the catalog's tables up to date; several processes may do so at once. */
export const migrateCatalog = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  sql.onDialectOrElse({ pg: () => oneByOne(sql), orElse: () => upToDate })
)
