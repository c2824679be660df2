import * as SqlClient from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { broughtUpToDate } from "../schemaVersions.ts"

const createBlocks = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // The blob comes last: to reach a column after it, SQLite would read all of its pages.
  yield* sql`CREATE TABLE point_blocks (
    id INTEGER PRIMARY KEY,
    session_id INTEGER NOT NULL,
    first_point REAL NOT NULL,
    last_point REAL NOT NULL,
    points INTEGER NOT NULL,
    packed INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    data BLOB NOT NULL
  )`
  // The blocks of a session do not overlap, so their last points order them. The index has every column but the blob, so
  // paging and counting read only the index.
  yield* sql`CREATE UNIQUE INDEX point_blocks_by_time
    ON point_blocks (session_id, last_point, first_point, points)`
  yield* sql`CREATE INDEX point_blocks_tail ON point_blocks (session_id, last_point) WHERE packed = 0`
  // The samples of groups other than the points, and the columns of their blocks.
  yield* sql`CREATE TABLE layouts (id INTEGER PRIMARY KEY, names TEXT NOT NULL UNIQUE)`
  yield* sql`CREATE TABLE group_blocks (
    id INTEGER PRIMARY KEY,
    session_id INTEGER NOT NULL,
    group_name TEXT NOT NULL,
    layout INTEGER NOT NULL REFERENCES layouts (id),
    first_sample REAL NOT NULL,
    last_sample REAL NOT NULL,
    samples INTEGER NOT NULL,
    packed INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    data BLOB NOT NULL
  )`
  yield* sql`CREATE UNIQUE INDEX group_blocks_by_time
    ON group_blocks (session_id, group_name, last_sample, first_sample, samples)`
  yield* sql`CREATE INDEX group_blocks_tail ON group_blocks (session_id, group_name, last_sample)
    WHERE packed = 0`
  // The catalog that owns the points; no row if no catalog has claimed them.
  yield* sql`CREATE TABLE point_owner (id INTEGER PRIMARY KEY CHECK (id = 1), catalog TEXT NOT NULL)`
})

/** Brings the blocks' tables up to date; several processes may do so at once. */
export const migratePoints = broughtUpToDate("sqlite", "points", { "0001_points": createBlocks })
