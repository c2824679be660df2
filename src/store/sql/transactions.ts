import * as SqlClient from "@effect/sql/SqlClient"
import * as SqlError from "@effect/sql/SqlError"
import { Effect, Option } from "effect"

type WithTransaction = SqlClient.SqlClient["withTransaction"]

/**
 * Makes a COMMIT or ROLLBACK that fails give its SqlError, so that callers retry. The library makes a defect of it. Both
 * statements fail if the database goes away during the transaction.
 */
export const failing =
  (withTransaction: WithTransaction): WithTransaction =>
  (effect) =>
    withTransaction(effect).pipe(
      Effect.catchSomeDefect((defect) =>
        defect instanceof SqlError.SqlError ? Option.some(Effect.fail(defect)) : Option.none()
      )
    )
