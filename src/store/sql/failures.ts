/** Turns errors of a store into StoreUnavailable. */
import type * as SqlError from "@effect/sql/SqlError"
import { Effect, Predicate } from "effect"
import { StoreUnavailable } from "../../domain/errors.ts"
import * as Sqlite from "../../platform/sqliteErrors.ts"
import { codeOf, consequenceOf } from "./sqlState.ts"

/** SQLite's errors about values: a broken constraint, a wrong type, too long a value, a column that does not exist. */
const refusedBySqlite: ReadonlySet<number | undefined> = new Set([
  Sqlite.CONSTRAINT,
  Sqlite.MISMATCH,
  Sqlite.TOOBIG,
  Sqlite.RANGE
])

/** Why the store would fail again after this error; undefined if another attempt may succeed. */
const refusalOf = (cause: unknown): StoreUnavailable["refusal"] => {
  if (Predicate.isTagged(cause, "ParseError")) return "refused"
  if (Predicate.isTagged(cause, "SqlError")) return refusalOf((cause as SqlError.SqlError).cause)
  if (cause instanceof TypeError || cause instanceof RangeError) return "bug"
  const isRefused =
    (refusedBySqlite.has(Sqlite.resultCodeOf(cause)) &&
      Sqlite.extendedCodeOf(cause) !== Sqlite.CONSTRAINT_FOREIGNKEY) ||
    consequenceOf(codeOf(cause)) === "refuse"
  return isRefused ? "refused" : undefined
}

/** `store`: the store's name in sentences. */
export const failuresOf = (store: string) => {
  const unavailable = (cause: unknown) => new StoreUnavailable({ store, cause, refusal: refusalOf(cause) })
  /** Turns SQL errors into StoreUnavailable; other errors stay. */
  const orUnavailable = <A, E, R>(effect: Effect.Effect<A, E | SqlError.SqlError, R>) =>
    Effect.mapError(effect, (error) =>
      Predicate.isTagged(error, "SqlError") ? unavailable(error) : (error as Exclude<E, SqlError.SqlError>)
    )
  /** Turns all errors into StoreUnavailable, and also defects, because some libraries throw their errors. */
  const orUnavailableForAll = <A, E, R>(
    effect: Effect.Effect<A, E, R>
  ): Effect.Effect<A, StoreUnavailable, R> =>
    effect.pipe(
      Effect.mapError((error) => (error instanceof StoreUnavailable ? error : unavailable(error))),
      Effect.catchAllDefect((defect) => Effect.fail(unavailable(defect)))
    )
  return { unavailable, orUnavailable, orUnavailableForAll }
}
