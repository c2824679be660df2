/**
 * A connection to a SQLite file, as @effect/sql wants connections.
 *
 * Guarantees: a statement outside of transactions never becomes a part of one; it waits until the one that is open has ended,
 * and runs at once where there is none. Who reserves the connection has it alone until its scope ends.
 *
 * SQLite answers in the caller's turn of the event loop, so between the look whether the connection is reserved and the
 * statement's end nobody else has a turn. The client of @effect/sql-sqlite-node takes a semaphore, a scope and a cache
 * made of Effects for each statement instead.
 */
import type * as SqlConnection from "@effect/sql/SqlConnection"
import * as SqlError from "@effect/sql/SqlError"
import SqliteFile from "better-sqlite3"
import { Effect, type Scope, Stream } from "effect"

type Statement = SqliteFile.Statement<Array<unknown>>

/** More texts than the program has; lists of ids make ever new ones. */
const MAX_PREPARED = 200

/** What was asked for first goes first: keeping order by use would cost more than to prepare again. */
const preparing = (file: SqliteFile.Database) => {
  const prepared = new Map<string, Statement>()
  return (text: string): Statement => {
    const known = prepared.get(text)
    if (known !== undefined) return known
    const statement = file.prepare<Array<unknown>>(text)
    if (prepared.size === MAX_PREPARED) prepared.delete(prepared.keys().next().value!)
    prepared.set(text, statement)
    return statement
  }
}

/** `raw`: what a statement without rows did, in their place. */
const run = (statement: Statement, parameters: ReadonlyArray<unknown>, raw: boolean): unknown => {
  if (statement.reader) return statement.all(...parameters)
  const done = statement.run(...parameters)
  return raw ? done : []
}

const runValues = (statement: Statement, parameters: ReadonlyArray<unknown>) => {
  if (!statement.reader) return run(statement, parameters, false)
  statement.raw(true)
  try {
    return statement.all(...parameters)
  } finally {
    statement.raw(false)
  }
}

const attempted = <A>(attempt: () => unknown): Effect.Effect<A, SqlError.SqlError> => {
  try {
    return Effect.succeed(attempt() as A)
  } catch (cause) {
    return Effect.fail(new SqlError.SqlError({ cause, message: "Failed to execute statement" }))
  }
}

/** How a statement comes to run: now, or when it may. */
type Turn = <A>(attempt: () => Effect.Effect<A, SqlError.SqlError>) => Effect.Effect<A, SqlError.SqlError>

const connectionOf = (file: SqliteFile.Database, prepare: (text: string) => Statement, turn: Turn) => {
  type Rows = ReadonlyArray<never>
  type Transform = (<A extends object>(rows: ReadonlyArray<A>) => ReadonlyArray<A>) | undefined
  const transformed = (rows: Effect.Effect<Rows, SqlError.SqlError>, transform: Transform) =>
    transform === undefined ? rows : Effect.map(rows, (some) => transform<never>(some))
  return {
    execute: (text, parameters, transform) =>
      transformed(
        turn(() => attempted<Rows>(() => run(prepare(text), parameters, false))),
        transform
      ),
    executeRaw: (text, parameters) => turn(() => attempted(() => run(prepare(text), parameters, true))),
    executeValues: (text, parameters) => turn(() => attempted(() => runValues(prepare(text), parameters))),
    executeUnprepared: (text, parameters, transform) =>
      transformed(
        turn(() => attempted<Rows>(() => run(file.prepare(text), parameters, false))),
        transform
      ),
    executeStream: () => Stream.die("SQLite has no streams here")
  } satisfies SqlConnection.Connection
}

/** One connection for all, and the same for one alone. */
export interface SharedConnection {
  readonly shared: SqlConnection.Connection
  readonly reserve: Effect.Effect<SqlConnection.Connection, never, Scope.Scope>
}

/** `filename` is opened until the scope ends; what is wrong with it is thrown. */
export const open = Effect.fnUntraced(function* (filename: string) {
  const file = yield* Effect.acquireRelease(
    Effect.sync(() => new SqliteFile(filename)),
    (opened) => Effect.sync(() => opened.close())
  )
  const prepare = preparing(file)
  const turns = yield* Effect.makeSemaphore(1)
  let isReserved = false
  const whenFree: Turn = (attempt) =>
    Effect.suspend(() => (isReserved ? turns.withPermits(1)(Effect.suspend(attempt)) : attempt()))
  const alone = connectionOf(file, prepare, Effect.suspend)
  const release = Effect.suspend(() => {
    isReserved = false
    return turns.release(1)
  })
  const reserve = Effect.uninterruptibleMask((restore) =>
    restore(turns.take(1)).pipe(
      Effect.zipRight(Effect.addFinalizer(() => release)),
      Effect.map(() => {
        isReserved = true
        return alone
      })
    )
  )
  return { shared: connectionOf(file, prepare, whenFree), reserve } satisfies SharedConnection
})
