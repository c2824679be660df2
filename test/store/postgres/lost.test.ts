/** A connection to PostgreSQL that breaks in the middle of a transaction. */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { Sessions } from "../../../src/store/Sessions.ts"
import * as PostgresCatalog from "../../../src/store/postgres/PostgresCatalog.ts"
import { clientOf, postgresHere, sharedPostgres } from "../../support/servers/postgres.ts"
import { needing } from "../../support/needing.ts"

describe("with a real server", needing(postgresHere), () => {
  it.scopedLive("a connection lost in a transaction is a retryable failure, and is replaced", () =>
    Effect.gen(function* () {
      const { url } = yield* sharedPostgres
      const other = yield* clientOf(url)
      const query = (text: string) => Effect.promise(() => other.query<{ readonly pid: number }>(text))
      yield* Effect.gen(function* () {
        const sessions = yield* Sessions
        const { id } = yield* sessions.createSession(
          { circuit: "Spa", vehicle: "GT3", driver: "Anna", datetime: 0 },
          { recording: true }
        )
        yield* query("BEGIN")
        yield* query("UPDATE changes SET latest = latest")
        const ending = yield* Effect.fork(Effect.flip(sessions.endSession(id)))
        // It has begun, and waits for its turn.
        const waiting =
          "FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        let pid: number | undefined
        while (pid === undefined) pid = (yield* query(`SELECT pid ${waiting}`)).rows[0]?.pid
        yield* query(`SELECT pg_terminate_backend(${pid})`)
        expect(yield* Fiber.join(ending)).toMatchObject({ _tag: "StoreUnavailable", store: "catalog" })
        yield* query("COMMIT")
        yield* sessions.endSession(id)
        expect(yield* sessions.unendedSessions).toEqual([])
      }).pipe(Effect.provide(PostgresCatalog.layer(url)))
    })
  )
})
