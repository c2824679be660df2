/** `telemetry verify`: the command line, and the sentences about the result. */
import { existsSync } from "node:fs"
import { basename } from "node:path"
import { Console, Effect } from "effect"
import { readCommandLine, toggle } from "../../platform/commandLine.ts"
import { FAILED, quit, UNUSABLE } from "../../platform/exit.ts"
import { checkLogs } from "../../app/folder/databaseLogs.ts"
import * as Logging from "../../observability/logging.ts"
import { logSettings } from "../../observability/logSettings.ts"
import { settingsTable } from "../../app/Settings.ts"
import { channelsSentence, damageSentence, startSentence } from "../../app/startFailures.ts"
import { SchemaUse } from "../../store/sql/schemaVersions.ts"
import * as SqliteFile from "../../store/sqlite/SqliteFile.ts"
import { spoolFile } from "../../store/sqlite/SqliteSpool.ts"
import { databaseFile } from "../../store/sqlite/SqliteStore.ts"
import { quickCheck, type Verified, verify } from "./verify.ts"

const USAGE = `telemetry verify --data FOLDER: reads all points and samples in the data folder, and lists those that are damaged

The command compares each block of points and samples, and each session's dictionary of channels, with its checksum, and runs
SQLite's own check of the file. It changes nothing, and the service may run meanwhile. The exit status is 0 if nothing is
damaged, else 1.`

const verifyTable = {
  data: settingsTable.data,
  quick: { help: "Run only SQLite's own quick check of its pages", read: toggle, fallback: "false" },
  ...logSettings
} as const

const summary = (
  name: string,
  { blocks, damaged, damagedChannels, dictionaries, points, samples, structure }: Verified
): string => {
  const others = samples === 0 ? "" : ` and ${samples} samples of groups`
  const channels = dictionaries === 0 ? "" : `, and ${dictionaries} dictionaries of channels`
  const bad = damaged.length + structure.length + damagedChannels.length
  const findings = [
    `${damaged.length} blocks`,
    ...(damagedChannels.length === 0 ? [] : [`the channels of ${damagedChannels.length} sessions`]),
    `${structure.length} findings of SQLite`
  ]
  return `${name}: ${points} points${others} in ${blocks} blocks${channels}; ${bad === 0 ? "nothing is damaged" : `damaged: ${findings.join(", ")}`}`
}

/** Succeeds with whether SQLite finds no fault in its pages. */
const verifyPages = Effect.fnUntraced(function* (file: string) {
  const name = basename(file)
  const found = yield* quickCheck.pipe(
    Effect.provide(SqliteFile.layer(file)),
    Effect.provideService(SchemaUse, "read")
  )
  for (const finding of found) yield* Console.log(`SQLite of ${name}: ${finding}`)
  return found.length === 0
})

const verifyFile = Effect.fnUntraced(function* (file: string) {
  const name = basename(file)
  const verified = yield* verify(name).pipe(
    Effect.provide(SqliteFile.layer(file)),
    Effect.provideService(SchemaUse, "read")
  )
  for (const finding of verified.structure) yield* Console.log(`SQLite of ${name}: ${finding}`)
  for (const block of verified.damaged) yield* Console.log(damageSentence(block))
  for (const sessionId of verified.damagedChannels) yield* Console.log(channelsSentence({ sessionId }))
  yield* Console.log(summary(name, verified))
  return verified.damaged.length + verified.structure.length + verified.damagedChannels.length === 0
})

/** The program, from the arguments after `verify`. Standard output is for the result. */
export const verification = (argv: ReadonlyArray<string>) =>
  Effect.flatMap(
    readCommandLine(USAGE, verifyTable, argv, process.env),
    ({ data, logFormat, logLevel, quick }) =>
      Effect.gen(function* () {
        const files = [databaseFile(data), spoolFile(data)].filter((file) => existsSync(file))
        if (files.length === 0) return yield* quit(UNUSABLE, `There is no store in ${data}`)
        yield* checkLogs(data)
        const whole = yield* Effect.forEach(files, quick ? verifyPages : verifyFile)
        if (whole.includes(false)) yield* quit(FAILED, "Something is damaged")
      }).pipe(
        Effect.catchAll((failure) => quit(FAILED, startSentence(failure))),
        Effect.provide(Logging.layer(logLevel, logFormat))
      )
  )
