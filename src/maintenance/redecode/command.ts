/** `telemetry redecode`: makes a session anew from the datagrams that were kept beside it (--keep-raw). */
import { copyFileSync, existsSync, linkSync, statSync } from "node:fs"
import { Console, Effect } from "effect"
import { settingsTable } from "../../app/Settings.ts"
import { startSentence } from "../../app/startFailures.ts"
import type { RecordedLap } from "../../domain/Lap.ts"
import type { Session } from "../../domain/Session.ts"
import { importFile } from "../../imports/importFile.ts"
import { removeSessions } from "../../imports/removeSessions.ts"
import * as Logging from "../../observability/logging.ts"
import { logSettings } from "../../observability/logSettings.ts"
import { intoFolder } from "../import/intoFolder.ts"
import { BadUsage, readCommandLine } from "../../platform/commandLine.ts"
import { FAILED, quit } from "../../platform/exit.ts"
import { rawFileOf } from "../../recording/raw/rawFolder.ts"
import { FileImports } from "../../store/FileImports.ts"
import { Laps } from "../../store/Laps.ts"
import { Marks } from "../../store/Marks.ts"
import { Sessions } from "../../store/Sessions.ts"

const USAGE = `telemetry redecode SESSION --data FOLDER: makes a session anew from the datagrams kept beside it

The datagrams were kept if the service ran with --keep-raw. A newer version of the service may read more of them. The old session
stays; the new one gets its names, tags, notes and pin. Stop the service first.`

const redecodeTable = { data: settingsTable.data, ...logSettings } as const

/** The share of a new session that is within the old one's time, if it is the same drive. */
const MIN_COMMON = 0.5
/** Laps of the old and the new session that begin within this time of each other are the same, s. */
const SAME_LAP_S = 1

const isSameDrive = (old: Session, made: Session): boolean => {
  const begin = Math.max(old.datetime, made.datetime)
  // Durations are whole seconds.
  const end = Math.min(old.datetime + old.duration, made.datetime + made.duration) + 1
  return end - begin >= MIN_COMMON * made.duration
}

/** The old lap that began when the new one did. */
const sameLap = (laps: ReadonlyArray<RecordedLap>, { startTime }: RecordedLap) =>
  laps.find((lap) => Math.abs(lap.startTime - startTime) < SAME_LAP_S)

/** Gives the new session the pin and what users said about the old one and its laps. */
const takeOver = Effect.fnUntraced(function* (old: Session, made: Session) {
  const { lapMark, markLap, markSession, sessionMark } = yield* Marks
  const { laps } = yield* Laps
  if (old.pinned) yield* (yield* Sessions).pinSession(made.id, true)
  yield* markSession(made.id, (yield* sessionMark(old.id)).value)
  const before = yield* laps(old.id)
  for (const lap of yield* laps(made.id)) {
    const same = sameLap(before, lap)
    if (same !== undefined) yield* markLap(lap.id, (yield* lapMark(same.id)).value)
  }
})

/** A second name of the same bytes, where the file system has such; the datagrams go with the last of both sessions. */
const shareFile = (from: string, to: string): void => {
  try {
    linkSync(from, to)
  } catch {
    copyFileSync(from, to)
  }
}

const redecoded = Effect.fnUntraced(function* (data: string, sessionId: number) {
  const { session } = yield* Sessions
  const { addImport } = yield* FileImports
  const old = yield* session(sessionId)
  const path = rawFileOf(data, sessionId)
  if (!existsSync(path)) {
    return yield* quit(FAILED, `Session ${sessionId} has no datagrams: the service kept none (--keep-raw)`)
  }
  const { circuit, driver, vehicle } = old
  const options = { circuit, vehicle, driver }
  const name = `datagrams of session ${sessionId}.ndjson.gz`
  const added = yield* addImport({ name, sha256: null, size: statSync(path).size, state: "queued", options })
  const done = yield* importFile({ id: added.id, name, path, modified: undefined, options })
  const all = yield* Effect.forEach(done.sessions, session)
  const made = all.filter((one) => isSameDrive(old, one))
  // The file begins before the session, and ends after it: the rest is of the sessions beside it.
  yield* removeSessions(all.filter((one) => !made.includes(one)).map(({ id }) => id))
  if (made.length === 0) {
    return yield* quit(
      FAILED,
      `Nothing was made of the datagrams: ${done.detail ?? "no session of its time"}`
    )
  }
  for (const one of made) {
    shareFile(path, rawFileOf(data, one.id))
    yield* takeOver(old, one)
  }
  const ids = made.map(({ id }) => id).join(", ")
  for (const sentence of [...(done.detail === null ? [] : [done.detail]), ...done.warnings]) {
    yield* Console.log(`  ${sentence}`)
  }
  yield* Console.log(
    `Made session ${ids} of the datagrams of session ${sessionId}, which stays: delete the one that you do not want`
  )
})

/** The program, from the arguments after `redecode`. Standard output is for the result. */
export const redecoding = (argv: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const [given, ...others] = argv
    const isNamed = given !== undefined && /^\d{1,15}$/.test(given)
    const { data, logFormat, logLevel } = yield* readCommandLine(
      USAGE,
      redecodeTable,
      isNamed ? others : argv,
      process.env
    )
    if (!isNamed)
      return yield* new BadUsage({ sentence: "Which session? telemetry redecode SESSION --data FOLDER" })
    yield* intoFolder(data, redecoded(data, Number(given))).pipe(
      Effect.scoped,
      Effect.catchTags({
        // Not before this command has ended: nothing else may use the folder.
        ImportNotFound: Effect.die,
        SessionBeingRecorded: Effect.die,
        LapNotFound: Effect.die,
        MarkChanged: Effect.die,
        SessionNotFound: ({ sessionId }) => quit(FAILED, `There is no session ${sessionId}`),
        TooManyMarks: () =>
          quit(FAILED, "The new session is there, but without all marks: there are too many")
      }),
      Effect.catchAll((failure) => quit(FAILED, startSentence(failure))),
      Effect.provide(Logging.layer(logLevel, logFormat))
    )
  })
