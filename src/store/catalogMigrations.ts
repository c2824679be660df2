import { randomUUID } from "node:crypto"
import * as Migrator from "@effect/sql/Migrator"
import * as SqlClient from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { broughtUpToDate, type SchemaVersion, versionOf } from "./schemaVersions.ts"

/** Times are epoch seconds; a flag is 0 or 1, which every dialect has. */
const createCatalog = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // AUTOINCREMENT, because a plain rowid is given out again once its row is deleted.
  const id = sql.literal(
    sql.onDialectOrElse({
      pg: () => "INTEGER GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
      orElse: () => "INTEGER PRIMARY KEY AUTOINCREMENT"
    })
  )
  const double = sql.literal("DOUBLE PRECISION")
  // The *_key columns hold the lower-cased names: SQLite's own lower() knows ASCII only.
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

/** Where sessions came from that another catalog had before: see CatalogTransfer.ts. */
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
 * When a session last began or ended, as a number that grows with every such change of any session. The number comes
 * from a row, which whoever follows the catalog relies on: to change it is to have one's turn until the commit, so
 * that laps and changes become visible in the order of their numbers, of which sequences alone make no promise.
 */
const addChanges = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE sessions ADD COLUMN change INTEGER NOT NULL DEFAULT 0`
  yield* sql`CREATE INDEX sessions_by_change ON sessions (change)`
  yield* sql`CREATE TABLE changes (id INTEGER PRIMARY KEY CHECK (id = 1), latest INTEGER NOT NULL)`
  yield* sql`INSERT INTO changes (id, latest) VALUES (1, 0)`
})

const migrations = {
  "0001_catalog": createCatalog,
  "0002_distance": addDistance,
  "0003_imports": addImports,
  "0004_changes": addChanges
}

const TABLE = "catalog_migrations"

/** Columns were only added so far; but who does not count changes (0004) leaves those who follow the catalog in the dark. */
const schema: SchemaVersion = {
  schema: "catalog",
  version: versionOf(migrations),
  readableFrom: 1,
  writableFrom: 4
}

/** Brings the catalog's tables up to date; several processes may do so at once. */
export const migrateCatalog = broughtUpToDate(
  "catalog",
  schema,
  TABLE,
  Migrator.make({})({ loader: Migrator.fromRecord(migrations), table: TABLE })
)
