/** Servers that answer late, strangely or never, and settings of a database's administrator. */
import { describe, expect, it } from "@effect/vitest"
import { Duration, Effect, Fiber, Layer } from "effect"
import type { NewLap } from "../../../src/domain/Lap.ts"
import * as PostgresCatalog from "../../../src/store/postgres/PostgresCatalog.ts"
import { needing } from "../../support/needing.ts"
import { clientOf, postgresHere, sharedPostgres } from "../../support/servers/postgres.ts"
import { wayTo } from "../../support/servers/silence.ts"
import { catalogIn } from "../../contracts/catalogService.ts"

const names = { circuit: "Spa", vehicle: "GT3", driver: "Anna", datetime: 1.7e9 }

const opened = (url: string, patience = PostgresCatalog.COMMAND) =>
  Effect.map(Layer.build(Layer.fresh(PostgresCatalog.layer(url, patience))), catalogIn)

/** Statements of another program. */
const another = (url: string) =>
  Effect.map(
    clientOf(url),
    (client) => (text: string) =>
      Effect.promise(async () => (await client.query<Record<string, unknown>>(text)).rows)
  )

const databaseOf = (url: string) => new URL(url).pathname.slice(1)

/** Far longer than a statement takes, and far shorter than a lock is held or a lost server silent: for ever. */
const BOUND: PostgresCatalog.Patience = { reached: Duration.zero, statement: Duration.seconds(2) }

describe("with a real server", needing(postgresHere), () => {
  it.scopedLive("a connection that falls silent is given up, and the next attempt has another", () =>
    Effect.gen(function* () {
      const { url } = yield* sharedPostgres
      const way = yield* wayTo(url)
      const catalog = yield* opened(way.url, BOUND)
      yield* catalog.createSession(names, { recording: false })
      yield* way.fallSilent
      const failure = yield* Effect.flip(catalog.createSession(names, { recording: true }))
      expect(failure).toMatchObject({ _tag: "StoreUnavailable", store: "catalog", refusal: undefined })
      yield* catalog.createSession(names, { recording: true })
      expect((yield* catalog.counts).sessions).toBe(2)
    })
  )

  it.scopedLive("a statement whose caller gives up does not delay others", () =>
    Effect.gen(function* () {
      const { url } = yield* sharedPostgres
      const way = yield* wayTo(url)
      const catalog = yield* opened(way.url)
      yield* catalog.check
      yield* way.fallSilent
      const failure = yield* Effect.flip(Effect.timeout(catalog.check, "100 millis"))
      expect(failure).toMatchObject({ _tag: "TimeoutException" })
      yield* Effect.all([catalog.check, catalog.check, catalog.check], { concurrency: "unbounded" })
    })
  )

  it.scopedLive("a transaction that is given up while it waits for a lock does not delay others", () =>
    Effect.gen(function* () {
      const { url } = yield* sharedPostgres
      const catalog = yield* opened(url)
      const other = yield* another(url)
      yield* other("BEGIN")
      yield* other("UPDATE changes SET latest = latest")
      const given = yield* Effect.fork(catalog.createSession(names, { recording: true }))
      const waiting = other(
        "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
      )
      yield* Effect.repeat(waiting, { until: ({ length }) => length > 0 })
      yield* Fiber.interrupt(given)
      yield* catalog.check
      yield* other("COMMIT")
      yield* catalog.createSession(names, { recording: true })
    })
  )

  it.scopedLive("the server ends a statement that waits too long for a lock, and reads work afterwards", () =>
    Effect.gen(function* () {
      const { url } = yield* sharedPostgres
      const catalog = yield* opened(url, BOUND)
      const other = yield* another(url)
      yield* other("BEGIN")
      yield* other("LOCK TABLE sessions IN ACCESS EXCLUSIVE MODE")
      const failure = yield* Effect.flip(catalog.sessions({ limit: 1, offset: 0 }))
      expect(failure.cause).toMatchObject({ cause: { code: "57014" } })
      yield* other("COMMIT")
      yield* catalog.check
    })
  )

  it.scopedLive("a read-only connection is replaced, so that writes work once its cause has passed", () =>
    Effect.gen(function* () {
      const { url } = yield* sharedPostgres
      const other = yield* another(url)
      yield* Effect.scoped(opened(url))
      const set = (what: string) => other(`ALTER DATABASE ${databaseOf(url)} ${what}`)
      const catalog = yield* opened(url)
      yield* other(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
      )
      yield* set("SET default_transaction_read_only = on")
      const failed = yield* Effect.repeat(Effect.flip(catalog.createSession(names, { recording: true })), {
        until: ({ cause }) => JSON.stringify(cause).includes("25006")
      })
      expect(failed).toMatchObject({ _tag: "StoreUnavailable", refusal: undefined })
      yield* set("RESET default_transaction_read_only")
      yield* catalog.createSession(names, { recording: true })
    })
  )

  it.scopedLive("an id too large for a column is an unknown session", () =>
    Effect.gen(function* () {
      const { url } = yield* sharedPostgres
      const catalog = yield* opened(url)
      for (const id of [3_000_000_000, Number.MAX_SAFE_INTEGER]) {
        for (const operation of [
          catalog.session(id),
          catalog.laps(id),
          catalog.claimSession(id),
          catalog.deleteSession(id),
          catalog.pinSession(id, true),
          catalog.renameSession(id, names),
          catalog.dictionary(id).pipe(Effect.zipRight(catalog.session(id)))
        ]) {
          expect(yield* Effect.flip(operation as Effect.Effect<unknown, unknown>)).toMatchObject({
            _tag: "SessionNotFound",
            sessionId: id
          })
        }
        expect(yield* Effect.flip(catalog.lap(id))).toMatchObject({ _tag: "LapNotFound", lapId: id })
        expect(yield* catalog.lapsAfter(id, { most: 1, sessionId: id })).toEqual([])
        expect(yield* catalog.sessionsAfter(id, 1)).toEqual([])
      }
    })
  )

  it.scopedLive("times are read to the last bit, with any extra_float_digits of the database", () =>
    Effect.gen(function* () {
      const { url } = yield* sharedPostgres
      const other = yield* another(url)
      yield* other(`ALTER DATABASE ${databaseOf(url)} SET extra_float_digits = 0`)
      const catalog = yield* opened(url)
      const { id } = yield* catalog.createSession(names, { recording: true })
      const lap: NewLap = {
        sessionId: id,
        lapNumber: 1,
        lapTime: 90.12345678901234,
        sector1Time: null,
        sector2Time: null,
        sector3Time: null,
        sectorSource: null,
        valid: true,
        startTime: 1_700_000_000.1234567,
        endTime: 1_700_000_090.2469134
      }
      yield* catalog.addLaps([lap])
      expect(yield* catalog.laps(id)).toMatchObject([
        { lapTime: lap.lapTime, startTime: lap.startTime, endTime: lap.endTime }
      ])
    })
  )

  it.scopedLive("a database whose encoding lacks letters is refused", () =>
    Effect.gen(function* () {
      const { url } = yield* sharedPostgres
      const other = yield* another(url)
      const name = `${databaseOf(url)}_latin1`
      yield* Effect.acquireRelease(
        other(`CREATE DATABASE ${name} ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0`),
        () => other(`DROP DATABASE ${name} WITH (FORCE)`)
      )
      const { reason } = yield* Effect.flip(opened(url.replace(databaseOf(url), name)))
      expect(reason).toMatch(/_latin1 has the encoding LATIN1, .*ENCODING 'UTF8'/)
    })
  )

  it.scopedLive(
    "a database with another program's table is refused by that table's name, and stays as it was",
    () =>
      Effect.gen(function* () {
        const { url } = yield* sharedPostgres
        const other = yield* another(url)
        yield* other("CREATE TABLE sessions (theirs integer)")
        const { reason } = yield* Effect.flip(opened(url))
        expect(reason).toMatch(/relation "sessions" already exists, .*a database of its own/)
        const tables = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
        expect(yield* other(tables)).toEqual([{ tablename: "sessions" }])
      })
  )
})
