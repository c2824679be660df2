import * as Migrator from "@effect/sql/Migrator"
import * as SqlClient from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { broughtUpToDate, type SchemaVersion, versionOf } from "../schemaVersions.ts"

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
    data BLOB NOT NULL
  )`
  // The blocks of a session do not overlap, so their last points order them. The index has every column but the blob, so
  // paging and counting read only the index.
  yield* sql`CREATE UNIQUE INDEX point_blocks_by_time
    ON point_blocks (session_id, last_point, first_point, points)`
  yield* sql`CREATE INDEX point_blocks_tail ON point_blocks (session_id, last_point) WHERE packed = 0`
})

/** The catalog that owns the points; no row if no catalog has claimed them. */
const createOwner = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE point_owner (id INTEGER PRIMARY KEY CHECK (id = 1), catalog TEXT NOT NULL)`
})

/** The checksum of each block (storedBlock.ts); null in older blocks, and in blocks that an older version writes. */
const addChecksums = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // After the blob, and so read only together with it.
  yield* sql`ALTER TABLE point_blocks ADD COLUMN checksum INTEGER`
})

/**
 * The samples of groups other than the points, and the columns of their blocks. `point_blocks` stays as it is for older
 * versions, which know nothing of this.
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
 * Deletes some of the samples with each packed block of points, and the rest with the last one. An older version removes a
 * session by its points only. To keep within a size, it would go on with the next session for as long as the file has not
 * shrunk. Only removals delete packed blocks; this version's removal deletes the samples first, so the trigger finds none.
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

/**
 * Not in a spool: there, an older version removes the points that it has moved, while the samples wait for a version that
 * moves them.
 */
const migrationsOf = (isSpool: boolean) => ({
  "0001_point_blocks": createBlocks,
  "0002_point_owner": createOwner,
  "0003_checksums": addChecksums,
  "0004_groups": isSpool ? createGroups : Effect.zipRight(createGroups, removeAlong)
})

const TABLE = "point_migrations"

/**
 * A program that does not know owners (0002) would remove what belongs to others. A program that does not know groups (0004)
 * may write: it records, seals and removes points, and touches `group_blocks` only by the trigger above. What it leaves is
 * readable, and a newer version repairs it. A group's tail that it did not seal is packed when the group is next written or
 * sealed. If it removed a session whose points were all in the tail, the samples are removed when a claim finds that the
 * session was deleted (SqlitePointStore.ts). Such a program does not see a session that has only samples: it neither shows
 * nor removes it. A catalog that is no owner yet might claim a file with nothing else; but a program that writes samples has
 * claimed the file before.
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
/** The same for a spool. */
export const migrateSpool = migrated(true)
