import { randomUUID } from "node:crypto"
import * as SqlClient from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { endOf } from "./catalogRows.ts"
import { failuresOf } from "./failures.ts"
import { broughtUpToDate } from "./schemaVersions.ts"
import { createTotals } from "./catalogTotals.ts"

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
  // The channels that sessions' sources have declared (SqlDictionaries.ts).
  yield* sql`CREATE TABLE dictionaries (id ${id}, digest TEXT NOT NULL UNIQUE, value TEXT NOT NULL)`
  // The *_key columns hold the lower-cased names, because SQLite's own lower() knows ASCII only. distance: metres
  // driven, null if not measured. node: the node that records the session, over the connection to this address. pinned:
  // whether it is kept when others are removed to make room. stored_at: when this machine began or ended the recording, 0 if it did not record it.
  // *_reported: the name as reported, if a user corrected it, otherwise null. circuit_layout, tags (JSON): null unless a
  // user gave them. dictionary: null until the source has declared its channels. lap_count and fastest_*: kept by triggers
  // (catalogTotals.ts).
  yield* sql`CREATE TABLE sessions (
    id ${id},
    circuit TEXT NOT NULL, circuit_key TEXT NOT NULL,
    vehicle TEXT NOT NULL, vehicle_key TEXT NOT NULL,
    driver TEXT NOT NULL, driver_key TEXT NOT NULL,
    circuit_reported TEXT, vehicle_reported TEXT, driver_reported TEXT,
    circuit_layout TEXT,
    tags TEXT,
    datetime ${double} NOT NULL,
    first_point ${double},
    last_point ${double},
    distance ${double},
    recording SMALLINT NOT NULL,
    node TEXT, connection TEXT,
    stored_at ${double} NOT NULL DEFAULT 0,
    pinned SMALLINT NOT NULL DEFAULT 0,
    change INTEGER NOT NULL DEFAULT 0,
    dictionary INTEGER REFERENCES dictionaries (id),
    lap_count INTEGER NOT NULL DEFAULT 0,
    fastest_time ${double}, fastest_start ${double}, fastest_lap INTEGER
  )`
  yield* sql`CREATE INDEX sessions_by_datetime ON sessions (datetime, id)`
  yield* sql`CREATE INDEX sessions_by_change ON sessions (change)`
  yield* sql`CREATE INDEX sessions_by_node ON sessions (node) WHERE recording = 1`
  yield* sql`CREATE INDEX sessions_by_dictionary ON sessions (dictionary)`
  // The order in which sessions are removed to make room (archive/Retention.ts).
  yield* sql`CREATE INDEX sessions_by_end ON sessions ((${endOf(sql)}), id) WHERE recording = 0 AND pinned = 0`
  // sector_source: the origin of the sectors, null if there are none. driven_by: null if it is the session's driver. valid:
  // whether it counts. valid_reported: what the simulator said of it, null if that is `valid`. valid_given, excluded: a user's
  // word.
  yield* sql`CREATE TABLE laps (
    id ${id},
    session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    lap_number INTEGER NOT NULL,
    lap_time ${double},
    sector1_time ${double},
    sector2_time ${double},
    sector3_time ${double},
    sector_source TEXT,
    valid SMALLINT NOT NULL,
    withdrawn SMALLINT NOT NULL,
    valid_reported SMALLINT, valid_given SMALLINT, excluded SMALLINT NOT NULL DEFAULT 0,
    driven_by TEXT, driven_by_key TEXT,
    start_time ${double} NOT NULL,
    end_time ${double} NOT NULL,
    UNIQUE (session_id, start_time)
  )`
  yield* sql`CREATE INDEX laps_by_time ON laps (session_id, lap_time, start_time) WHERE valid = 1`
  yield* createTotals
  yield* sql`CREATE TABLE configuration (id INTEGER PRIMARY KEY CHECK (id = 1), value TEXT NOT NULL)`
  // The session that a client put on air.
  yield* sql`CREATE TABLE on_air (
    id INTEGER PRIMARY KEY CHECK (id = 1), session_id INTEGER REFERENCES sessions (id) ON DELETE SET NULL
  )`
  // The connections to simulators that each node keeps. only_here: no other node may have one with this address.
  yield* sql`CREATE TABLE connections (
    node TEXT NOT NULL, address TEXT NOT NULL, request TEXT NOT NULL, enabled SMALLINT NOT NULL, run TEXT NOT NULL,
    only_here SMALLINT NOT NULL,
    PRIMARY KEY (node, address)
  )`
  yield* sql`CREATE UNIQUE INDEX connections_only_here ON connections (address) WHERE only_here = 1`
  // The files that were imported. sha256: null while bytes are missing. batch: of the upload. options and report: JSON.
  // finished: null until nothing more happens to the import.
  yield* sql`CREATE TABLE file_imports (
    id ${id}, node TEXT NOT NULL, name TEXT NOT NULL, sha256 TEXT, size BIGINT NOT NULL,
    state TEXT NOT NULL, batch TEXT, started ${double}, finished ${double}, options TEXT NOT NULL, report TEXT NOT NULL
  )`
  yield* sql`CREATE INDEX file_imports_by_bytes ON file_imports (sha256)`
  // The sessions that were made of files. facts: JSON. The import may have been forgotten.
  yield* sql`CREATE TABLE session_sources (
    session_id INTEGER PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE, import_id INTEGER NOT NULL, facts TEXT
  )`
  yield* sql`CREATE INDEX session_sources_by_import ON session_sources (import_id)`
  // Details that users give of circuits, by the circuit's lower-cased name; the value is JSON.
  yield* sql`CREATE TABLE circuits (name_key TEXT PRIMARY KEY, name TEXT NOT NULL, value TEXT NOT NULL)`
  // The layouts that laps showed, with their corners; the value is JSON, the version counts its changes.
  yield* sql`CREATE TABLE circuit_layouts (
    circuit_key TEXT PRIMARY KEY, version INTEGER NOT NULL, value TEXT NOT NULL
  )`
  // The lines of sectors that the service derives; the value is JSON, and a circuit has a row for each layout that was driven.
  yield* sql`CREATE TABLE sector_lines (id ${id}, circuit_key TEXT NOT NULL, value TEXT NOT NULL)`
  yield* sql`CREATE INDEX sector_lines_by_circuit ON sector_lines (circuit_key, id)`
})

/**
 * What users say (Marks.ts), a row for each thing that they say it of; the value is JSON. A mark that was taken back stays
 * with `is_set` 0, so that its revisions go on. lap_id has no constraint: a mark outlives its lap.
 */
const createMarks = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE marks (
    id ${numbered(sql)},
    kind TEXT NOT NULL, target TEXT NOT NULL,
    session_id INTEGER REFERENCES sessions (id) ON DELETE CASCADE,
    lap_id INTEGER,
    value TEXT NOT NULL,
    is_set SMALLINT NOT NULL,
    revision INTEGER NOT NULL,
    changed_at DOUBLE PRECISION NOT NULL,
    UNIQUE (kind, target)
  )`
  yield* sql`CREATE INDEX marks_by_session ON marks (session_id, kind)`
  // What users said before.
  yield* sql`CREATE TABLE mark_revisions (
    mark_id INTEGER NOT NULL REFERENCES marks (id) ON DELETE CASCADE,
    revision INTEGER NOT NULL,
    value TEXT NOT NULL,
    changed_at DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (mark_id, revision)
  )`
  yield* sql`CREATE TABLE tags (
    mark_id INTEGER NOT NULL REFERENCES marks (id) ON DELETE CASCADE,
    tag_key TEXT NOT NULL,
    session_id INTEGER NOT NULL,
    lap_id INTEGER,
    PRIMARY KEY (mark_id, tag_key)
  )`
  yield* sql`CREATE INDEX tags_by_key ON tags (tag_key, session_id, lap_id)`
})

/** The origin of sessions that were moved from another catalog: see CatalogTransfer.ts. */
const createImports = Effect.gen(function* () {
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
const createChanges = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE changes (id INTEGER PRIMARY KEY CHECK (id = 1), latest INTEGER NOT NULL)`
  yield* sql`INSERT INTO changes (id, latest) VALUES (1, 0)`
})

/**
 * The holders of nodes, and whether all nodes find a node's points (Nodes.ts). The deleted sessions: only their points
 * may be removed. A removal is pending until it is done. for_room: it was deleted to make room, and not by a user. The
 * deletion is remembered forever, because points may arrive late. The tenures of sessions that went from node to node
 * (Takeovers.ts): they outlive their session until its points are removed.
 */
const createOwners = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE deleted_sessions (
    session_id INTEGER PRIMARY KEY, pending SMALLINT NOT NULL, for_room SMALLINT NOT NULL DEFAULT 0
  )`
  yield* sql`CREATE TABLE nodes (
    id TEXT PRIMARY KEY, holder TEXT NOT NULL, described TEXT NOT NULL, expires DOUBLE PRECISION NOT NULL,
    shares SMALLINT NOT NULL, lease DOUBLE PRECISION NOT NULL, url TEXT, version TEXT NOT NULL,
    beat INTEGER NOT NULL DEFAULT 0, taken INTEGER NOT NULL DEFAULT 0
  )`
  yield* sql`CREATE TABLE tenures (
    session_id INTEGER NOT NULL, no INTEGER NOT NULL, row_key TEXT NOT NULL UNIQUE, node TEXT,
    until_time DOUBLE PRECISION, late_until DOUBLE PRECISION,
    PRIMARY KEY (session_id, no)
  )`
})

const upToDate = broughtUpToDate("catalog", "catalog", {
  "0001_catalog": Effect.all([createCatalog, createMarks, createImports, createChanges, createOwners], {
    discard: true
  })
})

/** The number of our lock: PostgreSQL's advisory locks have no names. */
const MIGRATION_LOCK = 1_952_804_973

/**
 * Makes processes that start together migrate one after another. PostgreSQL lets two of them create the table of
 * migrations at the same time, and one of the two then fails. The lock ends with the transaction: a lock of the
 * connection would remain if a pool (PgBouncer in transaction mode) gives each statement another connection.
 */
const oneByOne = (sql: SqlClient.SqlClient) =>
  failuresOf("catalog").orUnavailableForAll(
    sql.withTransaction(Effect.zipRight(sql`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`, upToDate))
  )

/** Brings the catalog's tables up to date; several processes may do so at the same time. */
export const migrateCatalog = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  sql.onDialectOrElse({ pg: () => oneByOne(sql), orElse: () => upToDate })
)
