/** The parts that the service's processes have in common. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import { Layer } from "effect"
import { AnalysisWorkers } from "../../archive/AnalysisWorkers.ts"
import { Archive } from "../../archive/Archive.ts"
import { UploadFolder } from "../../imports/uploads/UploadFolder.ts"
import { AnalysisService } from "../../archive/AnalysisService.ts"
import type { SettingsValues } from "../Settings.ts"
import * as RawFolder from "../../recording/raw/rawFolder.ts"
import { chosenStores } from "../../store/chosenStores.ts"
import * as LocalFiles from "../../store/LocalFiles.ts"
import { claimPoints } from "../../store/ownership.ts"
import { databaseFile } from "../../store/sqlite/SqliteStore.ts"
import { spoolFile } from "../../store/sqlite/SqliteSpool.ts"
import { lazily } from "./lazily.ts"

/** The stores of sessions, laps and points. Only the recording process writes points. */
const stores = (settings: SettingsValues, records: boolean) =>
  chosenStores(settings, {
    catalog: (url) =>
      lazily(
        () => import("../../store/postgres/PostgresCatalog.ts"),
        ({ layer, SERVICE }) => layer(url, SERVICE)
      ),
    points: (address) =>
      lazily(
        () => import("../../store/questdb/QuestdbStore.ts"),
        ({ layer }) => layer(settings.data, address, { writes: records })
      )
  })

/** The stores, after the points were claimed: the service does not start with another catalog's points. */
const ownStores = (settings: SettingsValues, records: boolean) =>
  Layer.provideMerge(Layer.effectDiscard(claimPoints), stores(settings, records))

/** The files in the data folder that the stores have open. */
export const databases = ({ catalog, data, points }: SettingsValues): ReadonlyArray<string> => [
  ...(catalog === "sqlite" || points === "sqlite" ? [databaseFile(data)] : []),
  ...(points === "sqlite" ? [] : [spoolFile(data)])
]

const localFiles = (settings: SettingsValues) =>
  Layer.sync(LocalFiles.LocalFiles, () => LocalFiles.watch(settings.data, databases(settings)))

/** The stores, and services that read them: every process of the service needs these, except the supervisor. */
export const storage = (settings: SettingsValues, { records }: { readonly records: boolean }) =>
  Layer.merge(Archive.layer, AnalysisService.layer).pipe(
    Layer.provide(AnalysisWorkers.layer),
    Layer.provideMerge(localFiles(settings)),
    Layer.provideMerge(RawFolder.layer(settings.data)),
    Layer.provideMerge(
      UploadFolder.layer(settings.data, { keeps: settings.importKeep, max: settings.importMax * 2 ** 30 })
    ),
    Layer.provideMerge(ownStores(settings, records)),
    Layer.provideMerge(NodeContext.layer)
  )
