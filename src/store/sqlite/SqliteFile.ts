import * as Reactivity from "@effect/experimental/Reactivity"
import * as SqliteClient from "@effect/sql-sqlite-node/SqliteClient"
import * as SqlClient from "@effect/sql/SqlClient"
import type * as SqlConnection from "@effect/sql/SqlConnection"
import type * as SqlError from "@effect/sql/SqlError"
import { Context, Effect, Layer, Schedule, Scope } from "effect"
import { StoreUnavailable } from "../../domain/errors.ts"
import { makeFolder } from "../../folder/makeFolder.ts"
import { failing } from "../transactions.ts"

/** How long a statement waits for another connection's write; a commit of ours takes some 10 ms. */
const BUSY_TIMEOUT_MS = 5000
/** Kept small between commits, so that the log beside the database does not stay at its largest. */
const WAL_LIMIT_BYTES = 64 * 1024 * 1024

export const unavailable = (cause: unknown) => new StoreUnavailable({ store: "sqlite", cause })

/** The folder of such a file, made when missing. */
export const ensureFolder = (folder: string) =>
  Effect.mapError(makeFolder(folder), ({ cause }) => unavailable(cause))

const isBusy = (error: SqlError.SqlError): boolean => {
  const code = (error.cause as { readonly code?: unknown } | null)?.code
  return typeof code === "string" && code.startsWith("SQLITE_BUSY")
}

/** Settings of a connection; synchronous FULL is what makes an acknowledged commit survive a power cut. */
const configure = Effect.fn("SqliteFile.configure")(function* (sql: SqlClient.SqlClient) {
  yield* sql.unsafe(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
  // Connections that open together can be told BUSY at once here, whatever the busy timeout.
  yield* sql.unsafe("PRAGMA journal_mode = WAL").pipe(
    Effect.retry({
      while: isBusy,
      schedule: Schedule.spaced("20 millis").pipe(Schedule.intersect(Schedule.recurs(250)))
    })
  )
  yield* sql.unsafe("PRAGMA synchronous = FULL")
  yield* sql.unsafe("PRAGMA foreign_keys = ON")
  yield* sql.unsafe(`PRAGMA journal_size_limit = ${WAL_LIMIT_BYTES}`)
})

const rollback = (connection: SqlConnection.Connection) =>
  Effect.ignore(connection.executeRaw("ROLLBACK", []))

/**
 * The client's `withTransaction`, made fit for several writers and for a full disk. IMMEDIATE takes the write
 * lock at the start, where the busy timeout applies; taken later, after a read, it can fail at once. A COMMIT that fails, or
 * the ROLLBACK of what SQLite has rolled back already, leaves no transaction open.
 */
const immediateTransactions = (sql: SqlClient.SqlClient): SqlClient.SqlClient["withTransaction"] =>
  failing(
    SqlClient.makeWithTransaction({
      transactionTag: SqlClient.TransactionConnection,
      spanAttributes: [],
      acquireConnection: Effect.flatMap(Scope.make(), (scope) =>
        Effect.map(Scope.extend(sql.reserve, scope), (connection) => [scope, connection] as const)
      ),
      begin: (connection) => Effect.asVoid(connection.executeRaw("BEGIN IMMEDIATE", [])),
      savepoint: (connection, id) => Effect.asVoid(connection.executeRaw(`SAVEPOINT nested_${id}`, [])),
      commit: (connection) =>
        connection.executeRaw("COMMIT", []).pipe(
          Effect.tapError(() => rollback(connection)),
          Effect.asVoid
        ),
      rollback,
      rollbackSavepoint: (connection, id) =>
        Effect.asVoid(connection.executeRaw(`ROLLBACK TO SAVEPOINT nested_${id}`, []))
    })
  )

/** One connection to the SQLite file `filename`, which is created when missing (its folder is not). */
export const layer = (filename: string): Layer.Layer<SqlClient.SqlClient, StoreUnavailable> =>
  Layer.scopedContext(
    // Making the client opens the file, and throws what goes wrong; it would set WAL, too, but only try once.
    SqliteClient.make({ filename, disableWAL: true }).pipe(
      Effect.tap(configure),
      Effect.map((sql) =>
        Context.make(SqlClient.SqlClient, Object.assign(sql, { withTransaction: immediateTransactions(sql) }))
      ),
      Effect.mapError(unavailable),
      Effect.catchAllDefect((defect) => Effect.fail(unavailable(defect)))
    )
  ).pipe(Layer.provide(Reactivity.layer))
