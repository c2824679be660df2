/**
 * Notices a database that replaced another one whose write-ahead log is still there, such as a backup that was copied
 * over `telemetry.sqlite` after the service was killed. SQLite would write the log into the backup, and damage it.
 *
 * SQLite's log does not name its database. So each start raises the database's schema cookie (sqlite.org/fileformat2.html,
 * offset 40), writes it into the database file itself, and notes it in `node.json`. An older copy of the file has a smaller
 * cookie. A copy by SQLite's backup has the cookie of a new file, 1.
 */
import { closeSync, openSync, readSync, statSync } from "node:fs"
import { basename, join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { pathToFileURL } from "node:url"
import { Effect } from "effect"
import { DatabaseReplaced } from "../../domain/errors.ts"
import { noteDatabases, notedDatabases } from "./nodeFile.ts"

const COOKIE_AT = 40
const COOKIE_BYTES = 4

/** SQLite's write-ahead log of a database. */
export const logOf = (file: string) => `${file}-wal`

/**
 * Whether the database's log has content: then the last process that had it open ended abnormally, or has not ended.
 */
export const hasLog = (file: string): boolean =>
  (statSync(logOf(file), { throwIfNoEntry: false })?.size ?? 0) > 0

/** The cookie in the database file itself, whatever its log has. */
const cookieIn = (file: string): number => {
  const header = Buffer.alloc(COOKIE_BYTES)
  const opened = openSync(file, "r")
  try {
    readSync(opened, header, 0, COOKIE_BYTES, COOKIE_AT)
  } finally {
    closeSync(opened)
  }
  return header.readUInt32BE()
}

/**
 * Fails if a log does not belong to the database beside it. Must run before this process opens a database: closing a
 * file releases the locks that SQLite has on it. Ignores a missing database: SQLite handles it.
 */
export const checkLogs = Effect.fn("databaseLogs.checkLogs")(function* (folder: string) {
  for (const [name, cookie] of Object.entries(yield* notedDatabases(folder))) {
    const file = join(folder, name)
    if (!hasLog(file) || statSync(file, { throwIfNoEntry: false }) === undefined) continue
    if (cookieIn(file) !== cookie) return yield* new DatabaseReplaced({ file })
  }
})

/** How long SQLite waits for another connection's write. */
const BUSY_TIMEOUT_MS = 5000

/** The address by which SQLite opens an existing file, and does not create one. */
const existing = (file: string): URL => {
  const address = pathToFileURL(file)
  address.searchParams.set("mode", "rw")
  return address
}

/**
 * Raises the cookie of a database that this process has open. Returns the cookie if the database file itself has it
 * now.
 */
const raised = (file: string): number | undefined => {
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(existing(file), { timeout: BUSY_TIMEOUT_MS })
    database.exec("BEGIN IMMEDIATE; CREATE TABLE this_start (x); DROP TABLE this_start; COMMIT")
    const written = database.prepare("PRAGMA wal_checkpoint(PASSIVE)").get()
    const isWritten = written?.["busy"] === 0 && written["log"] === written["checkpointed"]
    return isWritten ? Number(database.prepare("PRAGMA schema_version").get()?.["schema_version"]) : undefined
  } catch {
    // The disk is full, or a reader holds the log: the service still serves stored data, and the log of this start is
    // not checked.
    return undefined
  } finally {
    database?.close()
  }
}

/** Notes which databases the logs of this start belong to. This process must have the files open, and their schemas must be final. */
export const noteLogs = Effect.fn("databaseLogs.noteLogs")(function* (
  folder: string,
  files: ReadonlyArray<string>
) {
  const noted: Record<string, number> = {}
  for (const file of files) {
    const cookie = raised(file)
    if (cookie !== undefined) noted[basename(file)] = cookie
  }
  yield* noteDatabases(folder, noted)
})
