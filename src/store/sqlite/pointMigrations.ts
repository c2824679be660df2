import * as Migrator from "@effect/sql/Migrator"
import * as SqlClient from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { broughtUpToDate, type SchemaVersion, versionOf } from "../schemaVersions.ts"

const createBlocks = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // The blob comes last: what stands behind it would be read through all of its pages.
  yield* sql`CREATE TABLE point_blocks (
    id INTEGER PRIMARY KEY,
    session_id INTEGER NOT NULL,
    first_point REAL NOT NULL,
    last_point REAL NOT NULL,
    points INTEGER NOT NULL,
    packed INTEGER NOT NULL,
    data BLOB NOT NULL
  )`
  // A session's blocks do not overlap, so their last points order them. With all but the blob in it, paging
  // and counting stay in the index.
  yield* sql`CREATE UNIQUE INDEX point_blocks_by_time
    ON point_blocks (session_id, last_point, first_point, points)`
  yield* sql`CREATE INDEX point_blocks_tail ON point_blocks (session_id, last_point) WHERE packed = 0`
})

/** The catalog whose the points are; no row where nobody has claimed them. */
const createOwner = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE point_owner (id INTEGER PRIMARY KEY CHECK (id = 1), catalog TEXT NOT NULL)`
})

/** Of each block (storedBlock.ts); null in those that came before, and in those that an older version writes. */
const addChecksums = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // Behind the blob, and so read only together with it.
  yield* sql`ALTER TABLE point_blocks ADD COLUMN checksum INTEGER`
})

const migrations = {
  "0001_point_blocks": createBlocks,
  "0002_point_owner": createOwner,
  "0003_checksums": addChecksums
}

const TABLE = "point_migrations"

/** Who does not know owners (0002) removes what is another's. */
const schema: SchemaVersion = {
  schema: "points",
  version: versionOf(migrations),
  readableFrom: 1,
  writableFrom: 2
}

/** Brings the blocks' table up to date; several processes may do so at once. */
export const migratePoints = broughtUpToDate(
  "sqlite",
  schema,
  TABLE,
  Migrator.make({})({ loader: Migrator.fromRecord(migrations), table: TABLE })
)
