/** The limits of age and the release of space of docs/operations.md, on a real QuestDB. */
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { POINTS } from "../../../src/domain/Dictionary.ts"
import { RowBatch } from "../../../src/domain/RowBatch.ts"
import { RowStore } from "../../../src/store/RowStore.ts"
import * as QuestdbStore from "../../../src/store/questdb/QuestdbStore.ts"
import { expectStored, write } from "../../contracts/rowStoreSupport.ts"
import { samplePoints } from "../../contracts/samples.ts"
import { questdbHere, sharedQuestdb } from "../../support/servers/questdb.ts"
import { needing } from "../../support/needing.ts"

const operations = readFileSync(
  fileURLToPath(new URL("../../../docs/operations.md", import.meta.url)),
  "utf8"
)
const [listing = "", dropping = ""] = /SELECT p\.name, p\.numRows[^`]*/.exec(operations)![0].split(";")

/** The documentation's statement, for tables with this prefix. */
const prefixed = (statement: string, prefix: string) =>
  statement
    .replaceAll(/'points'/g, `'${prefix}points'`)
    .replaceAll(/(FROM|TABLE) point/g, `$1 ${prefix}point`)
    .trim()

const HOUR_S = 3600
/** Points of the nth hour from a fixed one on, which fill one partition. */
const hour = (n: number) => samplePoints(1.7e9 - (1.7e9 % HOUR_S) + n * HOUR_S, 100)

describe("the maintenance of a QuestDB", needing(questdbHere), () => {
  it.scopedLive("keeps points for the time in the address", () =>
    Effect.gen(function* () {
      const questdb = yield* sharedQuestdb
      const kept = { ...questdb.address, ttl: "30 DAYS" }
      yield* Effect.gen(function* () {
        yield* (yield* RowStore).check
        const [row] = yield* Effect.promise(() =>
          questdb.sql(
            `SELECT partitionBy, dedup, ttlValue, ttlUnit FROM tables() WHERE table_name = '${kept.prefix}points'`
          )
        )
        expect(row).toEqual(["HOUR", true, 30, "DAY"])
      }).pipe(Effect.provide(QuestdbStore.server(kept)))
    })
  )

  it.scopedLive("releases the space of removed sessions, and of no others", () =>
    Effect.gen(function* () {
      const questdb = yield* sharedQuestdb
      const { prefix } = questdb.address
      const sql = (statement: string) => Effect.promise(() => questdb.sql(prefixed(statement, prefix)))
      yield* Effect.gen(function* () {
        const store = yield* RowStore
        yield* write(1, hour(0))
        yield* write(1, hour(1))
        yield* write(2, hour(1))
        yield* write(2, hour(2))
        yield* store.remove(1)
        // The listing reads the tables as QuestDB has applied them so far.
        yield* sql("SELECT wait_wal_table('points')")
        yield* sql(`SELECT wait_wal_table('${prefix}point_removals')`)
        const partitions = yield* sql(listing)
        expect(partitions.map(([, rows, dead]) => [rows, dead])).toEqual([
          [100, 100],
          [200, 100]
        ])
        yield* sql(dropping.replace(/'[^']*'/, `'${String(partitions[0]![0])}'`))
        yield* store.check
        yield* sql("SELECT wait_wal_table('points')")
        expect(yield* sql("SELECT count() FROM points")).toEqual([[300]])
        const [one, two] = [hour(1), hour(2)]
        expect(yield* store.sessionIds).toEqual([2])
        yield* expectStored(2, RowBatch.concat([one, two]))
      }).pipe(Effect.provide(QuestdbStore.server(questdb.address)))
    })
  )

  it.scopedLive("accepts points an hour apart, which have a partition each, and logs a warning once", () =>
    Effect.gen(function* () {
      const { address, sql } = yield* sharedQuestdb
      const lines: Array<string> = []
      const logger = Logger.make(({ message }) => void lines.push(String(message)))
      yield* Effect.gen(function* () {
        for (let n = 0; n < 30; n++) yield* write(7, samplePoints(1.7e9 + n * HOUR_S, 1))
        const store = yield* RowStore
        expect(yield* store.count({ sessionId: 7, group: POINTS, from: -Infinity, until: Infinity })).toBe(30)
      }).pipe(
        Effect.provide(
          Layer.merge(QuestdbStore.server(address), Logger.replace(Logger.defaultLogger, logger))
        )
      )
      const [[partitions] = []] = yield* Effect.promise(() =>
        sql(`SELECT count() FROM table_partitions('${address.prefix}points')`)
      )
      expect(partitions).toBe(30)
      expect(lines.filter((line) => line.includes("Session 7"))).toEqual([
        "Session 7 has 24 points in 24 hours: QuestDB keeps 58 KB for each of its hours, whatever is in it"
      ])
    })
  )

  it.scopedLive("drops partitions that are old enough and only of removed sessions, and no others", () =>
    Effect.gen(function* () {
      const questdb = yield* sharedQuestdb
      const { prefix } = questdb.address
      const sql = (statement: string) => Effect.promise(() => questdb.sql(prefixed(statement, prefix)))
      const start = hour(0).timestamps[0]!
      const rows = Effect.map(
        sql("SELECT (ts::long - 0) / 3600000000000 AS hour, count() FROM points ORDER BY hour"),
        (found) => found.map(([at, count]) => [Number(at) - start / HOUR_S, Number(count)])
      )
      yield* Effect.gen(function* () {
        const store = yield* RowStore
        yield* write(1, hour(0), hour(1))
        yield* write(2, hour(1), hour(2))
        yield* write(3, hour(3))
        yield* store.remove(1)
        yield* store.remove(3)
        // Under its next key: removed again, and then written to stay.
        yield* write(3, hour(4))
        yield* store.remove(3)
        yield* write(3, hour(5))
        // The newest is never dropped.
        yield* write(4, hour(7))
        yield* store.remove(4)
        const before = yield* rows
        yield* store.reclaim(start + (0.9 * 100) / 60)
        expect(yield* rows).toEqual(before)
        yield* store.reclaim(start + 3.5 * HOUR_S)
        expect(yield* rows).toEqual(before.filter(([at]) => at !== 0 && at !== 3))
        yield* store.reclaim(start + 100 * HOUR_S)
        expect(yield* rows).toEqual([
          [1, 200],
          [2, 100],
          [5, 100],
          [7, 100]
        ])
        expect(yield* store.sessionIds).toEqual([2, 3])
        yield* expectStored(2, RowBatch.concat([hour(1), hour(2)]))
        yield* expectStored(3, hour(5))
      }).pipe(Effect.provide(QuestdbStore.server(questdb.address)))
    })
  )
})
