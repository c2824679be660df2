import * as SqlClient from "@effect/sql/SqlClient"
import * as SqlError from "@effect/sql/SqlError"
import { Effect, Option } from "effect"

type WithTransaction = SqlClient.SqlClient["withTransaction"]

/**
 * The library makes defects of a COMMIT and of a ROLLBACK that fail, as both do when the database goes away in between.
 * Here the SqlError comes out, so that who tries again does.
 */
export const failing =
  (withTransaction: WithTransaction): WithTransaction =>
  (effect) =>
    withTransaction(effect).pipe(
      Effect.catchSomeDefect((defect) =>
        defect instanceof SqlError.SqlError ? Option.some(Effect.fail(defect)) : Option.none()
      )
    )
