import { chmodSync } from "node:fs"
import * as Reactivity from "@effect/experimental/Reactivity"
import * as SqlClient from "@effect/sql/SqlClient"
import type * as SqlConnection from "@effect/sql/SqlConnection"
import type * as SqlError from "@effect/sql/SqlError"
import * as Statement from "@effect/sql/Statement"
import { Context, Effect, Exit, Layer, Scope } from "effect"
import type { StoreUnavailable } from "../../domain/errors.ts"
import { makeFolder } from "../../platform/makeFolder.ts"
import { failuresOf } from "../sql/failures.ts"
import { withDirect } from "../sql/prepared.ts"
import { failing } from "../sql/transactions.ts"
import * as FileIdentity from "./fileIdentity.ts"
import { BUSY, READONLY, resultCodeOf } from "../../platform/sqliteErrors.ts"
import { open, type SharedConnection } from "./SqliteConnection.ts"

/**
 * How long SQLite waits for another connection's write, and blocks the event loop meanwhile; a commit of ours takes some 10
 * ms.
 */
const BUSY_TIMEOUT_MS = 20
/**
 * The pause before the next attempt, in which other fibers run; some 5 s in all. Another program may hold the lock for any
 * time.
 */
const BUSY_PAUSE_MS = 20
const MAX_TRIES = 125
/** Pages in memory; SQLite's own 2 MB are too few for the index of a large store. */
const CACHE_KIB = 16_000
/** The write-ahead log is truncated to this after commits, so that it does not stay at its largest. */
const WAL_LIMIT_BYTES = 64 * 1024 * 1024

/** The store's name in sentences. */
export const store = "sqlite"
export const { orUnavailable, orUnavailableForAll, unavailable } = failuresOf(store)

/** Creates the folder of such a file if it is missing. */
export const ensureFolder = (folder: string) =>
  Effect.mapError(makeFolder(folder), ({ cause }) => unavailable(cause))

const isBusy = (error: SqlError.SqlError): boolean => resultCodeOf(error) === BUSY

/** Whether the file is read-only. SQLite opens such a file without an error, and fails only at the first write. */
const isReadOnly = (error: SqlError.SqlError): boolean => resultCodeOf(error) === READONLY

/** A real timer and not the Clock: the lock belongs to another process, which does not follow a test's clock. */
const pause = Effect.async<void>((resume) => {
  const timer = setTimeout(() => resume(Effect.void), BUSY_PAUSE_MS)
  return Effect.sync(() => clearTimeout(timer))
})

/** Tries again while another connection writes. A statement that failed with BUSY has changed nothing. */
const patiently = <A>(
  effect: Effect.Effect<A, SqlError.SqlError>,
  tries = MAX_TRIES
): Effect.Effect<A, SqlError.SqlError> =>
  Effect.catchAll(effect, (error) =>
    tries > 1 && isBusy(error) ? Effect.zipRight(pause, patiently(effect, tries - 1)) : Effect.fail(error)
  )

/** The connection for statements outside of transactions. It retries each statement while another connection writes. */
const patientConnection = (connection: SqlConnection.Connection): SqlConnection.Connection => ({
  execute: (...statement) => patiently(connection.execute(...statement)),
  executeRaw: (...statement) => patiently(connection.executeRaw(...statement)),
  executeValues: (...statement) => patiently(connection.executeValues(...statement)),
  executeUnprepared: (...statement) => patiently(connection.executeUnprepared(...statement)),
  executeStream: (...statement) => connection.executeStream(...statement)
})

/**
 * A new file has passwords of simulators among the connections. Its log is created with the same rights. Some file systems
 * have none.
 */
const forOwnerAlone = (filename: string) => Effect.try(() => chmodSync(filename, 0o600))

/** Settings of a connection. With synchronous FULL, an acknowledged commit survives a power cut. */
const configure = Effect.fn("SqliteFile.configure")(function* (sql: SqlClient.SqlClient, filename: string) {
  yield* sql.unsafe(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
  const unmarked = yield* FileIdentity.isUnmarked(sql, filename)
  const [size] = yield* sql.unsafe<{ readonly page_count: number }>("PRAGMA page_count")
  if (size?.page_count === 0) {
    // Only possible before the file's first page.
    yield* sql.unsafe("PRAGMA auto_vacuum = INCREMENTAL")
    yield* Effect.ignore(forOwnerAlone(filename))
  }
  // This comes after the check of the file's identity, because it reads the file's header.
  yield* sql.unsafe(`PRAGMA cache_size = -${CACHE_KIB}`)
  yield* sql.unsafe("PRAGMA journal_mode = WAL")
  // This comes before the next line, so that it does not wait for the disk. If a power cut takes the mark, it is set
  // again.
  yield* Effect.catchIf(
    FileIdentity.mark(sql),
    (error) => !unmarked && !isReadOnly(error),
    // The disk is full: the service still serves the stored data.
    () => Effect.void
  )
  yield* sql.unsafe("PRAGMA synchronous = FULL")
  yield* sql.unsafe("PRAGMA foreign_keys = ON")
  yield* sql.unsafe(`PRAGMA journal_size_limit = ${WAL_LIMIT_BYTES}`)
})

const rollback = (connection: SqlConnection.Connection) =>
  Effect.ignore(connection.executeRaw("ROLLBACK", []))

/**
 * A client's `withTransaction`, changed for several writers and for a full disk. IMMEDIATE takes the write lock at the
 * start of the transaction, where the client can wait for it. A lock that is taken later, after a read, can fail
 * immediately. Other callers use the connection during this wait. If a COMMIT fails, or SQLite has already rolled back
 * when ROLLBACK runs, no transaction stays open.
 */
const immediateTransactions = ({ reserve }: SharedConnection): SqlClient.SqlClient["withTransaction"] =>
  failing(
    SqlClient.makeWithTransaction({
      transactionTag: SqlClient.TransactionConnection,
      spanAttributes: [],
      acquireConnection: patiently(
        Effect.flatMap(Scope.make(), (scope) =>
          Scope.extend(reserve, scope).pipe(
            Effect.tap((connection) => connection.executeRaw("BEGIN IMMEDIATE", [])),
            Effect.map((connection) => [scope, connection] as const),
            Effect.tapErrorCause((cause) => Scope.close(scope, Exit.failCause(cause)))
          )
        )
      ),
      begin: () => Effect.void,
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

/** A client that waits for other connections without blocking the event loop. */
const patientClient = (opened: SharedConnection) => {
  const connection = patientConnection(opened.shared)
  return Effect.map(
    SqlClient.make({
      acquirer: Effect.succeed(connection),
      transactionAcquirer: opened.reserve,
      compiler: Statement.makeCompilerSqlite(),
      spanAttributes: [["db.system.name", "sqlite"]]
    }),
    (client) =>
      withDirect(Object.assign(client, { withTransaction: immediateTransactions(opened) }), connection)
  )
}

/** One connection to the SQLite file `filename`, which is created if it is missing (its folder is not). */
export const layer = (filename: string): Layer.Layer<SqlClient.SqlClient, StoreUnavailable> =>
  Layer.scopedContext(
    open(filename).pipe(
      Effect.flatMap(patientClient),
      Effect.tap((sql) => configure(sql, filename)),
      Effect.map((sql) => Context.make(SqlClient.SqlClient, sql)),
      orUnavailableForAll
    )
  ).pipe(Layer.provide(Reactivity.layer))

/** Bytes in use, without free pages: SQLite reuses these before the file grows. */
const BYTES_IN_USE = `SELECT (pages.page_count - free.freelist_count) * size.page_size AS bytes
  FROM pragma_page_count AS pages, pragma_freelist_count AS free, pragma_page_size AS size`

/** The bytes in use of the client's file. */
export const bytesInUse = (sql: SqlClient.SqlClient) =>
  sql.unsafe<{ readonly bytes: number }>(BYTES_IN_USE).pipe(
    Effect.map(([row]) => row?.bytes ?? 0),
    orUnavailable
  )
