/** A catalog behind PgBouncer in transaction mode. */
import { describe, expect, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { Client } from "pg"
import { Sessions } from "../../../src/store/Sessions.ts"
import * as PostgresCatalog from "../../../src/store/postgres/PostgresCatalog.ts"
import { needing } from "../../support/needing.ts"
import { behindPgbouncer, pgbouncerHere } from "../../support/servers/pgbouncer.ts"
import { postgresHere, sharedPostgres } from "../../support/servers/postgres.ts"

const POOL = 4

/** The numbers of held and awaited advisory locks of a database. */
const locks = (url: string) =>
  Effect.promise(async () => {
    const client = new Client({ connectionString: url })
    await client.connect()
    const { rows } = await client.query<{ readonly granted: boolean }>(
      `SELECT granted FROM pg_locks WHERE locktype = 'advisory'
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
    )
    await client.end()
    return rows.map(({ granted }) => granted)
  })

describe("with a real server", needing(postgresHere, pgbouncerHere), () => {
  it.scopedLive("a catalog behind PgBouncer is opened by several at once, and holds no lock then", () =>
    Effect.gen(function* () {
      const { url } = yield* sharedPostgres
      const behind = yield* behindPgbouncer(url, POOL)
      for (let times = 0; times < 2; times++) {
        yield* Effect.forEach(
          Array.from({ length: 6 }),
          () => Layer.build(Layer.fresh(PostgresCatalog.layer(behind))),
          { concurrency: "unbounded" }
        )
        expect(yield* locks(url)).toEqual([])
      }
    })
  )

  it.scopedLive("a catalog behind PgBouncer is opened with a single connection", () =>
    Effect.gen(function* () {
      const { url } = yield* sharedPostgres
      const behind = yield* behindPgbouncer(url, 1)
      const sessions = Context.get(yield* Layer.build(PostgresCatalog.layer(behind)), Sessions)
      expect(yield* sessions.sessionIds).toEqual([])
    })
  )
})
