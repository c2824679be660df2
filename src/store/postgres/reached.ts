/**
 * Waits for a PostgreSQL that is ready later than the service: when all machines start together, or while it recovers
 * from a crash and refuses connections. Without a catalog there are no ids to record under, so the service has to wait.
 * The wait is limited, because a wrong address has to be reported.
 */
import type * as SqlError from "@effect/sql/SqlError"
import { Clock, Duration, Effect } from "effect"
import { StoreUnavailable } from "../../domain/errors.ts"
import { reachingServer } from "../../platform/retryPolicies.ts"
import { reasonOf } from "../../platform/systemErrors.ts"
import { codeOf, consequenceOf } from "../sql/sqlState.ts"

/** The address without the password. */
export const whereabouts = (url: string): string => {
  const { host, pathname } = new URL(url)
  return `PostgreSQL at ${host}${pathname}`
}

/** Runs `connect` again and again, for `wait` at most, while the server does not answer. A failure becomes a sentence. */
export const reached = Effect.fn("postgres.reached")(function* <A, R>(
  url: string,
  wait: Duration.Duration,
  connect: Effect.Effect<A, SqlError.SqlError, R>
) {
  const server = whereabouts(url)
  const begun = yield* Clock.currentTimeMillis
  const left = Effect.map(Clock.currentTimeMillis, (now) => Duration.toMillis(wait) - (now - begun))
  let failures = 0

  const failed = Effect.fnUntraced(function* (error: SqlError.SqlError) {
    const what = `${server}: ${reasonOf(error)}`
    const over = (yield* left) <= 0
    if (over || consequenceOf(codeOf(error)) === "end") {
      const after = over && failures > 0 ? `; waited ${Duration.format(wait)} for it` : ""
      return yield* new StoreUnavailable({ store: "postgres", cause: error, reason: `${what}${after}` })
    }
    failures++
    yield* Effect.logWarning(`${what}. Waiting for it, ${Duration.format(wait)} at most`)
    return yield* error
  })

  const connected = yield* Effect.catchAll(connect, failed).pipe(
    Effect.retry({
      while: (error) => error._tag === "SqlError",
      schedule: reachingServer
    }),
    // Never happens: SQL errors are retried above.
    Effect.catchTag("SqlError", Effect.die)
  )
  if (failures > 0) yield* Effect.logInfo(`${server} answers`)
  return connected
})
