/**
 * The catalog over any SQL database that `SqlClient` supports. The SQL is common to SQLite and PostgreSQL.
 *
 * Operations that exclude each other (claim, delete) are one conditional statement, or a transaction that first writes
 * a row which the others also write first. Two rows serve for this. The session's row excludes others from the session
 * until the commit (addLaps). The row of the changes makes laps and sessions visible in order to clients that follow
 * them.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import { Context, Effect, Layer } from "effect"
import type { StoreUnavailable } from "../../domain/errors.ts"
import type { CatalogTransfer } from "../CatalogTransfer.ts"
import { Changes } from "../Changes.ts"
import { Circuits } from "../Circuits.ts"
import { Configurations } from "../Configurations.ts"
import { Connections } from "../Connections.ts"
import { Deletions } from "../Deletions.ts"
import { Dictionaries } from "../Dictionaries.ts"
import { Laps } from "../Laps.ts"
import { FileImports } from "../FileImports.ts"
import { Marks } from "../Marks.ts"
import type { Nodes } from "../Nodes.ts"
import { Sessions } from "../Sessions.ts"
import { Statistics } from "../Statistics.ts"
import { Takeovers } from "../Takeovers.ts"
import { ThisNode } from "../ThisNode.ts"
import { migrateCatalog } from "./catalogMigrations.ts"
import * as SqlCatalogTransfer from "./SqlCatalogTransfer.ts"
import * as SqlChanges from "./SqlChanges.ts"
import * as SqlCircuits from "./SqlCircuits.ts"
import * as SqlConfiguration from "./SqlConfiguration.ts"
import * as SqlConnections from "./SqlConnections.ts"
import * as SqlDeletions from "./SqlDeletions.ts"
import * as SqlDictionaries from "./SqlDictionaries.ts"
import * as SqlFileImports from "./SqlFileImports.ts"
import * as SqlLaps from "./SqlLaps.ts"
import * as SqlMarks from "./SqlMarks.ts"
import * as SqlNodes from "./SqlNodes.ts"
import * as SqlSessions from "./SqlSessions.ts"
import * as SqlStatistics from "./SqlStatistics.ts"
import * as SqlTakeovers from "./SqlTakeovers.ts"

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const node = (yield* ThisNode) ?? null
  yield* migrateCatalog

  const changes = SqlChanges.make(sql)
  const deletions = SqlDeletions.make(sql, node)
  const statistics = SqlStatistics.make(sql)
  const circuits = SqlCircuits.make(sql)
  const dictionaries = SqlDictionaries.make(sql)
  const sessions = SqlSessions.make(sql, node, changes, deletions, dictionaries, statistics)
  const laps = SqlLaps.make(sql, changes, circuits, sessions.sessions)
  return Context.make(Sessions, sessions.sessions).pipe(
    Context.add(Deletions, { ...sessions.deletions, ...deletions.deletions }),
    Context.add(Dictionaries, dictionaries.dictionaries),
    Context.add(Laps, laps.laps),
    Context.add(Marks, SqlMarks.make(sql, changes, sessions.sessions, laps.laps)),
    Context.add(Statistics, statistics.statistics),
    Context.add(Changes, {
      newest: changes.newest,
      lapsAfter: laps.lapsAfter,
      sessionsAfter: sessions.sessionsAfter
    }),
    Context.add(Circuits, circuits.circuits),
    Context.add(Configurations, SqlConfiguration.make(sql)),
    Context.add(Connections, SqlConnections.make(sql, node)),
    Context.add(FileImports, SqlFileImports.make(sql, node)),
    Context.add(Takeovers, SqlTakeovers.make(sql, node))
  )
})

/** The ports that one database serves. */
export type CatalogPorts =
  | CatalogTransfer
  | Changes
  | Circuits
  | Configurations
  | Connections
  | Deletions
  | Dictionaries
  | FileImports
  | Laps
  | Marks
  | Nodes
  | Sessions
  | Statistics
  | Takeovers

export const layer: Layer.Layer<CatalogPorts, StoreUnavailable, SqlClient.SqlClient> = Layer.mergeAll(
  Layer.effectContext(make),
  SqlCatalogTransfer.layer,
  SqlNodes.layer
)
