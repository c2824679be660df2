/** `telemetry compact`: the command line, and the sentences about the result. */
import { existsSync } from "node:fs"
import { basename } from "node:path"
import { Console, Effect } from "effect"
import { readCommandLine } from "../commandLine.ts"
import { FAILED, quit, UNUSABLE } from "../exit.ts"
import { lockWhole } from "../folder/FolderLock.ts"
import * as Logging from "../observability/logging.ts"
import { logSettings } from "../observability/logSettings.ts"
import { settingsTable } from "../Settings.ts"
import { startSentence } from "../startFailures.ts"
import { SchemaUse } from "../store/schemaVersions.ts"
import * as SqliteFile from "../store/sqlite/SqliteFile.ts"
import { spoolFile } from "../store/sqlite/SqliteSpool.ts"
import { databaseFile } from "../store/sqlite/SqliteStore.ts"
import { compact, plan } from "./compact.ts"

const USAGE = `telemetry compact --data FOLDER: makes files of earlier versions give the space of removed sessions back to the disk

Rewrites the SQLite files in the data folder without what removed sessions left in them. It is needed once: from then on, and in files that
are new, the service does so by itself. Stop the service before. While it lasts it takes up to twice as much of the same disk as the file has in
use; how much that is it says first, and ends with status 1 where there is less. It may be killed at any moment.`

const compactTable = { data: settingsTable.data, ...logSettings } as const

const mebibytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MiB`

/** Succeeds with whether the file was compacted. */
const compactFile = Effect.fnUntraced(
  function* (file: string) {
    const name = basename(file)
    const { bytes, free, inUse, isDone, needed } = yield* plan(file)
    if (isDone) {
      yield* Console.log(`${name}: ${mebibytes(bytes)}; it gives space back by itself, and has none to give`)
      return true
    }
    const has = `${name}: ${mebibytes(bytes)}, of which ${mebibytes(inUse)} are in use`
    const takes = `it takes up to ${mebibytes(needed)} more while it lasts, and the disk has ${mebibytes(free)}`
    yield* Console.log(`${has}; ${takes}`)
    if (free < needed) return false
    yield* Console.log(`${name}: ${mebibytes(yield* compact(file))} now`)
    return true
  },
  (effect, file) =>
    effect.pipe(Effect.provide(SqliteFile.layer(file)), Effect.provideService(SchemaUse, "read"))
)

/** The program, from the words behind `compact`. Standard output is for the result. */
export const compaction = (argv: ReadonlyArray<string>) =>
  Effect.flatMap(readCommandLine(USAGE, compactTable, argv, process.env), ({ data, logFormat, logLevel }) =>
    Effect.gen(function* () {
      const files = [databaseFile(data), spoolFile(data)].filter((file) => existsSync(file))
      if (files.length === 0) return yield* quit(UNUSABLE, `There is no store in ${data}`)
      // Set before SQLite opens its first file: its default may be a small disk in memory.
      process.env["SQLITE_TMPDIR"] ??= data
      yield* lockWhole(data)
      const done = yield* Effect.forEach(files, compactFile)
      if (done.includes(false))
        yield* quit(FAILED, "There is not enough room on the disk; nothing was changed in such a file")
    }).pipe(
      Effect.scoped,
      Effect.catchAll((failure) => quit(FAILED, startSentence(failure))),
      Effect.provide(Logging.layer(logLevel, logFormat))
    )
  )
