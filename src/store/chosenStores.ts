/** The stores that settings name. */
import { Layer } from "effect"
import type { StoreUnavailable } from "../domain/errors.ts"
import type { PointStore } from "./PointStore.ts"
import * as PostgresCatalog from "./postgres/PostgresCatalog.ts"
import type { QuestdbAddress } from "./questdb/address.ts"
import * as SqliteStore from "./sqlite/SqliteStore.ts"

export interface StoresWanted {
  /** The folder of the embedded store. */
  readonly data: string
  readonly catalog: "sqlite" | string
  readonly points: "sqlite" | QuestdbAddress
}

/** `questdb`: how points in a QuestDB are reached. */
export const chosenStores = (
  { catalog, data, points }: StoresWanted,
  questdb: (address: QuestdbAddress) => Layer.Layer<PointStore, StoreUnavailable>
) => {
  if (catalog === "sqlite" && points === "sqlite") return SqliteStore.layer(data)
  return Layer.merge(
    catalog === "sqlite" ? SqliteStore.catalogLayer(data) : PostgresCatalog.layer(catalog),
    points === "sqlite" ? SqliteStore.pointsLayer(data) : questdb(points)
  )
}
