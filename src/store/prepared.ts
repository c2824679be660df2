/**
 * Statements that are asked for again and again, of one id. What @effect/sql makes of a template each time (its parts, its text, a
 * span, a scope) costs several times what the row of an id does.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import type * as SqlConnection from "@effect/sql/SqlConnection"
import type * as SqlError from "@effect/sql/SqlError"
import type * as Statement from "@effect/sql/Statement"
import { Effect, FiberRef } from "effect"

const DIRECT = Symbol.for("store/prepared/DIRECT")

/** The client, whose statements outside of transactions may go to this connection by themselves. */
export const withDirect = (
  sql: SqlClient.SqlClient,
  connection: SqlConnection.Connection
): SqlClient.SqlClient => Object.assign(sql, { [DIRECT]: connection })

const directOf = (sql: SqlClient.SqlClient): SqlConnection.Connection | undefined =>
  (sql as { readonly [DIRECT]?: SqlConnection.Connection })[DIRECT]

/** The same statement, whose text is made once, where the client lets it go directly and nobody traces. */
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
