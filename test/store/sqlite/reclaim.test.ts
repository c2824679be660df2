/** The space of removed sessions, on the disk: counted in bytes of the file. */
import { statSync } from "node:fs"
import { SqlClient } from "@effect/sql"
import { expect, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { POINTS } from "../../../src/domain/Dictionary.ts"
import { RowStore } from "../../../src/store/RowStore.ts"
import * as BlockWriter from "../../../src/store/sqlite/BlockWriter.ts"
import { migratePoints } from "../../../src/store/sqlite/pointMigrations.ts"
import * as SqliteFile from "../../../src/store/sqlite/SqliteFile.ts"
import * as SqliteStore from "../../../src/store/sqlite/SqliteStore.ts"
import { breathe } from "../../../src/platform/threads/breathe.ts"
import { expectStored } from "../../contracts/rowStoreSupport.ts"
import { part, samplePoints } from "../../contracts/samples.ts"
import { temporaryFolder } from "./folder.ts"

const COUNT = 120_000

it.scopedLive("space goes back to the disk after a removal, and no other session's with it", () =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    const file = SqliteStore.databaseFile(folder)
    const size = () => statSync(file).size + statSync(`${file}-wal`).size
    const all = samplePoints(1.7e9, COUNT)
    yield* Effect.gen(function* () {
      const store = yield* RowStore
      for (const sessionId of [1, 2]) yield* store.write([{ sessionId, group: POINTS, batch: all }])
      const used = yield* store.bytes
      expect(size()).toBeGreaterThan(used * 0.99)
      yield* store.remove(1)
      expect(yield* store.bytes).toBeLessThan(0.6 * used)
      while (size() > 0.6 * used) yield* Effect.sleep("5 millis")
      yield* expectStored(2, all)
    }).pipe(Effect.provide(SqliteStore.layer(folder)))
  })
)

it.scopedLive("space goes back in pieces, between which points are committed", () =>
  Effect.gen(function* () {
    const file = `${yield* temporaryFolder}/points.sqlite`
    yield* Effect.gen(function* () {
      yield* migratePoints
      const writer = yield* BlockWriter.make
      const sql = yield* SqlClient.SqlClient
      const free = Effect.map(
        sql<{ freelist_count: number }>`PRAGMA freelist_count`,
        ([row]) => row!.freelist_count
      )
      const all = samplePoints(1.7e9, COUNT)
      for (const sessionId of [1, 2]) yield* writer.write([{ sessionId, group: POINTS, batch: all }])
      yield* writer.remove(1)
      const before = yield* free
      // More than four pieces.
      expect(before).toBeGreaterThan(1024)
      const reclaiming = yield* Effect.fork(writer.reclaim)
      while ((yield* free) === before) yield* breathe
      yield* writer.write([{ sessionId: 3, group: POINTS, batch: part(all, 0, 1) }])
      expect(yield* free).toBeGreaterThan(0)
      yield* Fiber.join(reclaiming)
      expect(yield* free).toBe(0)
      expect(
        yield* sql`SELECT session_id AS id, sum(length) AS points FROM blocks WHERE group_name = 'points' GROUP BY session_id`
      ).toEqual([
        { id: 2, points: COUNT },
        { id: 3, points: 1 }
      ])
      expect(yield* sql`PRAGMA integrity_check`).toEqual([{ integrity_check: "ok" }])
    }).pipe(Effect.provide(Layer.fresh(SqliteFile.layer(file))))
  })
)
