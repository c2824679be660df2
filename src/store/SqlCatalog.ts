/**
 * The catalog over any SQL database that `SqlClient` has; the SQL is what SQLite and PostgreSQL share.
 *
 * What must not be overtaken is one conditional statement (claim, delete) or a transaction that begins by
 * writing a row that others begin with as well: the session's, which keeps them from that session until it ends
 * (addLaps), or that of the changes, which shows laps and sessions in order to clients that follow them.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import type { StoreUnavailable } from "../domain/errors.ts"
import { Catalog } from "./Catalog.ts"
import type { CatalogTransfer } from "./CatalogTransfer.ts"
import { orUnavailable } from "./catalogFailures.ts"
import { migrateCatalog } from "./catalogMigrations.ts"
import type { Nodes } from "./Nodes.ts"
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
import { ThisNode } from "./ThisNode.ts"

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
    // A row, because a statement without a table need not look at the database.
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
