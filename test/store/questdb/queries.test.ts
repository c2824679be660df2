/** Queries of a real QuestDB that are given up. */
import { describe, expect, it } from "@effect/vitest"
import { Context, type Duration, Effect, Fiber, Layer } from "effect"
import { Connections } from "../../../src/store/questdb/Connections.ts"
import { questdbHere, sharedQuestdb } from "../../support/servers/questdb.ts"
import { needing } from "../../support/needing.ts"
import { tablesOf } from "../../../src/store/questdb/schema.ts"
import * as QuestdbStore from "../../../src/store/questdb/QuestdbStore.ts"
import { POINTS } from "../../../src/domain/Dictionary.ts"
import { ABSENT } from "../../../src/domain/RowBatch.ts"
import { RowStore } from "../../../src/store/RowStore.ts"
import { samplePoints } from "../../contracts/samples.ts"
import { temporaryFolder } from "../sqlite/folder.ts"

/** A million million rows: it does not end by itself while the test runs. */
const endless = "SELECT sum(a.x + b.x) FROM long_sequence(1000000) a CROSS JOIN long_sequence(1000000) b"

const opened = Effect.fn(function* (queryTimeout?: Duration.DurationInput) {
  const questdb = yield* sharedQuestdb
  const context = yield* Layer.build(Connections.ownLayer(questdb.address, queryTimeout))
  const running = Effect.promise(async () => {
    const rows = await questdb.sql("SELECT query FROM query_activity()")
    return rows.filter(
      ([query]) => String(query).includes("CROSS JOIN long_sequence") && !String(query).includes("activity")
    ).length
  })
  const until = (count: number): Effect.Effect<void> =>
    Effect.flatMap(running, (found) =>
      found === count ? Effect.void : Effect.delay(until(count), "20 millis")
    )
  return { connections: Context.get(context, Connections), until }
})

describe("queries of a real QuestDB", needing(questdbHere), () => {
  it.scopedLive("stop on the server too when they are interrupted, and leave room for others", () =>
    Effect.gen(function* () {
      const { connections, until } = yield* opened()
      // More queries than the pool has connections.
      for (let n = 0; n < 6; n++) {
        const query = yield* Effect.fork(connections.rows(endless))
        yield* until(1)
        yield* Fiber.interrupt(query)
        yield* until(0)
      }
      expect(yield* connections.rows("SELECT 1 AS one")).toEqual([{ one: 1 }])
    })
  )

  it.scopedLive("find NULL for an absent channel, and 0 for 0", () =>
    Effect.gen(function* () {
      const { address, sql } = yield* sharedQuestdb
      const stores = yield* Layer.build(QuestdbStore.layer(yield* temporaryFolder, address, { writes: true }))
      const batch = samplePoints(1.7e9, 3)
      batch.column("rpm").set([0, ABSENT, 7000])
      yield* Context.get(stores, RowStore).write([{ sessionId: 4711, group: POINTS, batch }])
      yield* Context.get(stores, RowStore).check
      const rows = yield* Effect.promise(() =>
        sql(
          `SELECT rpm, rpm IS NULL, speed IS NULL FROM ${tablesOf(address.prefix).points} WHERE session = '4711' ORDER BY ts`
        )
      )
      expect(rows).toEqual([
        [0, false, false],
        [null, true, false],
        [7000, false, false]
      ])
    })
  )

  it.scopedLive("fail when they take too long, and stop on the server too", () =>
    Effect.gen(function* () {
      const { connections, until } = yield* opened("300 millis")
      const failure = yield* Effect.flip(connections.bulk(endless, { columns: 1, capacity: 1 }))
      expect([failure.store, String(failure.cause)]).toEqual(["questdb", "Error: no answer within 300ms"])
      yield* until(0)
    })
  )

  it.scopedLive("share the connections of a process, whichever part of it runs them", () =>
    Effect.gen(function* () {
      const { address } = yield* sharedQuestdb
      class One extends Context.Tag("One")<One, typeof Connections.Service>() {}
      class Other extends Context.Tag("Other")<Other, typeof Connections.Service>() {}
      const asking = <I>(tag: Context.Tag<I, typeof Connections.Service>) =>
        Layer.effect(tag, Connections).pipe(Layer.provide(Connections.layer(address)))
      const context = yield* Layer.build(Layer.merge(asking(One), asking(Other)))
      expect(Context.get(context, One)).toBe(Context.get(context, Other))
      const apart = yield* Layer.build(asking(One))
      expect(Context.get(apart, One)).not.toBe(Context.get(context, One))
    })
  )
})
