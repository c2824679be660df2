/**
 * A connection to a SQLite file, in the form that @effect/sql wants.
 *
 * Guarantees: a statement outside of transactions never becomes a part of one. It waits until an open transaction has
 * ended, and runs immediately if there is none. A caller that reserves the connection has exclusive use of it until the
 * caller's scope ends.
 *
 * SQLite answers in the caller's turn of the event loop. So nothing else runs between the check whether the connection is
 * reserved and the end of the statement. The client of @effect/sql-sqlite-node takes a semaphore, a scope and a cache made of
 * Effects for each statement instead.
 */
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite"
import type * as SqlConnection from "@effect/sql/SqlConnection"
import * as SqlError from "@effect/sql/SqlError"
import { Effect, type Scope, Stream } from "effect"

/** `hasRows`: whether the statement returns rows; node:sqlite does not keep this. */
interface Statement {
  readonly statement: StatementSync
  readonly hasRows: boolean
}

const prepareIn = (file: DatabaseSync, text: string): Statement => {
  const statement = file.prepare(text)
  return { statement, hasRows: statement.columns().length > 0 }
}

/**
 * More than the program's fixed statements. The limit is for statements with lists of ids, whose texts vary without
 * limit.
 */
const MAX_PREPARED = 200

/** Prepares statements, and drops the oldest ones. Tracking use would cost more than preparing a statement again. */
const preparing = (file: DatabaseSync) => {
  const prepared = new Map<string, Statement>()
  return (text: string): Statement => {
    const known = prepared.get(text)
    if (known !== undefined) return known
    const statement = prepareIn(file, text)
    if (prepared.size === MAX_PREPARED) prepared.delete(prepared.keys().next().value!)
    prepared.set(text, statement)
    return statement
  }
}

/** @effect/sql passes on its callers' values unchecked; node:sqlite throws at a value of a type that SQLite lacks. */
const bound = (parameters: ReadonlyArray<unknown>) => parameters as ReadonlyArray<SQLInputValue>

/** Runs a statement. `raw`: returns a summary of the changes instead of rows, for a statement without rows. */
const run = (
  { hasRows, statement }: Statement,
  parameters: ReadonlyArray<unknown>,
  raw: boolean
): unknown => {
  if (hasRows) return statement.all(...bound(parameters))
  const done = statement.run(...bound(parameters))
  return raw ? done : []
}

const runValues = (prepared: Statement, parameters: ReadonlyArray<unknown>) => {
  if (!prepared.hasRows) return run(prepared, parameters, false)
  prepared.statement.setReturnArrays(true)
  try {
    return prepared.statement.all(...bound(parameters))
  } finally {
    prepared.statement.setReturnArrays(false)
  }
}

const attempted = <A>(attempt: () => unknown): Effect.Effect<A, SqlError.SqlError> => {
  try {
    return Effect.succeed(attempt() as A)
  } catch (cause) {
    return Effect.fail(new SqlError.SqlError({ cause, message: "Failed to execute statement" }))
  }
}

/** How a statement gets to run: now, or after waiting. */
type Turn = <A>(attempt: () => Effect.Effect<A, SqlError.SqlError>) => Effect.Effect<A, SqlError.SqlError>

const connectionOf = (file: DatabaseSync, prepare: (text: string) => Statement, turn: Turn) => {
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
        turn(() => attempted<Rows>(() => run(prepareIn(file, text), parameters, false))),
        transform
      ),
    executeStream: () => Stream.die("SQLite has no streams here")
  } satisfies SqlConnection.Connection
}

/** One connection for all callers, and the same connection for one caller alone. */
export interface SharedConnection {
  readonly shared: SqlConnection.Connection
  readonly reserve: Effect.Effect<SqlConnection.Connection, never, Scope.Scope>
}

/** Opens `filename` until the scope ends; throws SQLite's error if the file cannot be opened. */
export const open = Effect.fnUntraced(function* (filename: string) {
  const file = yield* Effect.acquireRelease(
    Effect.sync(() => new DatabaseSync(filename)),
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
