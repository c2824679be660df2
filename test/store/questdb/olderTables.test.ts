/**
 * Tables of the version before groups (commit 8df4e60), by its statements: what it stored is read, written on, and written to by
 * that version again.
 */
import { describe, expect, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { channels } from "../../../src/domain/PointBatch.ts"
import { PointStore } from "../../../src/store/PointStore.ts"
import * as QuestdbStore from "../../../src/store/questdb/QuestdbStore.ts"
import { groupSamples } from "../../contracts/groupSamples.ts"
import { ownerOf } from "../../contracts/pointStoreOwning.ts"
import { countSamples, expectGroup, writeSamples } from "../../contracts/pointStoreSamplesSupport.ts"
import { count, expectStored, write } from "../../contracts/pointStoreSupport.ts"
import { part, samplePoints } from "../../contracts/samples.ts"
import { needing } from "../../runner/needing.ts"
import { questdbHere, sharedQuestdb } from "../../servers/questdb.ts"

const START = 1.7e9
const SESSION = 7
const CATALOG = "a catalog"

const values = ["time", ...channels.slice(1)]

const tables = [
  `CREATE TABLE IF NOT EXISTS ~points (
    session SYMBOL CAPACITY 4096, ${values.map((name) => `${name} DOUBLE`).join(", ")}, ts TIMESTAMP_NS
  ) TIMESTAMP(ts) PARTITION BY HOUR WAL DEDUP UPSERT KEYS(ts, session)`,
  "CREATE TABLE IF NOT EXISTS ~point_removals (session LONG, ts TIMESTAMP) TIMESTAMP(ts) PARTITION BY YEAR WAL",
  `CREATE TABLE IF NOT EXISTS ~sessions (
    session SYMBOL, circuit SYMBOL, vehicle SYMBOL, driver SYMBOL, laps LONG, duration DOUBLE, best_lap_time DOUBLE,
    ts TIMESTAMP
  ) TIMESTAMP(ts) PARTITION BY YEAR WAL DEDUP UPSERT KEYS(ts, session)`,
  `CREATE TABLE IF NOT EXISTS ~laps (
    session SYMBOL, lap_id LONG, lap_number LONG, lap_time DOUBLE, sector1_time DOUBLE, sector2_time DOUBLE,
    sector3_time DOUBLE, valid BOOLEAN, start_time DOUBLE, end_time DOUBLE, ts TIMESTAMP
  ) TIMESTAMP(ts) PARTITION BY YEAR WAL DEDUP UPSERT KEYS(ts, session, lap_id)`,
  "CREATE TABLE IF NOT EXISTS ~point_owner (catalog SYMBOL, ts TIMESTAMP) TIMESTAMP(ts) PARTITION BY YEAR WAL",
  `INSERT INTO ~point_owner VALUES ('${CATALOG}', 0)`
]

const all = samplePoints(START, 400)
const tyres = groupSamples(START + 2, 90, { rate: 20 })

/** A statement that stores these points as a row of the older version is: by the names of its columns. */
const inserted = (from: number, to: number) => {
  const rows = Array.from({ length: to - from }, (_, i) => {
    const told = channels.map((channel) => all.column(channel)[from + i]!)
    const nanoseconds = BigInt(Math.round((told[0]! - START) * 1e9)) + BigInt(START) * 1_000_000_000n
    return `('${SESSION}', ${told.join(", ")}, ${nanoseconds}::timestamp_ns)`
  })
  return `INSERT INTO ~points (session, ${values.join(", ")}, ts) VALUES ${rows.join(", ")}`
}

describe("QuestDB's tables of the version before groups", needing(questdbHere), () => {
  it.scopedLive("are read, take points and samples, and stay what that version reads and writes", () =>
    Effect.gen(function* () {
      const questdb = yield* sharedQuestdb
      const sql = (text: string) =>
        Effect.promise(() => questdb.sql(text.replaceAll("~", questdb.address.prefix)))
      const applied = sql("SELECT wait_wal_table('~points')")
      const columnsOfPoints = sql(`SELECT "column", type, upsertKey FROM table_columns('~points')`)
      yield* Effect.forEach(tables, sql)
      yield* sql(inserted(0, 100))
      yield* applied
      const before = yield* columnsOfPoints

      const stores = yield* Layer.build(Layer.fresh(QuestdbStore.server(questdb.address)))
      yield* Effect.gen(function* () {
        const store = Context.get(stores, PointStore)
        yield* store.claim(ownerOf(CATALOG, [SESSION]))
        yield* expectStored(SESSION, part(all, 0, 100))
        expect(yield* countSamples(SESSION, "tyres")).toBe(0)
        yield* write(SESSION, part(all, 100, 300))
        yield* writeSamples(SESSION, "tyres", tyres)
        yield* expectStored(SESSION, part(all, 0, 300))

        // That version goes on: it names its columns, and finds them as they were.
        expect(yield* columnsOfPoints).toEqual(before)
        yield* sql(inserted(300, 400))
        yield* applied
        expect(yield* sql("SELECT count(), min(time), max(time) FROM ~points")).toEqual([
          [400, all.timestamps[0], all.timestamps[399]]
        ])
        yield* expectStored(SESSION, all)
        expect(yield* count(SESSION)).toBe(400)
        yield* expectGroup(SESSION, "tyres", tyres)
      }).pipe(Effect.provide(stores))
    })
  )
})
