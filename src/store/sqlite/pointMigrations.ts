import * as SqlClient from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { broughtUpToDate } from "../sql/schemaVersions.ts"

const createBlocks = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // The names of the columns of blocks, joined.
  yield* sql`CREATE TABLE layouts (id INTEGER PRIMARY KEY, names TEXT NOT NULL UNIQUE)`
  // The blob comes last: to reach a column after it, SQLite would read all of its pages.
  yield* sql`CREATE TABLE blocks (
    id INTEGER PRIMARY KEY,
    session_id INTEGER NOT NULL,
    group_name TEXT NOT NULL,
    layout INTEGER NOT NULL REFERENCES layouts (id),
    first_time REAL NOT NULL,
    last_time REAL NOT NULL,
    length INTEGER NOT NULL,
    packed INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    data BLOB NOT NULL
  )`
  // The blocks of a group do not overlap, so their last rows order them. The index has every column that paging and
  // counting need.
  yield* sql`CREATE UNIQUE INDEX blocks_by_time ON blocks (session_id, group_name, last_time, first_time, length)`
  yield* sql`CREATE INDEX blocks_tail ON blocks (session_id, group_name, last_time) WHERE packed = 0`
  // The catalog that owns the points; no row if no catalog has claimed them.
  yield* sql`CREATE TABLE point_owner (id INTEGER PRIMARY KEY CHECK (id = 1), catalog TEXT NOT NULL)`
})

/** Brings the blocks' tables up to date; several processes may do so at the same time. */
export const migratePoints = broughtUpToDate("sqlite", "points", { "0001_points": createBlocks })
