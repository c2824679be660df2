/**
 * Statements that look up one id and run often. For each call of a template, @effect/sql builds parts, text, a span and
 * a scope, which costs several times as much as reading the row.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import type * as SqlConnection from "@effect/sql/SqlConnection"
import type * as SqlError from "@effect/sql/SqlError"
import type * as Statement from "@effect/sql/Statement"
import { Effect, FiberRef } from "effect"

const DIRECT = Symbol.for("store/prepared/DIRECT")

/** The client, with a connection on which statements outside of transactions may run directly. */
export const withDirect = (
  sql: SqlClient.SqlClient,
  connection: SqlConnection.Connection
): SqlClient.SqlClient => Object.assign(sql, { [DIRECT]: connection })

const directOf = (sql: SqlClient.SqlClient): SqlConnection.Connection | undefined =>
  (sql as { readonly [DIRECT]?: SqlConnection.Connection })[DIRECT]

/** The statement with its text made once. It runs on the direct connection if there is one and tracing is off. */
export const prepared = <Row extends object>(
  sql: SqlClient.SqlClient,
  statement: (id: number) => Statement.Statement<Row>
): ((id: number) => Effect.Effect<ReadonlyArray<Row>, SqlError.SqlError>) => {
  const direct = directOf(sql)
  if (direct === undefined) return statement
  const [text] = statement(0).compile()
  return (id) =>
    Effect.withFiberRuntime((fiber) => {
      if (fiber.getFiberRef(FiberRef.currentTracerEnabled)) return statement(id)
      const transaction = fiber.currentContext.unsafeMap.get(SqlClient.TransactionConnection.key) as
        | readonly [SqlConnection.Connection, number]
        | undefined
      return (transaction?.[0] ?? direct).execute(text, [id], undefined)
    })
}
