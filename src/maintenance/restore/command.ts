/** `telemetry restore`: the command line, and the sentences about the result. */
import { existsSync } from "node:fs"
import { Console, Effect } from "effect"
import { BadUsage, readCommandLine } from "../../platform/commandLine.ts"
import { FAILED, quit, UNUSABLE } from "../../platform/exit.ts"
import { lockUnread } from "../../app/folder/FolderLock.ts"
import { noteDatabases } from "../../app/folder/nodeFile.ts"
import * as Logging from "../../observability/logging.ts"
import { logSettings } from "../../observability/logSettings.ts"
import { settingsTable } from "../../app/Settings.ts"
import { startSentence } from "../../app/startFailures.ts"
import { databaseFile } from "../../store/sqlite/SqliteStore.ts"
import { restore } from "./restore.ts"

const USAGE = `telemetry restore BACKUP --data FOLDER: replaces the folder's telemetry.sqlite with a backup

BACKUP is a file made by ".backup" of sqlite3, or telemetry.sqlite with its -wal. The command checks the backup and copies it; the
backup itself does not change. The replaced database stays in the folder under another name. Stop the service first. If points
are in QuestDB, run telemetry adopt afterwards: QuestDB has the points that were recorded since the backup.`

const restoreTable = { data: settingsTable.data, ...logSettings } as const

const restored = Effect.fnUntraced(function* (backup: string, data: string) {
  if (!existsSync(backup)) return yield* quit(UNUSABLE, `There is no ${backup}`)
  const folder = yield* lockUnread(data)
  const file = databaseFile(folder)
  const before = yield* restore(backup, file, new Date())
  yield* noteDatabases(folder, {})
  yield* Console.log(
    `${file} is now a copy of ${backup}${before === undefined ? "" : `; the replaced database is ${before}`}`
  )
})

/** The program, from the arguments after `restore`. Standard output is for the result. */
export const restoring = (argv: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const [backup, ...others] = argv
    const isNamed = backup !== undefined && !backup.startsWith("-")
    const { data, logFormat, logLevel } = yield* readCommandLine(
      USAGE,
      restoreTable,
      isNamed ? others : argv,
      process.env
    )
    if (!isNamed)
      return yield* new BadUsage({ sentence: "Which backup? telemetry restore BACKUP --data FOLDER" })
    yield* restored(backup, data).pipe(
      Effect.scoped,
      Effect.catchTag("BackupUnusable", ({ why }) =>
        quit(FAILED, `Cannot restore ${backup}: ${why}. Nothing was changed`)
      ),
      Effect.catchAll((failure) => quit(FAILED, startSentence(failure))),
      Effect.provide(Logging.layer(logLevel, logFormat))
    )
  })
