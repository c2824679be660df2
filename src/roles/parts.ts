/** What the service's processes are made of, whichever of them they are. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import { Layer } from "effect"
import { Analyst } from "../archive/Analyst.ts"
import { Archive } from "../archive/Archive.ts"
import { Studies } from "../archive/Studies.ts"
import type { SettingsValues } from "../Settings.ts"
import { chosenStores } from "../store/chosenStores.ts"
import { claimPoints } from "../store/ownership.ts"
import * as PostgresCatalog from "../store/postgres/PostgresCatalog.ts"
import * as QuestdbStore from "../store/questdb/QuestdbStore.ts"

/** Where sessions, laps and points are kept. Only the process that records writes points. */
const stores = (settings: SettingsValues, records: boolean) =>
  chosenStores(settings, {
    catalog: (url) => PostgresCatalog.layer(url, PostgresCatalog.WAIT_AT_START),
    points: (address) => QuestdbStore.layer(settings.data, address, { writes: records })
  })

/** They belong together, or the service does not start. */
const ownStores = (settings: SettingsValues, records: boolean) =>
  Layer.provideMerge(Layer.effectDiscard(claimPoints), stores(settings, records))

/** Stored and readable: what every process of the service needs, but its supervisor. */
export const storage = (settings: SettingsValues, { records }: { readonly records: boolean }) =>
  Layer.merge(Archive.layer, Layer.provide(Studies.layer, Analyst.layer)).pipe(
    Layer.provideMerge(ownStores(settings, records)),
    Layer.provideMerge(NodeContext.layer)
  )
