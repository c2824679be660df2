/**
 * The catalog over any SQL database that `SqlClient` supports. The SQL is common to SQLite and PostgreSQL.
 *
 * Operations that exclude each other (claim, delete) are one conditional statement, or a transaction that first writes
 * a row which the others also write first. That is the session's row, which excludes others from the session until the
 * commit (addLaps), or the row of the changes, which makes laps and sessions visible in order to clients that follow
 * them.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import type { StoreUnavailable } from "../../domain/errors.ts"
import { Catalog } from "../Catalog.ts"
import type { CatalogTransfer } from "../CatalogTransfer.ts"
import { orUnavailable } from "./catalogFailures.ts"
import { migrateCatalog } from "./catalogMigrations.ts"
import type { Nodes } from "../Nodes.ts"
import * as SqlCatalogTransfer from "./SqlCatalogTransfer.ts"
import * as SqlChanges from "./SqlChanges.ts"
import * as SqlCircuits from "./SqlCircuits.ts"
import * as SqlConfiguration from "./SqlConfiguration.ts"
import * as SqlDeletions from "./SqlDeletions.ts"
import * as SqlDictionaries from "./SqlDictionaries.ts"
import * as SqlLaps from "./SqlLaps.ts"
import * as SqlNodes from "./SqlNodes.ts"
import * as SqlSessions from "./SqlSessions.ts"
import * as SqlStatistics from "./SqlStatistics.ts"
import { ThisNode } from "../ThisNode.ts"

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const node = (yield* ThisNode) ?? null
  yield* migrateCatalog

  const changes = SqlChanges.make(sql)
  const deletions = SqlDeletions.make(sql)
  const statistics = SqlStatistics.make(sql)
  const circuits = SqlCircuits.make(sql)
  const dictionaries = SqlDictionaries.make(sql)
  const sessions = SqlSessions.make(sql, node, changes, deletions, dictionaries, statistics)
  return Catalog.of({
    ...sessions,
    ...deletions.deletions,
    ...dictionaries.dictionaries,
    ...SqlLaps.make(sql, changes, circuits, sessions),
    ...statistics.statistics,
    newest: changes.newest,
    ...circuits.details,
    ...SqlConfiguration.make(sql),
    // Reads a table, because a database may answer a statement without a table from memory.
    check: orUnavailable(Effect.asVoid(sql`SELECT id FROM sessions LIMIT 1`))
  })
})

/** The ports that one database serves. */
export type CatalogPorts = Catalog | CatalogTransfer | Nodes

export const layer: Layer.Layer<CatalogPorts, StoreUnavailable, SqlClient.SqlClient> = Layer.mergeAll(
  Layer.effect(Catalog, make),
  SqlCatalogTransfer.layer,
  SqlNodes.layer
)
