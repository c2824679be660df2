/**
 * Rewrites a SQLite file without the pages that removed sessions left in it. From then on such pages go back to the
 * disk (`auto_vacuum=INCREMENTAL`), as in a file that this version created.
 *
 * It runs SQLite's VACUUM, which makes a copy in a temporary file and writes it into the file through the log. If the
 * process is killed at any moment, the file is either as before or complete.
 */
import { stat } from "node:fs/promises"
import { dirname } from "node:path"
import * as SqlClient from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { freeOn } from "../store/LocalFiles.ts"
import { bytesInUse, unavailable } from "../store/sqlite/SqliteFile.ts"

/** What is known before the work begins. */
export interface Plan {
  /** Bytes of the file, and the bytes of it that are in use. */
  readonly bytes: number
  readonly inUse: number
  /** Bytes of disk that the work takes at its peak: the copy, and the log. */
  readonly needed: number
  /** Bytes that are free on the disk. */
  readonly free: number
  readonly isDone: boolean
}

/** SQLite's number for INCREMENTAL. */
const INCREMENTAL = 2
/** One in some 800 pages maps the others, and the log adds 24 bytes a page. */
const OVERHEAD = 1.01

const sizeOf = (file: string) =>
  Effect.tryPromise({ try: async () => (await stat(file)).size, catch: unavailable })

/** The plan for the client's file. The contents of its log are written into it first. */
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

/** Compacts the file; returns its bytes afterwards. */
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
