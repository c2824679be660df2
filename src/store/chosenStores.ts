/** Layers of the stores that settings name. */
import { Layer } from "effect"
import type { StoreUnavailable } from "../domain/errors.ts"
import type { RowStore } from "./RowStore.ts"
import type { QuestdbAddress } from "../platform/addresses/questdb.ts"
import type { CatalogPorts } from "./sql/SqlCatalog.ts"
import * as SqliteStore from "./sqlite/SqliteStore.ts"

export interface StoresWanted {
  /** The folder of the embedded store. */
  readonly data: string
  readonly catalog: "sqlite" | string
  readonly points: "sqlite" | QuestdbAddress
}

/** Makes the layers of stores on servers. */
export interface Servers {
  readonly points: (address: QuestdbAddress) => Layer.Layer<RowStore, StoreUnavailable>
  readonly catalog: (url: string) => Layer.Layer<CatalogPorts, StoreUnavailable>
}

export const chosenStores = ({ catalog, data, points }: StoresWanted, servers: Servers) => {
  if (catalog === "sqlite" && points === "sqlite") return SqliteStore.layer(data)
  return Layer.merge(
    catalog === "sqlite" ? SqliteStore.catalogLayer(data) : servers.catalog(catalog),
    points === "sqlite" ? SqliteStore.pointsLayer(data) : servers.points(points)
  )
}
