/** The recording part: from simulators to the store, with live updates to the relay. */
import { join } from "node:path"
import { Duration, Effect, Layer, Schedule } from "effect"
import { measureEnded } from "../../archive/distances.ts"
import * as Retention from "../../archive/Retention.ts"
import { AutoExport } from "../../formats/AutoExport.ts"
import { Intake } from "../../recording/intake/Intake.ts"
import * as RawDatagrams from "../../recording/raw/RawDatagrams.ts"
import { StoredRows } from "../../recording/intake/StoredRows.ts"
import { recover } from "../../recording/intake/recovery.ts"
import { SessionEndings } from "../../recording/intake/SessionEndings.ts"
import * as StoreWriter from "../../recording/intake/StoreWriter.ts"
import * as RecordingSide from "../../cluster/recordingSide.ts"
import type { SettingsValues } from "../Settings.ts"
import { Drivers } from "../../simulators/Driver.ts"
import * as AllDrivers from "../../simulators/drivers/index.ts"
import { USUAL_PORTS } from "../../simulators/connection/GamePorts.ts"
import * as Simulators from "../../simulators/connection/Simulators.ts"
import { RowStore } from "../../store/RowStore.ts"
import { tidyFiles } from "../../store/removals.ts"
import { AnalystTables } from "../../store/AnalystTables.ts"
import { lazily } from "./lazily.ts"
import * as Takeover from "../../cluster/takeover/Takeover.ts"
import { lease, ThisHolder, watchDatabases } from "./node.ts"

/** The analysts' tables of a QuestDB; none if points are kept elsewhere. */
const analystTables = (points: SettingsValues["points"]) =>
  points === "sqlite"
    ? Layer.succeed(AnalystTables, { ended: () => Effect.void })
    : lazily(
        () => import("../../store/questdb/AnalystTables.ts"),
        ({ layer }) => layer(points)
      )

/** The work for a session that has ended. */
const afterwards = ({ points }: SettingsValues) =>
  SessionEndings.layer(
    Effect.fnUntraced(function* (id: number) {
      yield* (yield* AutoExport).ended(id)
      yield* measureEnded(id)
      yield* (yield* AnalystTables).ended(id)
    })
  ).pipe(Layer.provide(analystTables(points)))

const simulators = ({
  connectTimeout,
  connectsPerMinute,
  games,
  noRestore,
  relay,
  simulatorHosts
}: SettingsValues) =>
  Simulators.layer(Duration.seconds(connectTimeout), {
    perMinute: connectsPerMinute === "none" ? Infinity : connectsPerMinute,
    allows: simulatorHosts,
    restores: noRestore ? "of this run" : "all",
    games: { always: games !== "none", ports: typeof games === "string" ? USUAL_PORTS : games },
    isShared: relay !== "none"
  })

const unlessNone = (given: number | "none") => (given === "none" ? undefined : given)

/** Runs in the recording process: exactly one process must do it, and several may serve. */
const retention = ({ keep, keepSize, relay, removeExports }: SettingsValues) =>
  Layer.unwrapEffect(
    Effect.gen(function* () {
      const { removed } = yield* AutoExport
      const { node } = (yield* ThisHolder).holder
      const limits = {
        days: unlessNone(keep),
        gibibytes: unlessNone(keepSize),
        removed: removeExports ? removed : () => Effect.void
      }
      return Retention.layer(limits, relay === "none" ? Effect.succeed(true) : Takeover.keepsHouse(node))
    })
  )

/** Other nodes of a cluster delete sessions, too. Each node removes its own files of them. */
const tidying = ({ relay, removeExports }: SettingsValues) =>
  relay === "none"
    ? Layer.empty
    : Layer.scopedDiscard(
        Effect.flatMap(AutoExport, ({ tidy }) =>
          (removeExports ? Effect.zipRight(tidyFiles, tidy) : tidyFiles).pipe(
            Effect.catchAllCause((cause) =>
              Effect.logWarning("The files of removed sessions are removed an hour later", cause)
            ),
            Effect.repeat(Schedule.spaced("1 hour")),
            Effect.forkScoped
          )
        )
      )

/** Where nodes hear of each other, they stand in for each other. */
const takeover = ({ relay }: SettingsValues) =>
  relay === "none"
    ? Layer.empty
    : Layer.unwrapEffect(Effect.map(ThisHolder, ({ holder }) => Takeover.layer(holder)))

/** No session has this id. */
const NOBODY = 0

/**
 * Makes every writer open its files before feeds and clients connect, because they may take all file descriptors. Sealing a
 * session that does not exist opens the files and changes nothing. If a file cannot be opened now, the first write tries
 * again.
 */
const openWriter = Layer.scopedDiscard(
  Effect.flatMap(RowStore, ({ seal }) =>
    Effect.forkScoped(
      Effect.catchAll(seal(NOBODY), ({ cause }) =>
        Effect.logWarning("The store's writer could not open its files yet", cause)
      )
    )
  )
)

/** Layers end in the reverse order: first the links, then the writer, and then the node's lease. */
export const recording = (settings: SettingsValues) =>
  Layer.merge(RecordingSide.answering, takeover(settings)).pipe(
    Layer.provide(simulators(settings)),
    Layer.provide(RecordingSide.imports(settings.importAtOnce)),
    Layer.provide(Layer.succeed(StoredRows, settings.record)),
    Layer.provide(settings.keepRaw ? RawDatagrams.layer(settings.data) : Layer.empty),
    Layer.provide(AllDrivers.layer),
    Layer.provide(Drivers.layer),
    Layer.provide(Layer.merge(retention(settings), tidying(settings))),
    Layer.provide(Layer.scopedDiscard(recover)),
    Layer.provide(openWriter),
    Layer.provide(StoreWriter.layer),
    Layer.provideMerge(afterwards(settings)),
    Layer.provide(AutoExport.layer(join(settings.data, "exports"))),
    Layer.provide(Intake.layer()),
    Layer.provide(watchDatabases(settings)),
    Layer.provide(lease(settings)),
    Layer.provide(RecordingSide.publisher)
  )
