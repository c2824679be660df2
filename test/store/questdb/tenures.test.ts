/** A session that several nodes recorded one after another, in a real QuestDB: rows count up to each node's cut. */
import { describe, expect, it } from "@effect/vitest"
import { Chunk, Context, Effect, Layer, Option, Stream } from "effect"
import { POINTS } from "../../../src/domain/Dictionary.ts"
import { channels } from "../../../src/domain/pointChannels.ts"
import { RowBatch } from "../../../src/domain/RowBatch.ts"
import { RowStore } from "../../../src/store/RowStore.ts"
import type { Tenure } from "../../../src/store/Takeovers.ts"
import { thin } from "../../../src/store/thinning.ts"
import * as QuestdbStore from "../../../src/store/questdb/QuestdbStore.ts"
import { ownerOf } from "../../contracts/rowStoreOwning.ts"
import { count, expectSame, expectStored, write } from "../../contracts/rowStoreSupport.ts"
import { samplePoints } from "../../contracts/samples.ts"
import { questdbHere, sharedQuestdb } from "../../support/servers/questdb.ts"
import { needing } from "../../support/needing.ts"

const START = 1.7e9
const ID = 7

/** Points that begin so many seconds after the start. */
const from = (seconds: number, count = 100) => samplePoints(START + seconds, count)

const group = (name: string, batch: RowBatch) => ({ sessionId: ID, group: name, batch })
const tyres = (seconds: number) =>
  new RowBatch(2, Float64Array.of(START + seconds, START + seconds + 1, seconds, seconds + 1), [
    "timestamp",
    "wear"
  ])

describe("rows of several tenures", needing(questdbHere), () => {
  it.scopedLive("are one session up to each cut, and what a node writes behind its cut is never read", () =>
    Effect.gen(function* () {
      const questdb = yield* sharedQuestdb
      /** What the catalog says, without who asks. */
      let tenures: ReadonlyArray<Omit<Tenure, "isOwn"> & { readonly node: string }> = []
      const as = (node: string) =>
        Effect.gen(function* () {
          const built = yield* Layer.build(Layer.fresh(QuestdbStore.server(questdb.address)))
          const store = Context.get(built, RowStore)
          yield* store.claim({
            ...ownerOf("one", [ID, 8]),
            tenures: (id) =>
              Effect.sync(() =>
                id === ID
                  ? tenures.map((one, n) => ({
                      ...one,
                      isOwn: n === tenures.findLastIndex((other) => other.node === node)
                    }))
                  : []
              )
          })
          return <A, E>(run: Effect.Effect<A, E, RowStore>) => Effect.provideService(run, RowStore, store)
        })
      const [a, b] = [yield* as("a"), yield* as("b")]
      const store = Effect.flatMap(RowStore, Effect.succeed)

      const first = from(0)
      yield* a(write(ID, first))
      yield* a(Effect.flatMap(store, ({ write }) => write([group("tyres", tyres(0))])))
      yield* a(write(8, first))
      const cut = first.timestamps.at(-1)!
      tenures = [
        { key: undefined, until: cut, node: "a" },
        { key: `${ID}~0a1b2c3d4e`, until: Infinity, node: "b" }
      ]
      // It stood still, and writes on: points, and a group that nobody else has.
      yield* a(write(ID, from(50, 300)))
      yield* a(Effect.flatMap(store, ({ write }) => write([group("late", tyres(60))])))
      const second = from(55)
      yield* b(write(ID, second))
      yield* b(Effect.flatMap(store, ({ write }) => write([group("tyres", tyres(56))])))

      const all = RowBatch.concat([first, second])
      for (const node of [a, b]) {
        yield* node(expectStored(ID, all))
        yield* node(
          Effect.gen(function* () {
            const { bounds, columns, groups, last, readEvery, ...others } = yield* store
            const points = { sessionId: ID, group: POINTS }
            expect(yield* bounds(points)).toEqual(
              Option.some({ first: first.timestamps[0], last: second.timestamps.at(-1) })
            )
            expect(yield* groups(ID)).toEqual([POINTS, "tyres"])
            expect(yield* columns({ sessionId: ID, group: "late" })).toEqual([])
            expect(yield* columns({ sessionId: ID, group: "tyres" })).toEqual(["timestamp", "wear"])
            expect(
              yield* others.count({ sessionId: ID, group: "tyres", from: -Infinity, until: Infinity })
            ).toBe(4)
            // Between the cut and the next tenure there is nothing.
            const before = yield* last(points, START + 54, channels)
            expect(Option.map(before, ({ timestamps }) => timestamps[0])).toEqual(Option.some(cut))
            const range = { ...points, from: START, until: Infinity }
            const thinned = yield* Stream.runCollect(readEvery(range, channels, 7))
            const expected = yield* Stream.runCollect(thin(7)(Stream.make(all)))
            expectSame(
              RowBatch.concat(Chunk.toReadonlyArray(thinned)),
              RowBatch.concat(Chunk.toReadonlyArray(expected))
            )
          })
        )
      }

      // The first node takes it back, and again has a key of its own.
      tenures = [
        tenures[0]!,
        { ...tenures[1]!, until: second.timestamps.at(-1)! },
        { key: `${ID}~ffffffffff`, until: Infinity, node: "a" }
      ]
      yield* a(Effect.flatMap(store, ({ seal }) => seal(ID)))
      const third = from(500)
      yield* a(write(ID, third))
      yield* b(expectStored(ID, RowBatch.concat([first, second, third])))
      expect(yield* b(Effect.flatMap(store, ({ sessionIds }) => sessionIds))).toEqual([ID, 8])

      // A removal removes all of it, also what came too late; the rest of the partition stays.
      yield* b(Effect.flatMap(store, ({ remove }) => remove(ID)))
      yield* a(Effect.map(count(ID), (left) => expect(left).toBe(0)))
      expect(yield* a(Effect.flatMap(store, ({ sessionIds }) => sessionIds))).toEqual([8])
      yield* a(write(8, samplePoints(START + 40 * 3600, 10)))
      yield* a(Effect.flatMap(store, ({ reclaim }) => reclaim(START + 30 * 3600)))
      const { prefix } = questdb.address
      const kept = yield* Effect.promise(() => questdb.sql(`SELECT count() FROM ${prefix}points`))
      expect(Number(kept[0]![0])).toBeGreaterThan(110)
      yield* a(Effect.flatMap(store, ({ remove }) => remove(8)))
      yield* a(write(9, samplePoints(START + 41 * 3600, 10)))
      yield* a(Effect.flatMap(store, ({ reclaim }) => reclaim(START + 30 * 3600)))
      const left = yield* Effect.promise(() =>
        questdb.sql(
          `SELECT count() FROM ${prefix}points WHERE ts < ${(START + 30 * 3600) * 1e9}::timestamp_ns`
        )
      )
      expect(left).toEqual([[0]])
    })
  )
})
