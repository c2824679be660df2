/**
 * Locks the data folder for one service, and in it for one process that records.
 *
 * A lock is an open transaction on an empty SQLite file, `NAME.lock`. SQLite uses the system's own lock on bytes of a file
 * (fcntl, LockFileEx) on Linux, Windows and macOS; Node does not offer it. The system releases the lock when the process ends
 * in any way, and it works on a network drive if the drive supports locks at all. `NAME.pid` names the holder, for the
 * message of a second process. Nothing may read the lock's own file: closing it would release a POSIX lock of this process.
 *
 * A service takes its lock before it does anything else. The recorder has a second lock, because it goes on storing for a
 * while after its supervisor was killed: the next recorder waits for it.
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { hostname } from "node:os"
import { join, resolve } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { Duration, Effect } from "effect"
import { DataFolderEmpty, DataFolderInUse, DataFolderUnusable } from "../../domain/errors.ts"
import { awaitingLock } from "../../platform/retryPolicies.ts"
import { BUSY, resultCodeOf } from "../../platform/sqliteErrors.ts"
import { checkLogs } from "./databaseLogs.ts"
import { makeFolder } from "../../platform/makeFolder.ts"
import { isNew, noteDatabases } from "./nodeFile.ts"

type Name = "service" | "recorder"

/** How long a recorder that was asked to stop may take to store its received rows (exit.ts), and some seconds more. */
const RECORDER_STOPS_WITHIN = Duration.seconds(75)

const pidFile = (folder: string, name: Name) => join(folder, `${name}.pid`)

/** The process that holds the lock, by its file; undefined if it has not written the file yet. */
const holderOf = (folder: string, name: Name): string | undefined => {
  try {
    const [pid, host] = readFileSync(pidFile(folder, name), "utf8").trim().split(" ")
    if (pid === undefined || pid === "") return undefined
    return host === undefined || host === hostname() ? `process ${pid}` : `process ${pid} on ${host}`
  } catch {
    return undefined
  }
}

const lock = (folder: string, name: Name): DatabaseSync => {
  const file = new DatabaseSync(join(folder, `${name}.lock`))
  try {
    file.exec("BEGIN EXCLUSIVE")
  } catch (error) {
    file.close()
    throw error
  }
  writeFileSync(pidFile(folder, name), `${process.pid} ${hostname()}\n`)
  return file
}

const take = (folder: string, name: Name) =>
  Effect.acquireRelease(
    Effect.try({
      try: () => lock(folder, name),
      catch: (cause) =>
        resultCodeOf(cause) === BUSY
          ? new DataFolderInUse({ folder, process: holderOf(folder, name) })
          : new DataFolderUnusable({ folder, cause })
    }),
    (file) =>
      Effect.sync(() => {
        rmSync(pidFile(folder, name), { force: true })
        file.close()
      })
  )

/**
 * Locks the folder for this process, as long as the scope, and creates it if it is missing. Returns its path. `existing`: fails
 * if no service has recorded into it yet.
 */
export const lockFolder = Effect.fn("FolderLock.lockFolder")(function* (data: string, existing = false) {
  if (existing && isNew(data)) return yield* new DataFolderEmpty({ folder: resolve(data) })
  const folder = yield* makeFolder(data)
  yield* take(folder, "service")
  return folder
})

/** Takes the lock of the recording. Waits for a process that still stores its received rows. */
const takeRecording = Effect.fn("FolderLock.takeRecording")(function* (data: string) {
  const folder = yield* makeFolder(data)
  yield* take(folder, "recorder").pipe(
    Effect.catchTag("DataFolderInUse", (inUse) =>
      Effect.zipRight(
        Effect.logWarning(
          `${inUse.process ?? "A process"} of a service that was killed still stores in ${folder} what it received: waiting for it, ${Duration.format(RECORDER_STOPS_WITHIN)} at most`
        ),
        Effect.retry(take(folder, "recorder"), {
          while: ({ _tag }) => _tag === "DataFolderInUse",
          schedule: awaitingLock(RECORDER_STOPS_WITHIN)
        })
      )
    )
  )
  return folder
})

/** Locks the folder and the recording into it, for a command that changes stored data. */
export const lockWhole = (data: string) => Effect.zipRight(lockFolder(data), lockRecording(data))

/** The same as lockWhole, for a command that replaces the stored data, which may be in any state. */
export const lockUnread = (data: string) => Effect.zipRight(lockFolder(data), takeRecording(data))

/**
 * Makes this process the one that records into the folder. Checks that each log in it belongs to the database beside
 * it.
 */
export const lockRecording = (data: string) =>
  Effect.tap(takeRecording(data), (folder) => Effect.zipRight(checkLogs(folder), noteDatabases(folder, {})))
