/** The catalog in PostgreSQL, which processes on several machines can share. */
import * as Reactivity from "@effect/experimental/Reactivity"
import * as SqlClient from "@effect/sql/SqlClient"
import * as SqlError from "@effect/sql/SqlError"
import { PgClient } from "@effect/sql-pg"
import { Context, Duration, Effect, Layer } from "effect"
import type { StoreUnavailable } from "../../domain/errors.ts"
import { orUnavailable } from "../sql/catalogFailures.ts"
import { migrateCatalog } from "../sql/catalogMigrations.ts"
import { notForUs } from "../sql/schemaVersions.ts"
import * as SqlCatalog from "../sql/SqlCatalog.ts"
import type { CatalogPorts } from "../sql/SqlCatalog.ts"
import { failing } from "../sql/transactions.ts"
import { openPool } from "./connections.ts"
import { reached, whereabouts } from "./reached.ts"

/** How long the program waits for the server. */
export interface Patience {
  /** How long a starting program tries to reach a server. */
  readonly reached: Duration.Duration
  /** How long a statement may take. After that it fails, and its caller may retry. */
  readonly statement: Duration.Duration
}

/**
 * For a service. A server that recovers from a crash is ready in seconds, a large one in a minute. The service's
 * statements take milliseconds: one that takes seconds waits for a lock, or for a server that does not answer.
 */
export const SERVICE: Patience = { reached: Duration.seconds(60), statement: Duration.seconds(5) }

/** For a command, whose one statement may insert a whole catalog. */
export const COMMAND: Patience = { reached: Duration.zero, statement: Duration.minutes(10) }

/** The pool ends with the scope, and does not wait for a server that does not answer. */
const END_WITHIN = "1 second"

const connected = Effect.fn("postgres.connected")(function* (url: string, statement: Duration.Duration) {
  const pool = Effect.acquireRelease(
    Effect.sync(() => openPool(url, statement)),
    (opened) =>
      Effect.promise(() => opened.end()).pipe(Effect.interruptible, Effect.timeoutOption(END_WITHIN))
  )
  const first = Effect.tap(pool, (opened) =>
    Effect.tryPromise({
      try: () => opened.query("SELECT 1"),
      catch: (cause) => new SqlError.SqlError({ cause, message: "cannot connect" })
    })
  )
  const client: SqlClient.SqlClient = yield* PgClient.fromPool({ acquire: first })
  return Object.assign(client, { withTransaction: failing(client.withTransaction) })
})

/** Refuses a database whose encoding lacks letters: a driver whose name has such letters would never be recorded. */
const ensureUnicode = Effect.fn("postgres.ensureUnicode")(function* (url: string, sql: SqlClient.SqlClient) {
  const [row] = yield* orUnavailable(sql<{ readonly server_encoding: string }>`SHOW server_encoding`)
  if (row?.server_encoding === "UTF8") return
  const needed = "CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0 makes one that can"
  return yield* notForUs(
    "postgres",
    `${whereabouts(url)} has the encoding ${row?.server_encoding}, which cannot keep every name: ${needed}`
  )
})

const make = Effect.fn("postgres.make")(function* (url: string, { reached: wait, statement }: Patience) {
  // Migrations have no time limit. Their connection ends with them.
  const migrated = Effect.gen(function* () {
    const sql = yield* reached(url, wait, connected(url, COMMAND.statement))
    yield* ensureUnicode(url, sql)
    yield* Effect.provideService(migrateCatalog, SqlClient.SqlClient, sql)
  })
  yield* Effect.scoped(migrated)
  return yield* reached(url, wait, connected(url, statement))
})

/** `url`: postgres://user:password@host:port/database. */
export const layer = (
  url: string,
  patience: Patience = COMMAND
): Layer.Layer<CatalogPorts, StoreUnavailable> =>
  SqlCatalog.layer.pipe(
    Layer.provide(
      Layer.scopedContext(
        Effect.map(make(url, patience), (client) => Context.make(SqlClient.SqlClient, client))
      )
    ),
    Layer.provide(Reactivity.layer)
  )
