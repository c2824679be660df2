/**
 * Replaces the database in the data folder by a backup. The earlier database is kept beside it, with its log, under a
 * name of its own.
 *
 * If the process is killed in the middle, it leaves the folder as it was, or the backup beside the log of the earlier
 * database. The service refuses to open the latter (app/folder/databaseLogs.ts). Another run of the command then
 * completes the restore.
 */
import { copyFileSync, existsSync, linkSync, renameSync, rmSync } from "node:fs"
import { dirname } from "node:path"
import { backup as copyDatabase, DatabaseSync } from "node:sqlite"
import { Data, Effect } from "effect"
import { DataFolderUnusable } from "../../domain/errors.ts"
import { logOf } from "../../app/folder/databaseLogs.ts"
import { OURS } from "../../store/sqlite/fileIdentity.ts"

/** The backup cannot be used; `why` gives the reason. Nothing was changed. */
export class BackupUnusable extends Data.TaggedError("BackupUnusable")<{ readonly why: string }> {}

/** The number of pages in a step of the copy: 16 MiB. Between steps, other work of the process gets a turn. */
const PAGES_AT_ONCE = 4096

/** How long SQLite waits for another program's write to the backup. */
const BUSY_TIMEOUT_MS = 5000

/** The only value that a PRAGMA returns. */
const valueOf = (database: DatabaseSync, pragma: string) =>
  Object.values(database.prepare(`PRAGMA ${pragma}`).get() ?? {})[0]

/** Copies the backup, with its log if it has one, to `copy`. */
const copyWhole = async (backup: string, copy: string) => {
  const database = new DatabaseSync(backup, { readOnly: true, timeout: BUSY_TIMEOUT_MS })
  try {
    if (valueOf(database, "application_id") !== OURS)
      throw new BackupUnusable({ why: "it is not a database of this program" })
    const found = valueOf(database, "quick_check(1)")
    if (found !== "ok") throw new BackupUnusable({ why: `it is damaged: ${String(found)}` })
    await copyDatabase(database, copy, { rate: PAGES_AT_ONCE })
  } finally {
    database.close()
  }
}

/** Keeps the file under a second name; as a copy if the disk does not support links. */
const keepAs = (file: string, kept: string) => {
  try {
    linkSync(file, kept)
  } catch {
    copyFileSync(file, kept)
  }
}

/**
 * Replaces the database `file` by `backup`. The process must have the data folder, and must not have the file open. Returns the
 * name under which the earlier database is kept; undefined if there was none.
 */
export const restore = Effect.fn("restore")(function* (backup: string, file: string, at: Date) {
  const copy = `${file}.restoring`
  const before = `${file}.before-${at.toISOString().replaceAll(":", "-")}`
  yield* Effect.tryPromise({
    try: () => {
      rmSync(copy, { force: true })
      return copyWhole(backup, copy)
    },
    catch: (cause) =>
      cause instanceof BackupUnusable
        ? cause
        : new BackupUnusable({ why: cause instanceof Error ? cause.message : String(cause) })
  })
  return yield* Effect.try({
    try: () => {
      const isThere = existsSync(file)
      if (isThere) keepAs(file, before)
      renameSync(copy, file)
      if (existsSync(logOf(file))) renameSync(logOf(file), logOf(before))
      rmSync(`${file}-shm`, { force: true })
      return isThere ? before : undefined
    },
    catch: (cause) => new DataFolderUnusable({ folder: dirname(file), cause })
  })
})
