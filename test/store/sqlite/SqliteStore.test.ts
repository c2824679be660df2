import { chmodSync, existsSync, readdirSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { SqlClient } from "@effect/sql"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { defaultConfiguration } from "../../../src/domain/Configuration.ts"
import { POINTS } from "../../../src/domain/Dictionary.ts"
import { StoreUnavailable } from "../../../src/domain/errors.ts"
import { RowStore } from "../../../src/store/RowStore.ts"
import { Sessions } from "../../../src/store/Sessions.ts"
import * as SqliteFile from "../../../src/store/sqlite/SqliteFile.ts"
import * as SqliteStore from "../../../src/store/sqlite/SqliteStore.ts"
import { samplePoints } from "../../contracts/samples.ts"
import { temporaryFolder } from "./folder.ts"
import { catalogService } from "../../contracts/catalogService.ts"

const session = { circuit: "Spa", vehicle: "GT3", driver: "Anna", datetime: 1.7e9 }
const everything = { sessionId: 1, group: POINTS, from: -Infinity, until: Infinity }

it.scopedLive("SqliteStore creates its folder, and has its content after a restart", () =>
  Effect.gen(function* () {
    const folder = join(yield* temporaryFolder, "new", "data")
    const kept = yield* Effect.gen(function* () {
      const catalog = yield* catalogService
      const points = yield* RowStore
      const { id } = yield* catalog.createSession(session, { recording: true })
      const removed = yield* catalog.createSession(session, { recording: false })
      yield* catalog.deleteSession(removed.id)
      yield* points.write([{ sessionId: id, group: POINTS, batch: samplePoints(1.7e9, 5000) }])
      return id
    }).pipe(Effect.provide(SqliteStore.layer(folder)))
    yield* Effect.gen(function* () {
      const catalog = yield* catalogService
      const points = yield* RowStore
      expect(yield* catalog.unendedSessions).toEqual([kept])
      expect(yield* points.count({ ...everything, sessionId: kept })).toBe(5000)
      const next = yield* catalog.createSession(session, { recording: false })
      expect(next.id).toBe(kept + 2)
    }).pipe(Effect.provide(SqliteStore.layer(folder)))
    // Closed by the last connection, the file is complete without its log.
    expect(existsSync(`${SqliteStore.databaseFile(folder)}-wal`)).toBe(false)
  })
)

it.scopedLive("SqliteStore's files are readable by their owner alone", () =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    const modes = Effect.gen(function* () {
      // So that there is a log.
      yield* (yield* catalogService).putConfiguration(defaultConfiguration)
      return readdirSync(folder).map((name) => [name, statSync(join(folder, name)).mode & 0o777])
    }).pipe(Effect.provide(SqliteStore.layer(folder)))
    const found = yield* modes
    expect(found.map(([name]) => name)).toContain("telemetry.sqlite-wal")
    expect(found.filter(([, mode]) => mode !== 0o600)).toEqual([])
    // An owner may let others read it.
    chmodSync(join(folder, "telemetry.sqlite"), 0o640)
    expect(Object.fromEntries(yield* modes)["telemetry.sqlite"]).toBe(0o640)
  })
)

it.scopedLive("SqliteStore is unavailable if the file cannot exist", () =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    writeFileSync(join(folder, "file"), "not a folder")
    writeFileSync(
      join(folder, "telemetry.sqlite"),
      "not a database, and longer than its header would be".repeat(20)
    )
    for (const place of [join(folder, "file"), folder]) {
      const error = yield* Effect.flip(Effect.provide(Sessions, SqliteStore.layer(place)))
      expect(error).toBeInstanceOf(StoreUnavailable)
    }
  })
)

it.scopedLive("SqliteStore's connections survive a power cut, wait for each other and check references", () =>
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

it.scopedLive("a configuration that no longer fits is reported, not guessed", () =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    yield* Effect.gen(function* () {
      const catalog = yield* catalogService
      yield* Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`INSERT INTO configuration (id, value) VALUES (1, '{"telemetry_rate": 0}')`
      ).pipe(Effect.provide(SqliteFile.layer(SqliteStore.databaseFile(folder))))
      expect(yield* Effect.flip(catalog.configuration)).toBeInstanceOf(StoreUnavailable)
    }).pipe(Effect.provide(SqliteStore.catalogLayer(folder)))
  })
)
