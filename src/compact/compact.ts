/**
 * Rewrites a SQLite file without the pages that removed sessions left in it, so that from then on such pages go back to the disk
 * (`auto_vacuum=INCREMENTAL`), as in a file that was new with this version.
 *
 * It is SQLite's VACUUM: a copy in a temporary file, which goes into the file through its log. Killed at any moment, the file is
 * what it was, or what it is to be.
 */
import { stat } from "node:fs/promises"
import { dirname } from "node:path"
import * as SqlClient from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { freeOn } from "../store/LocalFiles.ts"
import { bytesInUse, unavailable } from "../store/sqlite/SqliteFile.ts"

/** What is known before it begins. */
export interface Plan {
  /** Bytes of the file, and of what of it is in use. */
  readonly bytes: number
  readonly inUse: number
  /** Bytes of the disk that it takes while it lasts: the copy, and the log. */
  readonly needed: number
  /** Bytes that the disk has for us. */
  readonly free: number
  readonly isDone: boolean
}

/** SQLite's word for INCREMENTAL. */
const INCREMENTAL = 2
/** One in some 800 pages says where others are, and the log has 24 bytes a page. */
const OVERHEAD = 1.01

const sizeOf = (file: string) =>
  Effect.tryPromise({ try: async () => (await stat(file)).size, catch: unavailable })

/** Of the client's file. What waits in its log is in it first. */
export const plan = Effect.fn("compact.plan")(function* (file: string) {
  const sql = yield* SqlClient.SqlClient
  const pragma = (name: string) =>
    sql.unsafe<Readonly<Record<string, number>>>(`PRAGMA ${name}`).pipe(
      Effect.map(([row]) => row?.[name] ?? 0),
      Effect.mapError(unavailable)
    )
  yield* Effect.mapError(sql.unsafe("PRAGMA wal_checkpoint(TRUNCATE)"), unavailable)
  const inUse = yield* bytesInUse(sql)
  const isIncremental = (yield* pragma("auto_vacuum")) === INCREMENTAL
  const found: Plan = {
    bytes: yield* sizeOf(file),
    inUse,
    needed: Math.ceil(2 * inUse * OVERHEAD),
    free: yield* Effect.mapError(freeOn(dirname(file)), unavailable),
    isDone: isIncremental && (yield* pragma("freelist_count")) === 0
  }
  return found
})

/** Does it; the file's bytes afterwards. */
export const compact = Effect.fn("compact")(function* (file: string) {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.mapError(
    Effect.gen(function* () {
      yield* sql.unsafe("PRAGMA auto_vacuum = INCREMENTAL")
      yield* sql.unsafe("VACUUM")
      yield* sql.unsafe("PRAGMA wal_checkpoint(TRUNCATE)")
    }),
    unavailable
  )
  return yield* sizeOf(file)
})
