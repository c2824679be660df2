/** QuestDB's part of groups of channels: their tables, groups without a table, and a suspended table. */
import { ownerOf } from "../../contracts/rowStoreOwning.ts"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "@effect/vitest"
import { Context, Effect, Layer, Option, Stream } from "effect"
import { POINTS } from "../../../src/domain/Dictionary.ts"
import { RowBatch } from "../../../src/domain/RowBatch.ts"
import { RowStore } from "../../../src/store/RowStore.ts"
import { MAX_GROUP_COLUMNS, MAX_GROUP_TABLES } from "../../../src/store/questdb/groupTables.ts"
import * as QuestdbStore from "../../../src/store/questdb/QuestdbStore.ts"
import { groupSamples, tyres } from "../../contracts/groupSamples.ts"
import { expectGroup, readSamples, writeSamples } from "../../contracts/rowStoreSamplesSupport.ts"
import { expectStored, write } from "../../contracts/rowStoreSupport.ts"
import { part, samplePoints } from "../../contracts/samples.ts"
import { needing } from "../../support/needing.ts"
import { ownQuestdbHere, questdbHere, questdbServer, sharedQuestdb } from "../../support/servers/questdb.ts"

const operations = readFileSync(
  fileURLToPath(new URL("../../../docs/operations.md", import.meta.url)),
  "utf8"
)

const HOUR_S = 3600
const START = 1.7e9 - (1.7e9 % HOUR_S)

/** Samples of the nth hour, which fill one partition. */
const hour = (n: number) => groupSamples(START + n * HOUR_S, 100)

/** The store without a spool, which would take rows that the server refuses, and the server's tables behind `prefix`. */
const opened = Effect.fn(function* (questdb: Effect.Effect.Success<typeof sharedQuestdb>) {
  const stores = yield* Layer.build(Layer.fresh(QuestdbStore.server(questdb.address)))
  const { prefix } = questdb.address
  return {
    stores,
    store: Context.get(stores, RowStore),
    prefix,
    sql: (statement: string) => Effect.promise(() => questdb.sql(statement.replaceAll("~", prefix))),
    suspend: (table: string, how?: string) => questdb.suspend(`${prefix}${table}`, how)
  }
})

describe("groups of channels in a real QuestDB", needing(questdbHere), () => {
  it.scopedLive("have the tables that the documentation gives to analysts, with NULL for absent values", () =>
    Effect.gen(function* () {
      const { sql, store, stores } = yield* opened(yield* sharedQuestdb)
      const all = groupSamples(START, 6, { columns: ["timestamp", "select", "tyre_temperature_rl"] })
      yield* Effect.gen(function* () {
        yield* writeSamples(7, "tyres", part(all, 0, 3), part(all, 3, 6))
        yield* expectGroup(7, "tyres", all)
      }).pipe(Effect.provide(stores))
      expect(
        yield* sql(`SELECT partitionBy, walEnabled, dedup FROM tables() WHERE table_name = '~tyres'`)
      ).toEqual([["HOUR", true, true]])
      const columns = yield* sql(
        `SELECT "column", type, upsertKey FROM table_columns('~tyres') ORDER BY "column"`
      )
      expect(columns).toEqual([
        ["select", "DOUBLE", false],
        ["session", "SYMBOL", true],
        ["time", "DOUBLE", false],
        ["ts", "TIMESTAMP_NS", true],
        ["tyre_temperature_rl", "DOUBLE", false]
      ])
      expect(
        yield* sql(
          `SELECT "select", tyre_temperature_rl IS NULL FROM "~tyres" WHERE session = '7' ORDER BY ts`
        )
      ).toEqual([...all.column("select")].map((value, i) => [value, i % 3 === 0]))
      expect(yield* store.bytes).toBeGreaterThan(0)
    })
  )

  it.scopedLive("go on in existing columns, also after another process has added some", () =>
    Effect.gen(function* () {
      const questdb = yield* sharedQuestdb
      const [one, other] = [yield* opened(questdb), yield* opened(questdb)]
      const [a, b] = [
        ["timestamp", "a"],
        ["timestamp", "b", "a"]
      ].map((columns) => groupSamples(START, 50, { columns })) as [RowBatch, RowBatch]
      yield* Effect.provide(writeSamples(1, "mixed", a), one.stores)
      yield* Effect.provide(writeSamples(2, "mixed", b), other.stores)
      // The first process has read the columns before.
      yield* Effect.provide(expectGroup(2, "mixed", b), one.stores)
      yield* Effect.provide(writeSamples(3, "mixed", b), one.stores)
      yield* Effect.provide(expectGroup(3, "mixed", b), other.stores)
      yield* Effect.provide(expectGroup(1, "mixed", a), other.stores)
    })
  )

  it.scopedLive("are refused if another program has a table of their name, and no others", () =>
    Effect.gen(function* () {
      const { sql, store, stores } = yield* opened(yield* sharedQuestdb)
      yield* sql("CREATE TABLE ~fuel (fuel DOUBLE, ts TIMESTAMP) TIMESTAMP(ts) PARTITION BY DAY WAL")
      const [points, warm] = [samplePoints(START, 100), groupSamples(START, 30)]
      const fuel = groupSamples(START, 30, { columns: ["timestamp", "fuel"] })
      for (const [from, to] of [
        [0, 20],
        [20, 30]
      ] as const) {
        yield* store.write([
          { sessionId: 1, group: "fuel", batch: part(fuel, from, to) },
          { sessionId: 1, group: POINTS, batch: part(points, from, to) },
          { sessionId: 1, group: "tyres", batch: part(warm, from, to) }
        ])
      }
      yield* Effect.provide(expectStored(1, part(points, 0, 30)), stores)
      yield* Effect.provide(expectGroup(1, "tyres", warm), stores)
      expect(yield* store.groups(1)).toEqual([POINTS, "tyres"])
      expect(yield* store.count({ sessionId: 1, group: "fuel", from: -Infinity, until: Infinity })).toBe(0)
      yield* store.check
      expect(yield* sql("SELECT count() FROM ~fuel")).toEqual([[0]])
      // Once it is gone the next session has the group.
      yield* sql("DROP TABLE ~fuel")
      yield* store.seal(1)
      yield* Effect.provide(writeSamples(2, "fuel", fuel), stores)
      yield* Effect.provide(expectGroup(2, "fuel", fuel), stores)
    })
  )

  it.scopedLive("are joined to points and laps by the documented queries", () =>
    Effect.gen(function* () {
      const { prefix, sql, store } = yield* opened(yield* sharedQuestdb)
      const documented = [...operations.matchAll(/```sql\n([^`]*ASOF JOIN[^`]*t ON \(session\)[^`]*)```/g)]
      const statements = documented.flatMap(([, text]) => text!.split("\n\n"))
      expect(statements).toHaveLength(2)
      const fuel = groupSamples(START, 120, { columns: ["timestamp", "fuel"], rate: 1 })
      for (const [i] of fuel.timestamps.entries()) fuel.column("fuel")[i] = 50 - i / 8
      const warm = groupSamples(START, 120, { columns: ["timestamp", "tyre_temperature_fl"], rate: 1 })
      for (const [i] of warm.timestamps.entries()) warm.column("tyre_temperature_fl")[i] = i < 60 ? 80 : 90
      for (const sessionId of [3, 4]) {
        const batch = samplePoints(START, 120 * 60)
        batch.column("speed").fill(100 * sessionId)
        yield* store.write([
          { sessionId, group: POINTS, batch },
          { sessionId, group: "fuel", batch: fuel },
          { sessionId, group: "tyres", batch: warm }
        ])
      }
      for (const lap of [0, 1]) {
        const [start, end] = [START + lap * 60, START + lap * 60 + 60]
        yield* sql(`INSERT INTO ~laps (session, lap_id, lap_number, valid, start_time, end_time, ts)
          VALUES ('3', ${lap}, ${lap + 1}, true, ${start}, ${end}, ${start}000000::timestamp)`)
      }
      yield* store.check
      for (const table of ["laps", "fuel", "tyres"]) yield* sql(`SELECT wait_wal_table('~${table}')`)
      const query = (text: string) => sql(text.replaceAll(/FROM (?=[a-z])/g, `FROM ${prefix}`))
      const minutes = yield* query(statements[0]!)
      expect(minutes.map(([, ...values]) => values)).toEqual([
        [300, 80],
        [300, 90]
      ])
      // From the first sample of a lap to the last: 59 s.
      expect(yield* query(statements[1]!)).toEqual([
        [1, 59 / 8],
        [2, 59 / 8]
      ])
    })
  )

  it.scopedLive("beyond the limits are refused: whole groups, and a group's further columns", () =>
    Effect.gen(function* () {
      const { sql, store, stores } = yield* opened(yield* sharedQuestdb)
      yield* store.check
      // As if there were a table for each.
      for (let n = 0; n < MAX_GROUP_TABLES - 1; n++) {
        yield* sql(`INSERT INTO ~point_groups ("group", ts) VALUES ('g${n}', 0::timestamp)`)
      }
      yield* sql("SELECT wait_wal_table('~point_groups')")
      const wide = Array.from({ length: MAX_GROUP_COLUMNS }, (_, n) => `c${n}`)
      const all = groupSamples(START, 3, { columns: ["timestamp", ...wide.slice(0, 1020)] })
      const more = groupSamples(START, 3, { columns: ["timestamp", "c0", ...wide.slice(1020), "d0", "d1"] })
      yield* Effect.gen(function* () {
        yield* writeSamples(1, "wide", all)
        yield* writeSamples(2, "wide", more)
        yield* expectGroup(1, "wide", all)
        const kept = more.channels.slice(0, -2)
        expect(yield* readSamples(2, "wide", kept)).toEqual(more.only(kept))
        const beyond = yield* readSamples(2, "wide", ["d0", "d1"])
        expect(beyond.length).toBe(3)
        expect(beyond.data.every(Number.isNaN)).toBe(true)
        yield* writeSamples(1, "tyres", groupSamples(START, 3))
        yield* write(1, samplePoints(START, 3))
        yield* expectStored(1, samplePoints(START, 3))
        expect(yield* store.groups(1)).toEqual([POINTS, "wide"])
      }).pipe(Effect.provide(stores))
    })
  )

  it.scopedLive("release the space of removed sessions with the points, and of no others", () =>
    Effect.gen(function* () {
      const { sql, store, stores } = yield* opened(yield* sharedQuestdb)
      yield* Effect.gen(function* () {
        yield* writeSamples(1, "tyres", hour(0), hour(1))
        yield* writeSamples(2, "tyres", hour(1), hour(2))
        yield* writeSamples(3, "tyres", hour(4))
        yield* store.remove(1)
        yield* store.remove(1)
        expect(yield* store.sessionIds).toEqual([2, 3])
        yield* store.reclaim(START + 100 * HOUR_S)
        yield* expectGroup(2, "tyres", RowBatch.concat([hour(1), hour(2)]))
        // Under its next key.
        yield* writeSamples(1, "tyres", hour(5))
        yield* expectGroup(1, "tyres", hour(5))
      }).pipe(Effect.provide(stores))
      expect(yield* sql("SELECT session, count() FROM ~tyres GROUP BY session ORDER BY session")).toEqual([
        ["1", 100],
        ["1.1", 100],
        ["2", 200],
        ["3", 100]
      ])
    })
  )

  it.scopedLive("belong to the points' owner: a catalog without one of their sessions is refused", () =>
    Effect.gen(function* () {
      const questdb = yield* sharedQuestdb
      const { store, stores } = yield* opened(questdb)
      yield* Effect.provide(writeSamples(9, "tyres", groupSamples(START, 3)), stores)
      const owner = ownerOf("another")
      expect(yield* Effect.flip(store.claim(owner))).toMatchObject({ unknown: [9] })
    })
  )
})

// Suspending a table takes development mode, which a server that the environment gave need not have.
describe("a suspended table of a group", needing(ownQuestdbHere), () => {
  it.scopedLive("fails its reads and the health check, and loses nothing; points are not affected", () =>
    Effect.gen(function* () {
      const { prefix, sql, store, stores, suspend } = yield* opened(yield* questdbServer)
      const [points, warm] = [samplePoints(START, 200), groupSamples(START, 200)]
      const fuel = groupSamples(START, 10, { columns: ["timestamp", "fuel"] })
      const both = (from: number, to: number) =>
        store.write([
          { sessionId: 1, group: POINTS, batch: part(points, from, to) },
          { sessionId: 1, group: "tyres", batch: part(warm, from, to) }
        ])
      yield* both(0, 100)
      yield* Effect.provide(writeSamples(1, "fuel", fuel), stores)
      yield* suspend("tyres")
      yield* both(100, 200)
      yield* Effect.provide(expectStored(1, points), stores)
      expect(yield* store.count({ sessionId: 1, group: "fuel", from: -Infinity, until: Infinity })).toBe(10)
      const reason = `QuestDB's table ${prefix}tyres is suspended`
      const range = { sessionId: 1, group: "tyres", from: -Infinity, until: Infinity }
      for (const operation of [
        Stream.runDrain(store.read(range, tyres)),
        Effect.asVoid(store.last({ sessionId: 1, group: "tyres" }, Infinity, tyres)),
        store.check
      ]) {
        expect((yield* Effect.flip(operation)) as unknown).toMatchObject({
          reason: expect.stringContaining(reason)
        })
      }
      yield* sql("ALTER TABLE ~tyres RESUME WAL")
      yield* store.check
      yield* Effect.provide(expectGroup(1, "tyres", warm), stores)
      // If the cause may have passed, it is resumed.
      yield* suspend("tyres", "WITH 'DISK FULL', 'no space left'")
      yield* store.check
      expect(Option.isSome(yield* store.last({ sessionId: 1, group: "tyres" }, Infinity, tyres))).toBe(true)
    })
  )
})
