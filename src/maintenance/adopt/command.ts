/** `telemetry adopt`: the command line, and the sentences about the result. */
import { existsSync } from "node:fs"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { Console, Effect, Layer } from "effect"
import { BadUsage, readCommandLine, text, type SettingValues } from "../../platform/commandLine.ts"
import type { SessionIdsGiven } from "../../domain/errors.ts"
import { FAILED, quit, UNUSABLE } from "../../platform/exit.ts"
import { lockWhole } from "../../app/folder/FolderLock.ts"
import * as Logging from "../../observability/logging.ts"
import { logSettings } from "../../observability/logSettings.ts"
import { settingsTable } from "../../app/Settings.ts"
import { startSentence } from "../../app/startFailures.ts"
import { chosenStores } from "../../store/chosenStores.ts"
import { Nodes } from "../../store/Nodes.ts"
import { named } from "../../store/ownership.ts"
import * as PostgresCatalog from "../../store/postgres/PostgresCatalog.ts"
import * as QuestdbStore from "../../store/questdb/QuestdbStore.ts"
import { databaseFile } from "../../store/sqlite/SqliteStore.ts"
import { Tabulated } from "../../store/questdb/tabulated.ts"
import { adopt, type Adopted, type AdoptOutcome } from "./adopt.ts"

const USAGE = `telemetry adopt FLAGS: rebuilds sessions from their points, in a catalog that does not know them

For points whose own catalog is lost: names and laps come from QuestDB's tables of sessions and laps, where they are, else a
session has its points and no laps. The points are this catalog's then. Stop the service before.
With --node it does one thing only: it gives up a node that does not come back, whose sessions the next start of a service ends.`

const NO_NODE = "none"

const adoptTable = {
  data: settingsTable.data,
  points: settingsTable.points,
  catalog: settingsTable.catalog,
  node: { value: "ID", help: "A node that does not come back", read: text, fallback: NO_NODE },
  ...logSettings
} as const

const plural = (count: number, thing: string) => `${count} ${thing}${count === 1 ? "" : "s"}`

const tell = ({ isTabulated, points, record, samples }: Adopted) => {
  const { circuit, driver, id, laps, vehicle } = record
  const what = isTabulated ? `${circuit}, ${vehicle}, ${driver}` : "nothing but its points is known of it"
  return Console.log(
    `Session ${id}: ${what}; ${plural(laps.length, "lap")}, ${plural(points, "point")}${samples === 0 ? "" : `, ${plural(samples, "sample")}`}`
  )
}

const tellAll = Effect.fnUntraced(function* ({ adopted, leftAlone, wasOwner }: AdoptOutcome) {
  if (leftAlone.length > 0) {
    yield* Console.log(
      `Left alone, because this catalog gave their ids to sessions that it has no more: points of ${named(leftAlone)}`
    )
  }
  const sessions =
    adopted.length === 0 ? "No session had to be adopted" : `Adopted ${plural(adopted.length, "session")}`
  yield* Console.log(
    `${sessions}; the points ${wasOwner ? "were this catalog's already" : "are this catalog's now"}`
  )
})

const adopted = Effect.fnUntraced(function* (settings: SettingValues<typeof adoptTable>) {
  const { catalog, data, node, points } = settings
  if (node !== NO_NODE) {
    if (catalog === "sqlite") {
      return yield* new BadUsage({ sentence: "--node needs a --catalog that several nodes share" })
    }
    const nodes = yield* Layer.build(PostgresCatalog.layer(catalog))
    const sessions = yield* Effect.provide(
      Effect.flatMap(Nodes, ({ giveUp }) => giveUp(node)),
      nodes
    )
    return yield* Console.log(
      sessions.length === 0
        ? `No session is being recorded by node ${node}`
        : `Sessions ${sessions.join(", ")} are ended when a service starts next`
    )
  }
  // Nothing is made of a folder whose name was mistyped. With points elsewhere, its catalog may be new.
  if (points === "sqlite" && !existsSync(databaseFile(data))) {
    return yield* quit(UNUSABLE, `There is no store in ${data}`)
  }
  yield* lockWhole(data)
  const stores = chosenStores(settings, {
    catalog: PostgresCatalog.layer,
    points: (address) => QuestdbStore.layer(data, address, { writes: false })
  })
  const tabulated = points === "sqlite" ? Tabulated.none : Tabulated.layer(points)
  const outcome = yield* Effect.provide(adopt(tell), yield* Layer.build(Layer.merge(stores, tabulated)))
  yield* tellAll(outcome)
})

const taken = ({ sessionIds }: SessionIdsGiven) =>
  `The catalog has given ids of these points to sessions of its own (${named(sessionIds)}), and they would be mixed: adopt them into a new catalog`

/** The program, from the words behind `adopt`. Standard output is for the result. */
export const adoption = (argv: ReadonlyArray<string>) =>
  Effect.flatMap(readCommandLine(USAGE, adoptTable, argv, process.env), (settings) =>
    adopted(settings).pipe(
      Effect.scoped,
      Effect.provide(NodeContext.layer),
      Effect.catchTags({
        SessionIdsGiven: (error) => quit(FAILED, taken(error)),
        NodeInUse: ({ described, node, seconds }) =>
          quit(FAILED, `Node ${node} is ${described}, whose lease lives for ${seconds} s: it has not ended`)
      }),
      Effect.catchAll((failure) =>
        failure._tag === "BadUsage" ? Effect.fail(failure) : quit(FAILED, startSentence(failure))
      ),
      Effect.provide(Logging.layer(settings.logLevel, settings.logFormat))
    )
  )
