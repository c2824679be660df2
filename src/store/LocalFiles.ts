/**
 * Checks that the files which a process keeps open on this machine's disk still exist. A process can go on reading and
 * writing a file that was deleted or replaced, but its content is lost when the process ends. A folder that takes no
 * new files has no room for the store's logs and exports either.
 */
import { randomUUID } from "node:crypto"
import { existsSync, rmSync, statSync, writeFileSync } from "node:fs"
import { stat, statfs } from "node:fs/promises"
import { join } from "node:path"
import { Context, Effect } from "effect"
import { StoreUnavailable } from "../domain/errors.ts"
import { reasonOf } from "../platform/systemErrors.ts"

/**
 * Bytes of the files with their logs, and bytes that this user may still write to their disk; null if the system does
 * not report them.
 */
export interface Space {
  readonly bytes: number
  readonly free: number | null
}

interface Watched {
  readonly check: Effect.Effect<void, StoreUnavailable>
  readonly space: Effect.Effect<Space>
}

export class LocalFiles extends Context.Reference<LocalFiles>()("store/LocalFiles", {
  defaultValue: (): Watched => ({ check: Effect.void, space: Effect.succeed({ bytes: 0, free: null }) })
}) {}

/** The size in bytes; 0 of a missing file. */
const sizeOf = (file: string) =>
  Effect.orElseSucceed(
    Effect.tryPromise(async () => (await stat(file)).size),
    () => 0
  )

/** Free bytes on the folder's disk that this user may write. */
const freeOn = (folder: string) =>
  Effect.tryPromise(async () => {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  })

const unavailable = (store: string, reason: string, cause: unknown) =>
  new StoreUnavailable({ store, cause, reason })

/**
 * Device and inode, which a new file of the same name does not share; undefined for a missing file. The checks call the
 * system synchronously, which takes some 10 us a file. On Node's threads they would wait behind the compressing and
 * reading there.
 */
const identityOf = (file: string): string | undefined => {
  try {
    const found = statSync(file, { bigint: true, throwIfNoEntry: false })
    return found === undefined ? undefined : `${found.dev} ${found.ino}`
  } catch {
    return undefined
  }
}

/** SQLite's write-ahead log of a database. Commits are only in this file until a checkpoint. */
const logOf = (file: string) => `${file}-wal`

/** The file with the findings of a check of the folder's databases, if it found damage (app/roles/quickCheck.ts). */
export const damageIn = (folder: string) => join(folder, "damage.txt")

/**
 * Says what happens to data that is stored now, and what to do. When the last process closes the database, SQLite
 * writes its log back, even a log whose name was deleted. A database whose name was deleted can then no longer be
 * opened.
 */
const adviceOn = (file: string, database: string) =>
  file === database
    ? "what is stored now is lost when it ends. Move the file back, or, where that cannot be, export what you need before you stop the service"
    : `what was stored last is in its log alone, and is lost if it is killed. Move the log back, or stop the service in the ordinary way: it writes the log into ${database} as it ends`

/** Watches these files, which this process has open, and their logs. Files that do not exist are not watched. */
export const watch = (folder: string, files: ReadonlyArray<string>): Watched => {
  const known: Array<{ readonly file: string; readonly before: string; readonly advice: string }> = []
  for (const database of files) {
    // SQLite keeps the same log file while a connection is open.
    for (const file of [database, logOf(database)]) {
      const before = identityOf(file)
      if (before !== undefined) known.push({ file, before, advice: adviceOn(file, database) })
    }
  }

  const same = Effect.forEach(
    known,
    Effect.fnUntraced(function* ({ advice, before, file }) {
      const now = identityOf(file)
      if (now === before) return
      const what = now === undefined ? "deleted or moved" : "replaced"
      const reason = `${file} was ${what} while the service has it open: ${advice}`
      return yield* unavailable("sqlite", reason, new Error(what))
    }),
    { discard: true }
  )

  const whole = Effect.suspend(() => {
    const damage = damageIn(folder)
    if (!existsSync(damage)) return Effect.void
    const reason = `The store in ${folder} is damaged (SQLite's findings are in ${damage}): "telemetry verify" lists the damaged points, "telemetry restore BACKUP" replaces the store with a backup`
    return unavailable("sqlite", reason, new Error("damaged"))
  })

  // For root, the system may report a read-only folder as writable. Only a write shows the truth.
  const probe = Effect.try({
    try: () => {
      const file = join(folder, `.writable-${randomUUID()}`)
      try {
        writeFileSync(file, "1")
      } finally {
        rmSync(file, { force: true })
      }
    },
    catch: (cause) => unavailable("sqlite", `Nothing can be written to ${folder}: ${reasonOf(cause)}`, cause)
  })

  const space = Effect.gen(function* () {
    const sizes = yield* Effect.forEach(files, (file) =>
      Effect.zipWith(sizeOf(file), sizeOf(logOf(file)), (size, log) => size + log)
    )
    return {
      bytes: sizes.reduce((sum, size) => sum + size, 0),
      free: yield* Effect.orElseSucceed(freeOn(folder), () => null)
    }
  })

  return { check: Effect.all([same, whole, probe], { discard: true }), space }
}
