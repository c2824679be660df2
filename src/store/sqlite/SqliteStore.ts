import { join } from "node:path"
import type { Worker as Thread } from "node:worker_threads"
import { Effect, Layer } from "effect"
import type { StoreUnavailable } from "../../domain/errors.ts"
import type { RowStore } from "../RowStore.ts"
import * as SqlCatalog from "../sql/SqlCatalog.ts"
import type { CatalogPorts } from "../sql/SqlCatalog.ts"
import * as SqliteFile from "./SqliteFile.ts"
import * as SqliteRowStore from "./SqliteRowStore.ts"
import { startThread } from "./WriterThread.ts"

export const databaseFile = (dataFolder: string) => join(dataFolder, "telemetry.sqlite")

/** The client of the folder's file; the folder is created if it is missing. */
const fileLayer = (dataFolder: string) =>
  Layer.unwrapEffect(
    Effect.as(SqliteFile.ensureFolder(dataFolder), SqliteFile.layer(databaseFile(dataFolder)))
  )

/** The catalog alone, for a service that keeps its points elsewhere. */
export const catalogLayer = (dataFolder: string): Layer.Layer<CatalogPorts, StoreUnavailable> =>
  Layer.provide(SqlCatalog.layer, fileLayer(dataFolder))

/** The points alone, for a service that keeps its catalog elsewhere. */
export const pointsLayer = (dataFolder: string): Layer.Layer<RowStore, StoreUnavailable> =>
  SqliteRowStore.layer(() => startThread(databaseFile(dataFolder))).pipe(Layer.provide(fileLayer(dataFolder)))

/**
 * Catalog and points in one SQLite file, `telemetry.sqlite` in `dataFolder`. `start` makes the writer thread; tests pass
 * their own to control it.
 */
export const layer = (
  dataFolder: string,
  start: (filename: string) => Thread = startThread
): Layer.Layer<CatalogPorts | RowStore, StoreUnavailable> =>
  Layer.merge(
    SqlCatalog.layer,
    SqliteRowStore.layer(() => start(databaseFile(dataFolder)))
  ).pipe(Layer.provide(fileLayer(dataFolder)))
