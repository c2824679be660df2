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

/** The catalog whose the points are; no row where none has claimed them. */
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

/**
 * The samples of groups other than the points, and the columns that their blocks have. `point_blocks` stays what it is, for
 * older versions, which know nothing of this.
 */
const createGroups = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
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
})

/**
 * With each packed block of points some of the samples go, and with the last one the rest. An older version removes a session by
 * its points, and to keep within a size it goes on with the next one for as long as the file has not shrunk. Packed blocks are
 * deleted only by removals; this version's removes the samples first, and so finds none here.
 */
const removeAlong = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`CREATE TRIGGER group_blocks_removed AFTER DELETE ON point_blocks WHEN OLD.packed = 1 BEGIN
    DELETE FROM group_blocks WHERE id IN
      (SELECT id FROM group_blocks WHERE session_id = OLD.session_id LIMIT 16);
    DELETE FROM group_blocks WHERE session_id = OLD.session_id
      AND NOT EXISTS (SELECT 1 FROM point_blocks WHERE session_id = OLD.session_id);
  END`
)

/** Of a spool an older version removes the points that it has moved; the samples wait there for a version that moves them. */
const migrationsOf = (isSpool: boolean) => ({
  "0001_point_blocks": createBlocks,
  "0002_point_owner": createOwner,
  "0003_checksums": addChecksums,
  "0004_groups": isSpool ? createGroups : Effect.zipRight(createGroups, removeAlong)
})

const TABLE = "point_migrations"

/**
 * Who does not know owners (0002) removes what is another's. Who does not know groups (0004) may write: it records points, and
 * seals and removes them, and none of that touches `group_blocks` but for the trigger above. What it leaves is read as ever, and
 * made good: a group's tail that it did not seal is packed when it is next written or sealed; samples of a session whose points
 * were all in its tail when it removed them are removed when a claim finds that the session was deleted (SqlitePointStore.ts).
 * A session that has samples only is none to it: it neither shows nor removes it, and a catalog that is no owner yet might claim a
 * file that has nothing else; but who writes samples has claimed the file before.
 */
const schema: SchemaVersion = {
  schema: "points",
  version: versionOf(migrationsOf(false)),
  readableFrom: 1,
  writableFrom: 2
}

const migrated = (isSpool: boolean) =>
  broughtUpToDate(
    "sqlite",
    schema,
    TABLE,
    Migrator.make({})({ loader: Migrator.fromRecord(migrationsOf(isSpool)), table: TABLE })
  )

/** Brings the blocks' tables up to date; several processes may do so at once. */
export const migratePoints = migrated(false)
/** Those of a spool. */
export const migrateSpool = migrated(true)
