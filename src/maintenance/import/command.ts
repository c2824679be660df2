/** `telemetry import`: the command line, and a line for each file. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import { Clock, Console, Duration, Effect, Either, Layer } from "effect"
import { lockWhole } from "../../app/folder/FolderLock.ts"
import { settingsTable } from "../../app/Settings.ts"
import { startSentence } from "../../app/startFailures.ts"
import type { FileImport } from "../../domain/FileImport.ts"
import { importFile } from "../../imports/importFile.ts"
import * as ImportLane from "../../imports/importLane.ts"
import { removeBroken } from "../../imports/removeBroken.ts"
import { isTimeZone } from "../../imports/tables/localTime.ts"
import { UploadFolder } from "../../imports/uploads/UploadFolder.ts"
import * as Logging from "../../observability/logging.ts"
import { logSettings } from "../../observability/logSettings.ts"
import { BadUsage, readCommandLine, type SettingValues, text, toggle } from "../../platform/commandLine.ts"
import { FAILED, quit } from "../../platform/exit.ts"
import { reasonOf } from "../../platform/systemErrors.ts"
import { recover } from "../../recording/intake/recovery.ts"
import { SessionEndings } from "../../recording/intake/SessionEndings.ts"
import { FileImports } from "../../store/FileImports.ts"
import * as SqliteStore from "../../store/sqlite/SqliteStore.ts"
import { digestOf, filesAt, type FoundFile } from "./files.ts"

const USAGE = `telemetry import FLAGS PATH...: imports recordings and files of other programs into the data folder

A PATH is a file, or a folder, of which the files with known endings are imported, oldest first. The format is recognised by the
content. A file that was imported before is left out, so the command may run again. Stop the service first. The exit status is 0
if all files were imported, 1 if some were refused.`

const name = (what: string) => ({
  value: "NAME",
  help: `${what} of files that name none`,
  read: text,
  fallback: ""
})

/** A flag that is not given. */
const NOTHING = " - "
const optionalText = { read: (given: string) => text(given === "" ? NOTHING : given) }

const importTable = {
  data: settingsTable.data,
  recursive: { help: "Also the folders in a folder", read: toggle, fallback: "false" },
  circuit: { ...name("Circuit"), ...optionalText },
  vehicle: { ...name("Vehicle"), ...optionalText },
  driver: { ...name("Driver"), ...optionalText },
  timeZone: {
    value: "ZONE",
    help: "Zone of local times, such as Europe/Berlin; by default this machine's",
    read: (given: string) =>
      given === "" || isTimeZone(given)
        ? Either.right(given === "" ? NOTHING : given)
        : Either.left("the name of a time zone, such as Europe/Berlin"),
    fallback: ""
  },
  again: { help: "Also files that were imported before", read: toggle, fallback: "false" },
  ...logSettings
} as const

type Settings = SettingValues<typeof importTable>

const given = (value: string) => (value === NOTHING ? undefined : value)

const plural = (count: number, thing: string) => `${count} ${thing}${count === 1 ? "" : "s"}`

/** The line about an import that was finished. */
const lineOf = ({ detail, laps, sessions, state, warnings }: FileImport, seconds: number): string => {
  if (state === "failed" || state === "cancelled") return `refused: ${detail}`
  const what = `${plural(sessions.length, "session")}, ${plural(laps, "lap")}, ${seconds.toFixed(1)} s`
  const warned = warnings.length === 0 ? "" : ` (${plural(warnings.length, "warning")})`
  return state === "partial" ? `partial: ${what}; ${detail}${warned}` : `ok: ${what}${warned}`
}

const unreadablePath = (error: NodeJS.ErrnoException): string =>
  error.code === "ENOENT"
    ? `There is no file or folder ${error.path}`
    : `${error.path} cannot be read: ${reasonOf(error)}`

/** Imports one file. Succeeds with whether it was not refused. */
const importOne = Effect.fnUntraced(function* (file: FoundFile, settings: Settings) {
  const imports = yield* FileImports
  const sha256 = yield* digestOf(file.path)
  const known = yield* imports.importOf(sha256)
  if (known._tag === "Some" && !settings.again) {
    yield* Console.log(`${file.path}: same as import ${known.value.id}`)
    return true
  }
  const options = {
    circuit: given(settings.circuit),
    vehicle: given(settings.vehicle),
    driver: given(settings.driver),
    timeZone: given(settings.timeZone)
  }
  const added = yield* imports.addImport({
    name: file.name,
    sha256,
    size: file.size,
    state: "queued",
    options
  })
  const [took, done] = yield* Effect.timed(importFile({ ...file, id: added.id, options }))
  yield* Console.log(`${file.path}: ${lineOf(done, Duration.toSeconds(took))}`)
  for (const warning of done.warnings) yield* Console.log(`  ${warning}`)
  return done.state === "done" || done.state === "partial"
})

const imported = Effect.fnUntraced(function* (settings: Settings, paths: ReadonlyArray<string>) {
  if (paths.length === 0) return yield* new BadUsage({ sentence: "Name the files or folders to import" })
  const now = (yield* Clock.currentTimeMillis) / 1000
  const { files, left } = yield* Effect.try({
    try: () => filesAt(paths, settings.recursive, now),
    catch: (error) => new BadUsage({ sentence: unreadablePath(error as NodeJS.ErrnoException) })
  })
  for (const sentence of left) yield* Console.log(sentence)
  yield* lockWhole(settings.data)
  const stores = SqliteStore.layer(settings.data)
  const lane = ImportLane.layer.pipe(Layer.provide(SessionEndings.ignored), Layer.provideMerge(stores))
  const refused = yield* Effect.gen(function* () {
    yield* recover
    // Files that the service has not read yet wait for its next start.
    yield* removeBroken((yield* UploadFolder).has)
    let refused = 0
    for (const file of files) if (!(yield* importOne(file, settings))) refused++
    return refused
  }).pipe(Effect.provide([lane, UploadFolder.layer(settings.data, { keeps: false, max: 0 })]))
  yield* Console.log(`${plural(files.length, "file")}, ${refused} refused`)
  if (refused > 0) return yield* quit(FAILED, "")
})

/** The program, from the arguments after `import`. Standard output is for the result. */
export const importing = (argv: ReadonlyArray<string>) => {
  const paths: Array<string> = []
  return Effect.flatMap(readCommandLine(USAGE, importTable, argv, process.env, paths), (settings) =>
    imported(settings, paths).pipe(
      Effect.scoped,
      Effect.provide(NodeContext.layer),
      Effect.catchTags({
        // Not before this command has ended: nothing else may use the folder.
        ImportNotFound: Effect.die,
        SessionBeingRecorded: Effect.die,
        FileUnreadable: ({ cause, path }) => quit(FAILED, `${path} cannot be read: ${reasonOf(cause)}`)
      }),
      Effect.catchAll((failure) =>
        failure._tag === "BadUsage" ? Effect.fail(failure) : quit(FAILED, startSentence(failure))
      ),
      Effect.provide(Logging.layer(settings.logLevel, settings.logFormat))
    )
  )
}
