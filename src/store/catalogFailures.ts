import type * as SqlError from "@effect/sql/SqlError"
import { Effect, Predicate } from "effect"
import { StoreUnavailable } from "../domain/errors.ts"

export const unavailable = (cause: unknown) => new StoreUnavailable({ store: "catalog", cause })

/** What a database says is wrong means that the catalog cannot be had now. */
export const orUnavailable = <A, E, R>(effect: Effect.Effect<A, E | SqlError.SqlError, R>) =>
  Effect.mapError(effect, (error) =>
    Predicate.isTagged(error, "SqlError") ? unavailable(error) : (error as Exclude<E, SqlError.SqlError>)
  )
