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

const USAGE = `telemetry adopt FLAGS: rebuilds sessions from their points, in a catalog that lacks these sessions

Use it for points whose catalog is lost. Names and laps come from QuestDB's tables of sessions and laps; without these tables,
a session has its points but no laps. Afterwards the points belong to this catalog. Stop the service first.
With --node, the command only gives up a node that does not come back; the next start of a service ends that node's sessions.`

const NO_NODE = "none"

const adoptTable = {
  data: settingsTable.data,
  points: settingsTable.points,
  catalog: settingsTable.catalog,
  node: {
    value: "ID",
    help: "Node to give up, because it does not come back",
    read: text,
    fallback: NO_NODE
  },
  ...logSettings
} as const

const plural = (count: number, thing: string) => `${count} ${thing}${count === 1 ? "" : "s"}`

const print = ({ isTabulated, points, record, samples }: Adopted) => {
  const { circuit, driver, id, laps, vehicle } = record
  const what = isTabulated ? `${circuit}, ${vehicle}, ${driver}` : "only its points are known"
  return Console.log(
    `Session ${id}: ${what}; ${plural(laps.length, "lap")}, ${plural(points, "point")}${samples === 0 ? "" : `, ${plural(samples, "sample")}`}`
  )
}

const printAll = Effect.fnUntraced(function* ({ adopted, leftAlone, wasOwner }: AdoptOutcome) {
  if (leftAlone.length > 0) {
    yield* Console.log(
      `Not adopted, because this catalog used their ids for sessions that it no longer has: points of ${named(leftAlone)}`
    )
  }
  const sessions =
    adopted.length === 0 ? "No session had to be adopted" : `Adopted ${plural(adopted.length, "session")}`
  yield* Console.log(
    `${sessions}; the points ${wasOwner ? "already belonged" : "now belong"} to this catalog`
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
        : `The next start of a service ends the sessions ${sessions.join(", ")}`
    )
  }
  // This stops if the folder's name was mistyped. If the points are elsewhere, the folder's catalog may be new.
  if (points === "sqlite" && !existsSync(databaseFile(data))) {
    return yield* quit(UNUSABLE, `There is no store in ${data}`)
  }
  yield* lockWhole(data)
  const stores = chosenStores(settings, {
    catalog: PostgresCatalog.layer,
    points: (address) => QuestdbStore.layer(data, address, { writes: false })
  })
  const tabulated = points === "sqlite" ? Tabulated.none : Tabulated.layer(points)
  const outcome = yield* Effect.provide(adopt(print), yield* Layer.build(Layer.merge(stores, tabulated)))
  yield* printAll(outcome)
})

const taken = ({ sessionIds }: SessionIdsGiven) =>
  `The catalog has other sessions with the ids of these points (${named(sessionIds)}), and would mix them: adopt the points into a new catalog`

/** The program, from the arguments after `adopt`. Standard output is for the result. */
export const adoption = (argv: ReadonlyArray<string>) =>
  Effect.flatMap(readCommandLine(USAGE, adoptTable, argv, process.env), (settings) =>
    adopted(settings).pipe(
      Effect.scoped,
      Effect.provide(NodeContext.layer),
      Effect.catchTags({
        SessionIdsGiven: (error) => quit(FAILED, taken(error)),
        NodeInUse: ({ described, node, seconds }) =>
          quit(
            FAILED,
            `Node ${node} has not ended: it is ${described}, and its lease lasts another ${seconds} s`
          )
      }),
      Effect.catchAll((failure) =>
        failure._tag === "BadUsage" ? Effect.fail(failure) : quit(FAILED, startSentence(failure))
      ),
      Effect.provide(Logging.layer(settings.logLevel, settings.logFormat))
    )
  )
