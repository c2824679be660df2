import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { SqlClient } from "@effect/sql"
import { expect, it } from "@effect/vitest"
import { Effect, Option, Stream } from "effect"
import { defaultConfiguration } from "../../../src/domain/Configuration.ts"
import { PointsDamaged, StoreUnavailable } from "../../../src/domain/errors.ts"
import { Catalog } from "../../../src/store/Catalog.ts"
import { CatalogTransfer } from "../../../src/store/CatalogTransfer.ts"
import { claimPoints } from "../../../src/store/ownership.ts"
import { PointStore } from "../../../src/store/PointStore.ts"
import * as SqliteFile from "../../../src/store/sqlite/SqliteFile.ts"
import * as SqliteStore from "../../../src/store/sqlite/SqliteStore.ts"
import { expectStored } from "../../contracts/pointStoreSupport.ts"
import { expectBeforeTotals } from "../../contracts/beforeTotals.ts"
import { keptDistance, sessionsWithLaps } from "../../contracts/wholeCatalog.ts"
import { samplePoints } from "../../contracts/samples.ts"
import { temporaryFolder } from "./folder.ts"
import { openSqlite } from "../../runner/sqliteFile.ts"

const session = { circuit: "Spa", vehicle: "GT3", driver: "Anna", datetime: 1.7e9 }
const everything = { sessionId: 1, from: -Infinity, until: Infinity }

it.scopedLive("creates its folder, and has after a restart what it had", () =>
  Effect.gen(function* () {
    const folder = join(yield* temporaryFolder, "new", "data")
    const kept = yield* Effect.gen(function* () {
      const catalog = yield* Catalog
      const points = yield* PointStore
      const { id } = yield* catalog.createSession(session, { recording: true })
      const removed = yield* catalog.createSession(session, { recording: false })
      yield* catalog.deleteSession(removed.id)
      yield* points.write([{ sessionId: id, batch: samplePoints(1.7e9, 5000) }])
      return id
    }).pipe(Effect.provide(SqliteStore.layer(folder)))
    yield* Effect.gen(function* () {
      const catalog = yield* Catalog
      const points = yield* PointStore
      expect(yield* catalog.unendedSessions).toEqual([kept])
      expect(yield* points.count({ ...everything, sessionId: kept })).toBe(5000)
      const next = yield* catalog.createSession(session, { recording: false })
      expect(next.id).toBe(kept + 2)
    }).pipe(Effect.provide(SqliteStore.layer(folder)))
    // Closed by the last one, the file is whole by itself.
    expect(existsSync(`${SqliteStore.databaseFile(folder)}-wal`)).toBe(false)
  })
)

/** A folder with a file that an older version has left. */
const leftBy = (fixture: string) =>
  Effect.map(temporaryFolder, (folder) => {
    const file = openSqlite(SqliteStore.databaseFile(folder))
    file.exec(readFileSync(new URL(`fixtures/${fixture}.sql`, import.meta.url), "utf8"))
    file.close()
    return folder
  })

it.scopedLive("opens a file from before sessions had a distance", () =>
  Effect.gen(function* () {
    const folder = yield* leftBy("before-distance")
    yield* Effect.gen(function* () {
      const catalog = yield* Catalog
      expect(yield* keptDistance(catalog)).toBe(null)
      yield* catalog.extendSessions(new Map([[1, { first: 1.7e9, last: 1.7e9 + 60 }]]))
      yield* catalog.keepDistance(1, { metres: 2000, until: 1.7e9 + 60 })
      expect(yield* keptDistance(catalog)).toBe(2000)
    }).pipe(Effect.provide(SqliteStore.catalogLayer(folder)))
  })
)

it.scopedLive("counts what is in a file of the version before totals", () =>
  Effect.gen(function* () {
    const folder = yield* leftBy("before-totals")
    yield* Effect.flatMap(Catalog, expectBeforeTotals).pipe(Effect.provide(SqliteStore.catalogLayer(folder)))
  })
)

it.scopedLive("brings names that are stored decomposed to NFC", () =>
  Effect.gen(function* () {
    const folder = yield* leftBy("before-totals")
    const decomposed = "A\u030asa"
    const file = openSqlite(join(folder, "telemetry.sqlite"))
    file
      .prepare("UPDATE sessions SET driver = @name, driver_key = @key, circuit = @name, circuit_key = @key")
      .run({ name: decomposed, key: decomposed.toLowerCase() })
    const ids = file
      .prepare("SELECT id FROM sessions ORDER BY id")
      .all()
      .map(({ id }) => Number(id))
    file.close()
    expect(ids.length).toBeGreaterThan(0)
    yield* Effect.gen(function* () {
      const catalog = yield* Catalog
      for (const id of ids) {
        expect(yield* catalog.session(id)).toMatchObject({ driver: "\u00c5sa", circuit: "\u00c5sa" })
      }
    }).pipe(Effect.provide(SqliteStore.catalogLayer(folder)))
  })
)

it.scopedLive("opens a file of the version before sessions, points and nodes had owners", () =>
  Effect.gen(function* () {
    // Made by that version: session 1, session 2 whose deletion was cut short, session 3 that a crash left open.
    const folder = yield* leftBy("before-owners")
    yield* Effect.gen(function* () {
      const catalog = yield* Catalog
      const points = yield* PointStore
      yield* claimPoints
      const { origin } = yield* (yield* CatalogTransfer).identity
      expect(yield* points.ownedBy).toEqual(Option.some(origin))
      expect(
        (yield* sessionsWithLaps(catalog)).map(({ laps, session }) => [session.id, laps.length])
      ).toEqual([
        [1, 1],
        [3, 0]
      ])
      // Nobody said who recorded it.
      expect(yield* catalog.ownUnendedSessions).toEqual([3])
      expect(yield* catalog.pendingRemovals).toEqual([])
      expect(yield* catalog.deleted([1, 2, 3])).toEqual([])
      for (const id of [1, 2, 3]) {
        const all = samplePoints(1.7e9 + id * 1000, 20)
        yield* expectStored(id, all)
        // A session goes on as before.
        if (id === 3) yield* points.write([{ sessionId: id, batch: samplePoints(1.7e9 + id * 1000, 30) }])
      }
      expect(yield* points.count({ ...everything, sessionId: 3 })).toBe(30)
      expect((yield* catalog.createSession(session, { recording: false })).id).toBe(4)
    }).pipe(Effect.provide(SqliteStore.layer(folder)))
  })
)

it.scopedLive("is unavailable where there can be no such file", () =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    writeFileSync(join(folder, "file"), "not a folder")
    writeFileSync(
      join(folder, "telemetry.sqlite"),
      "not a database, and longer than its header would be".repeat(20)
    )
    for (const place of [join(folder, "file"), folder]) {
      const error = yield* Effect.flip(Effect.provide(Catalog, SqliteStore.layer(place)))
      expect(error).toBeInstanceOf(StoreUnavailable)
    }
  })
)

it.scopedLive("its connections survive a power cut, wait for each other and check references", () =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    const settings = yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      return yield* sql`SELECT
        (SELECT journal_mode FROM pragma_journal_mode) AS journal,
        (SELECT synchronous FROM pragma_synchronous) AS synchronous,
        (SELECT timeout FROM pragma_busy_timeout) AS timeout,
        (SELECT foreign_keys FROM pragma_foreign_keys) AS references_checked`
    }).pipe(Effect.provide(SqliteFile.layer(join(folder, "telemetry.sqlite"))))
    expect(settings).toEqual([{ journal: "wal", synchronous: 2, timeout: 20, references_checked: 1 }])
  })
)

it.scopedLive("a block that is damaged makes a read fail, not the service", () =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    const file = SqliteFile.layer(SqliteStore.databaseFile(folder))
    yield* Effect.gen(function* () {
      const points = yield* PointStore
      yield* points.write([{ sessionId: 1, batch: samplePoints(1.7e9, 4096) }])
      yield* Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`UPDATE point_blocks SET data = zeroblob(500)`
      ).pipe(Effect.provide(file))
      expect(yield* Effect.flip(Stream.runDrain(points.read(everything)))).toBeInstanceOf(PointsDamaged)
      const cut = { ...everything, until: 1.7e9 + 10 }
      expect(yield* Effect.flip(points.count(cut))).toBeInstanceOf(PointsDamaged)
      expect(yield* points.count(everything)).toBe(4096)
    }).pipe(Effect.provide(SqliteStore.layer(folder)))
  })
)

it.scopedLive("a configuration that the version before kept has no channels to export", () =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    const kept = {
      connection: { host: "127.0.0.1", port: 9100, app_name: "telemetry-session-service" },
      telemetry_rate: 50,
      auto_export: false,
      export_format: "csv"
    }
    yield* Effect.gen(function* () {
      const catalog = yield* Catalog
      yield* Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`INSERT INTO configuration (id, value) VALUES (1, ${JSON.stringify(kept)})`
      ).pipe(Effect.provide(SqliteFile.layer(SqliteStore.databaseFile(folder))))
      expect(yield* catalog.configuration).toEqual({ ...defaultConfiguration, telemetryRate: 50 })
    }).pipe(Effect.provide(SqliteStore.catalogLayer(folder)))
  })
)

it.scopedLive("a configuration that no longer fits is reported, not guessed", () =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    yield* Effect.gen(function* () {
      const catalog = yield* Catalog
      yield* Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`INSERT INTO configuration (id, value) VALUES (1, '{"telemetry_rate": 0}')`
      ).pipe(Effect.provide(SqliteFile.layer(SqliteStore.databaseFile(folder))))
      expect(yield* Effect.flip(catalog.configuration)).toBeInstanceOf(StoreUnavailable)
    }).pipe(Effect.provide(SqliteStore.catalogLayer(folder)))
  })
)
