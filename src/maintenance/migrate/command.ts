/** `telemetry migrate --from PLACE --to PLACE`: the command line, the progress, and the sentences about the result. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import { Array, Cause, Console, Effect, Either, Layer, Predicate } from "effect"
import { BadUsage, readCommandLine } from "../../platform/commandLine.ts"
import { POINTS } from "../../domain/Dictionary.ts"
import { FAILED, quit, UNUSABLE } from "../../platform/exit.ts"
import { lockWhole } from "../../app/folder/FolderLock.ts"
import * as Logging from "../../observability/logging.ts"
import { logSettings } from "../../observability/logSettings.ts"
import { startSentence } from "../../app/startFailures.ts"
import type { StoresWanted } from "../../store/chosenStores.ts"
import { tabulate } from "../../store/questdb/AnalystTables.ts"
import { reasonOf } from "../../platform/systemErrors.ts"
import { migrate, type Mismatch, type Moved, type Outcome } from "./migrate.ts"
import {
  changedFolders,
  missingFile,
  PLACE_FORM,
  readPlace,
  sameCatalog,
  samePoints,
  sourceStores,
  targetStores
} from "./Place.ts"
import { bar, line, type Progress } from "./progress.ts"
import type { Stores } from "./Stores.ts"

const USAGE = `telemetry migrate --from PLACE --to PLACE: copies sessions, laps, points, samples and the configuration between stores

A PLACE is ${PLACE_FORM}. data, points and catalog
are the service's settings of these names, with the service's defaults. The command removes nothing. If it is interrupted, run
it again: it continues. It compares all points and samples of each session on both sides, bit by bit.`

const missing = (given: string): Either.Either<StoresWanted, string> =>
  given === "" ? Either.left(`given: ${PLACE_FORM}`) : readPlace(given)

const settingsTable = {
  from: { value: "PLACE", help: "Place to copy from", read: missing, fallback: "", secret: true },
  to: { value: "PLACE", help: "Place to copy to", read: missing, fallback: "", secret: true },
  ...logSettings
} as const

const TERMINAL_MS = 100
const LOG_MS = 5000

/** Reports the progress, no more often than a person can read. */
const reporter = () => {
  const { stderr } = process
  const terminal = stderr.isTTY
  let next = 0
  return (progress: Progress): void => {
    const finished = progress.sessionsDone === progress.sessions
    const now = performance.now()
    if (now < next && !finished) return
    next = now + (terminal ? TERMINAL_MS : LOG_MS)
    stderr.write(terminal ? `${bar(progress)}${finished ? "\n" : ""}` : `${line(progress)}\n`)
  }
}

const sum = ({ digest, rows }: Mismatch["source"], group: string) =>
  `${rows} ${group === POINTS ? "points" : `samples of ${group}`}, checksum ${digest.slice(0, 12)}`

const moves = ({ all, copied }: Moved, what: string) => `${all} ${what}, ${copied} of them copied now`

const configurations = {
  same: "The configuration is the same on both sides",
  other: "The target has a different configuration, and keeps it"
}

const printOutcome = Effect.fnUntraced(function* (outcome: Outcome) {
  const { configuration, ownerChanged, leftOut, mismatches, points, renumbered, samples, sessions } = outcome
  for (const { group, sessionId, source, target, targetId } of mismatches) {
    yield* Console.error(
      `Session ${sessionId} differs in the target, where it is ${targetId}: ${sum(source, group)}; in the target ${sum(target, group)}`
    )
  }
  if (leftOut.length > 0) {
    yield* Console.error(
      `Not copied, because they are being recorded, or were when the service was killed (start the service once to end them): ${leftOut.join(", ")}`
    )
  }
  if (configuration !== "none") yield* Console.log(configurations[configuration])
  for (const [here, there] of renumbered) yield* Console.log(`Session ${here} is ${there} in the target`)
  const good = sessions - new Set(mismatches.map(({ sessionId }) => sessionId)).size
  const ofGroups = samples.all === 0 ? "" : `; ${moves(samples, "samples of channel groups")}`
  yield* Console.log(
    `${good} of ${sessions} sessions are the same on both sides; ${moves(points, "points")}${ofGroups}`
  )
  if (ownerChanged)
    yield* Console.log(
      "The points now belong to the target's catalog: services with the source's catalog refuse them"
    )
  if (mismatches.length + leftOut.length > 0) process.exitCode = FAILED
})

/**
 * Writes the tables that analysts join with the points, if these go to a QuestDB. The service later adds rows that
 * could not be written here.
 */
const tabulated = ({ points }: StoresWanted, to: Stores) => {
  if (points === "sqlite") return () => Effect.void
  const write = tabulate(points)
  return (sessionId: number) =>
    write(sessionId).pipe(
      Effect.provide(to),
      Effect.catchAll(({ cause }) =>
        Effect.logWarning(
          `QuestDB's tables of sessions and laps lack session ${sessionId}`,
          Cause.fail(cause)
        )
      )
    )
}

interface Places {
  readonly from: StoresWanted
  readonly to: StoresWanted
}

const moved = Effect.fnUntraced(function* (places: Places) {
  const oneCatalog = sameCatalog(places.from, places.to)
  const onePoints = samePoints(places.from, places.to)
  if (oneCatalog && onePoints) return yield* new BadUsage({ sentence: "--from and --to are the same place" })
  const missing = missingFile(places.from)
  if (missing !== undefined) return yield* new BadUsage({ sentence: `--from: there is no ${missing}` })
  // A lock creates its folder, so the target's is locked only when there is something to copy.
  const [left, written] = Array.partition(changedFolders(places), (folder) => folder !== places.from.data)
  yield* Effect.forEach(left, lockWhole)
  const from: Stores = yield* Layer.build(sourceStores(places.from))
  yield* Effect.forEach(written, lockWhole)
  const to: Stores = yield* Layer.build(targetStores(places.to))
  const outcome = yield* migrate({
    from,
    to,
    oneCatalog,
    onePoints,
    report: reporter(),
    completed: tabulated(places.to, to)
  })
  yield* printOutcome(outcome)
})

/** The program, from the arguments after `migrate`. Standard output is for the result. */
export const migration = (argv: ReadonlyArray<string>) =>
  Effect.flatMap(readCommandLine(USAGE, settingsTable, argv, process.env), (settings) =>
    moved(settings).pipe(
      Effect.scoped,
      Effect.provide(NodeContext.layer),
      Effect.onInterrupt(() => Console.error("\nStopped. Run the same command again to continue.")),
      Effect.catchTags({
        CopiedCatalog: () =>
          quit(
            UNUSABLE,
            "The target's catalog is a copy of the source's, so sessions that were added since cannot be distinguished"
          ),
        IdsTaken: ({ sessionIds }) =>
          quit(
            UNUSABLE,
            `The points stay in their store, but the target's catalog has other sessions with the ids ${sessionIds.join(", ")}`
          ),
        StoreUnavailable: ({ cause, reason = reasonOf(cause), store }) =>
          quit(
            FAILED,
            Predicate.isTagged(cause, "NotForUs")
              ? `Cannot use the ${store} store: ${reason}`
              : `The ${store} store does not answer: ${reason}. Run the same command again to continue.`
          )
      }),
      Effect.catchAll((failure) =>
        failure._tag === "BadUsage" ? Effect.fail(failure) : quit(FAILED, startSentence(failure))
      ),
      Effect.provide(Logging.layer(settings.logLevel, settings.logFormat))
    )
  )
