import * as SqlClient from "@effect/sql/SqlClient"
import * as SqlError from "@effect/sql/SqlError"
import { Effect, Option } from "effect"

type WithTransaction = SqlClient.SqlClient["withTransaction"]

/**
 * Makes a failed COMMIT or ROLLBACK fail with its SqlError, so that callers retry. The library turns it into a defect.
 * Both statements fail if the connection to the database is lost during the transaction.
 */
export const failing =
  (withTransaction: WithTransaction): WithTransaction =>
  (effect) =>
    withTransaction(effect).pipe(
      Effect.catchSomeDefect((defect) =>
        defect instanceof SqlError.SqlError ? Option.some(Effect.fail(defect)) : Option.none()
      )
    )
