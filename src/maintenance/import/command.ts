/** `telemetry import`: the command line, and the way of each file. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import { Array, Clock, Console, Effect, Either, Redacted } from "effect"
import { settingsTable } from "../../app/Settings.ts"
import { startSentence } from "../../app/startFailures.ts"
import { cutAnew } from "../../imports/cutAnew.ts"
import { importFile } from "../../imports/importFile.ts"
import { lapsNotCut } from "../../imports/lapsNotCut.ts"
import { isTimeZone } from "../../imports/tables/localTime.ts"
import * as Logging from "../../observability/logging.ts"
import { logSettings } from "../../observability/logSettings.ts"
import { BadUsage, readCommandLine, type SettingValues, text, toggle } from "../../platform/commandLine.ts"
import { readHttpAddressOr } from "../../platform/addresses/http.ts"
import { FAILED, quit } from "../../platform/exit.ts"
import { reasonOf } from "../../platform/systemErrors.ts"
import { SessionEndings } from "../../recording/intake/SessionEndings.ts"
import { FileImports } from "../../store/FileImports.ts"
import { answersAt, HERE, ServiceAway, type Target } from "../service.ts"
import { digestOf, filesAt, type FoundFile } from "./files.ts"
import { intoFolder } from "./intoFolder.ts"
import { cutLine, goesWithLog, isLdx, logOf, MAX_IMPORTS, noLog } from "./laterLaps.ts"
import { plural } from "./plural.ts"
import { report, sayKnown, sayRefused } from "./report.ts"

const USAGE = `telemetry import FLAGS PATH...: imports recordings and files of other programs

A PATH is a file, or a folder, of which the files with known endings are imported, oldest first. The format is recognised by the
content. A file that was imported before is left out, so the command may run again. Files are sent to the service that runs on
this machine; without one, or with --data, they go into the data folder, which no service may have open. An .ldx file without its
.ld cuts the laps of the newest import of that log anew. The exit status is 0 if all files were imported, 1 if some were refused.`

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
  service: {
    value: "URL",
    help: `Service to send the files to; auto is ${HERE} if it answers, none the data folder`,
    read: (given: string) => (given === "none" ? Either.right(given) : readHttpAddressOr("auto")(given)),
    fallback: "auto"
  },
  token: { ...settingsTable.token, help: "Access token of that service" },
  data: { ...settingsTable.data, ...optionalText, fallback: "" },
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
  dryRun: { help: "Say what the files hold, and store nothing", read: toggle, fallback: "false" },
  again: { help: "Also files that were imported before", read: toggle, fallback: "false" },
  ...logSettings
} as const

type Settings = SettingValues<typeof importTable>

const given = (value: string) => (value === NOTHING ? undefined : value)

const unreadablePath = (error: NodeJS.ErrnoException): string =>
  error.code === "ENOENT"
    ? `There is no file or folder ${error.path}`
    : `${error.path} cannot be read: ${reasonOf(error)}`

const hereZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

const optionsOf = (settings: Settings) => ({
  circuit: given(settings.circuit),
  vehicle: given(settings.vehicle),
  driver: given(settings.driver),
  timeZone: given(settings.timeZone)
})

/** Cuts the laps of a log that was imported before. Succeeds with whether the file was not refused. */
const cutOne = Effect.fnUntraced(function* (file: FoundFile) {
  const { items } = yield* (yield* FileImports).fileImports({ limit: MAX_IMPORTS, offset: 0 })
  const log = logOf(items, file)
  if (log === undefined) return yield* sayRefused(file, noLog(file))
  return yield* cutAnew(log.id, file.path).pipe(
    Effect.flatMap((cut) => Effect.as(Console.log(cutLine(file, cut)), true)),
    Effect.catchTag("LapsNotCut", (failure) => sayRefused(file, lapsNotCut(failure))),
    Effect.provide(SessionEndings.ignored)
  )
})

/** Imports one file. Succeeds with whether it was not refused. */
const importOne = Effect.fnUntraced(function* (file: FoundFile, settings: Settings) {
  if (isLdx(file)) return yield* cutOne(file)
  const imports = yield* FileImports
  const sha256 = yield* digestOf(file.path)
  const known = yield* imports.importOf(sha256)
  if (known._tag === "Some" && !settings.again) {
    yield* sayKnown(file, known.value.id)
    return true
  }
  const options = optionsOf(settings)
  const added = yield* imports.addImport({
    name: file.name,
    sha256,
    size: file.size,
    state: "queued",
    options
  })
  const [took, done] = yield* Effect.timed(importFile({ ...file, id: added.id, options }))
  return yield* report(file, done, took)
})

/** Files that are sent at a time: one arrives while the one before is read. */
const SENT_AT_ONCE = 2

/** Sends the files to a service. Succeeds with the number of those that were refused. */
const sent = Effect.fnUntraced(function* (
  target: Target,
  files: ReadonlyArray<FoundFile>,
  settings: Settings
) {
  const { timeZone = hereZone(), ...names } = optionsOf(settings)
  const options = { ...names, time_zone: timeZone, again: settings.again ? "1" : undefined }
  const { cutBy, sendTo } = yield* Effect.promise(() => import("./toService.ts"))
  const sendOne = (file: FoundFile) =>
    (isLdx(file)
      ? Effect.flatMap(cutBy(target, file), (cut) => Effect.as(Console.log(cutLine(file, cut)), true))
      : Effect.flatMap(Effect.timed(sendTo(target, file, options)), ([took, { done, isSame }]) =>
          isSame ? Effect.as(sayKnown(file, done.id), true) : report(file, done, took)
        )
    ).pipe(
      Effect.catchTag("ServiceRefused", (refused) =>
        refused.isFinal ? refused : sayRefused(file, refused.sentence)
      )
    )
  const taken = yield* Effect.forEach(files, sendOne, { concurrency: SENT_AT_ONCE })
  return taken.filter((isTaken) => !isTaken).length
})

/** The service that is to have the files; undefined for the data folder. */
const targetOf = Effect.fnUntraced(function* ({ data, service, token }: Settings) {
  if (service === "none" || (service === "auto" && given(data) !== undefined)) return undefined
  const url = service === "auto" ? HERE : service.replace(/\/+$/, "")
  if (yield* answersAt(url)) return { url, token: token === "none" ? undefined : Redacted.value(token) }
  return service === "auto" ? undefined : yield* new ServiceAway({ url })
})

const dataOf = (settings: Settings) => given(settings.data) ?? settingsTable.data.fallback

/** Imports the files into the data folder. Succeeds with the number of those that were refused. */
const stored = Effect.fnUntraced(function* (files: ReadonlyArray<FoundFile>, settings: Settings) {
  const taken = yield* intoFolder(
    dataOf(settings),
    Effect.forEach(files, (file) => importOne(file, settings))
  )
  return taken.filter((isTaken) => !isTaken).length
})

/** Says what the files hold. Succeeds with the number of those that an import would refuse. */
const looked = Effect.fnUntraced(function* (files: ReadonlyArray<FoundFile>, settings: Settings) {
  const { look } = yield* Effect.promise(() => import("./dryRun.ts"))
  const { knownIn, knownTo } = yield* Effect.promise(() => import("./knownImports.ts"))
  const target = yield* targetOf(settings)
  const knownOf =
    target === undefined ? yield* knownIn(dataOf(settings)) : (sha256: string) => knownTo(target, sha256)
  const options = { ...optionsOf(settings), timeZone: optionsOf(settings).timeZone ?? hereZone() }
  const wanted = yield* Effect.forEach(
    files,
    Effect.fnUntraced(function* (file) {
      if (isLdx(file)) {
        yield* Console.log(`${file.path}: beacons, which cut the laps of the import of its log anew`)
        return true
      }
      const known = settings.again ? undefined : yield* knownOf(yield* digestOf(file.path))
      if (known === undefined) return yield* look(file, options)
      yield* sayKnown(file, known)
      return true
    })
  )
  return wanted.filter((isWanted) => !isWanted).length
})

/** Succeeds with the number of files that were refused. */
const taken = Effect.fnUntraced(function* (files: ReadonlyArray<FoundFile>, settings: Settings) {
  const target = yield* targetOf(settings)
  return yield* target === undefined ? stored(files, settings) : sent(target, files, settings)
})

const imported = Effect.fnUntraced(function* (settings: Settings, paths: ReadonlyArray<string>) {
  if (paths.length === 0) return yield* new BadUsage({ sentence: "Name the files or folders to import" })
  const now = (yield* Clock.currentTimeMillis) / 1000
  const { files: named, left } = yield* Effect.try({
    try: () => filesAt(paths, settings.recursive, now),
    catch: (error) => new BadUsage({ sentence: unreadablePath(error as NodeJS.ErrnoException) })
  })
  for (const sentence of left) yield* Console.log(sentence)
  const [together, files] = Array.partition(named, (file) => !goesWithLog(file, named))
  for (const { path } of together)
    yield* Console.log(`${path}: is read with its log; give it alone if that was imported before`)
  const refused = yield* settings.dryRun ? looked(files, settings) : taken(files, settings)
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
        ServiceAway: ({ url }) => quit(FAILED, `No telemetry service answers at ${url}`),
        ServiceRefused: ({ sentence }) => quit(FAILED, sentence),
        FileUnreadable: ({ cause, path }) => quit(FAILED, `${path} cannot be read: ${reasonOf(cause)}`)
      }),
      Effect.catchAll((failure) =>
        failure._tag === "BadUsage" ? Effect.fail(failure) : quit(FAILED, startSentence(failure))
      ),
      Effect.provide(Logging.layer(settings.logLevel, settings.logFormat))
    )
  )
}
