import * as Migrator from "@effect/sql/Migrator"
import * as SqlClient from "@effect/sql/SqlClient"
import { Effect } from "effect"

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

/** Brings the blocks' table up to date; several processes may do so at once. */
export const migratePoints = Migrator.make({})({
  loader: Migrator.fromRecord({ "0001_point_blocks": createBlocks, "0002_point_owner": createOwner }),
  table: "point_migrations"
})
