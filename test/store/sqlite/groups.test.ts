/** Blocks of samples as they stand in the file: tails, full blocks, layouts, memory. */
import { SqlClient } from "@effect/sql"
import { expect, it } from "@effect/vitest"
import { Cause, Effect, Either, Exit, Layer, Logger, Option, Stream } from "effect"
import { POINTS } from "../../../src/domain/Dictionary.ts"
import { PointsDamaged } from "../../../src/domain/errors.ts"
import { RowBatch } from "../../../src/domain/RowBatch.ts"
import { RowStore } from "../../../src/store/RowStore.ts"
import { blockRows } from "../../../src/store/sqlite/blockCodec.ts"
import * as BlockWriter from "../../../src/store/sqlite/BlockWriter.ts"
import { migratePoints } from "../../../src/store/sqlite/pointMigrations.ts"
import * as SqliteFile from "../../../src/store/sqlite/SqliteFile.ts"
import * as SqliteStore from "../../../src/store/sqlite/SqliteStore.ts"
import { verify } from "../../../src/maintenance/verify/verify.ts"
import { groupSamples, tyres } from "../../contracts/groupSamples.ts"
import {
  expectGroup,
  expectSamples,
  readSamples,
  writeSamples
} from "../../contracts/rowStoreSamplesSupport.ts"
import { expectStored } from "../../contracts/rowStoreSupport.ts"
import { part, samplePoints } from "../../contracts/samples.ts"
import { inTemporaryFolder, temporaryFolder } from "./folder.ts"

const START = 1.7e9

const fileLayer = () =>
  inTemporaryFolder((folder) =>
    Layer.provideMerge(Layer.effectDiscard(migratePoints), SqliteFile.layer(`${folder}/points.sqlite`))
  )

interface BlockInfo {
  readonly samples: number
  readonly packed: number
}

const blocks = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<BlockInfo>`SELECT length AS samples, packed FROM blocks
    WHERE session_id = 1 AND group_name = 'tyres' ORDER BY last_time`
)

const rows = (batch: RowBatch, group = "tyres", sessionId = 1) => [{ sessionId, group, batch }]

it.live("a group's tail of too many raw blocks becomes one, and packed blocks are full ones", () =>
  Effect.gen(function* () {
    const writer = yield* BlockWriter.make
    const all = groupSamples(START, 5000)
    for (let at = 0; at < 256; at++) yield* writer.write(rows(part(all, at, at + 1)))
    expect(yield* blocks).toEqual(Array.from({ length: 256 }, () => ({ samples: 1, packed: 0 })))
    yield* writer.write(rows(part(all, 256, 258)))
    expect(yield* blocks).toEqual([{ samples: 258, packed: 0 }])
    // Another writer continues the stored blocks.
    const next = yield* BlockWriter.make
    for (let at = 258; at < 512; at++) yield* next.write(rows(part(all, at, at + 1)))
    expect((yield* blocks).length).toBe(255)
    yield* next.write(rows(part(all, 512, 513)))
    yield* next.write(rows(part(all, 513, 514)))
    expect(yield* blocks).toEqual([{ samples: 514, packed: 0 }])
    yield* next.write(rows(part(all, 514, 5000)))
    expect(yield* blocks).toEqual([
      { samples: 4096, packed: 1 },
      { samples: 904, packed: 0 }
    ])
    yield* next.seal(1)
    expect(yield* blocks).toEqual([
      { samples: 4096, packed: 1 },
      { samples: 904, packed: 1 }
    ])
  }).pipe(Effect.provide(fileLayer()))
)

it.live("a full block of many columns has fewer rows: 1 MiB of doubles", () =>
  Effect.gen(function* () {
    const writer = yield* BlockWriter.make
    const columns = ["timestamp", ...Array.from({ length: 300 }, (_, n) => `c${n}`)]
    yield* writer.write(rows(groupSamples(START, 1000, { columns })))
    const full = 435
    expect(full * 301 * 8).toBeLessThanOrEqual(2 ** 20)
    expect((full + 1) * 301 * 8).toBeGreaterThan(2 ** 20)
    expect(yield* blocks).toEqual([
      { samples: full, packed: 1 },
      { samples: full, packed: 1 },
      { samples: 1000 - 2 * full, packed: 0 }
    ])
    expect([2, 33, 513, 70_000].map(blockRows)).toEqual([4096, 3971, 255, 1])
  }).pipe(Effect.provide(fileLayer()))
)

it.live("columns that come in mid-session widen the tail, or end it if it would exceed a full block", () =>
  Effect.gen(function* () {
    const writer = yield* BlockWriter.make
    const sql = yield* SqlClient.SqlClient
    const wide = ["timestamp", ...Array.from({ length: 300 }, (_, n) => `c${n}`)]
    yield* writer.write(rows(groupSamples(START, 100, { columns: wide.slice(0, 3) })))
    yield* writer.write(rows(groupSamples(START, 100, { columns: wide.slice(0, 5), first: 100 })))
    yield* writer.write(rows(groupSamples(START, 400, { columns: wide.slice(0, 3), first: 200 })))
    expect((yield* blocks).map(({ packed }) => packed)).toEqual([0, 0, 0])
    yield* writer.write(rows(groupSamples(START, 5, { columns: wide, first: 600 })))
    expect(yield* blocks).toEqual([
      { samples: 600, packed: 1 },
      { samples: 5, packed: 0 }
    ])
    // Each set of columns is in the file once.
    yield* writer.write(rows(groupSamples(START, 5, { columns: wide }), "other", 2))
    const layouts = yield* sql<{ names: string }>`SELECT names FROM layouts ORDER BY id`
    expect(layouts.map(({ names }) => names.split(",").length)).toEqual([3, 5, 301])
  }).pipe(Effect.provide(fileLayer()))
)

it.live("open blocks of samples stay below a limit of bytes: the largest is packed, and goes on", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const writer = yield* BlockWriter.makeWith(300_000)
    const all = groupSamples(START, 3000)
    const [large, small] = [part(all, 0, 2000), part(all, 0, 200)]
    yield* writer.write([...rows(large), ...rows(small, "small")])
    yield* writer.write([...rows(large, "tyres", 2), ...rows(small, "small", 2)])
    const packed = yield* sql<{
      session: number
      group: string
      packed: number
    }>`SELECT session_id AS session,
      group_name AS "group", packed FROM blocks ORDER BY session_id, group_name`
    expect(packed).toEqual([
      { session: 1, group: "small", packed: 0 },
      { session: 1, group: "tyres", packed: 1 },
      { session: 2, group: "small", packed: 0 },
      { session: 2, group: "tyres", packed: 0 }
    ])
    // Not stored twice, and not lost.
    yield* writer.write(rows(part(all, 1500, 3000)))
    expect((yield* blocks).reduce((sum, { samples }) => sum + samples, 0)).toBe(3000)
  }).pipe(Effect.provide(fileLayer()))
)

it.live("a commit that fails leaves neither points nor samples nor layouts, and the next one is whole", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const writer = yield* BlockWriter.make
    const points = samplePoints(START, 9000)
    const [tyre, fuel] = [
      groupSamples(START, 9000),
      groupSamples(START, 9000, { columns: ["timestamp", "fuel"] })
    ]
    const commit = (to: number) => [
      { sessionId: 1, group: POINTS, batch: part(points, 0, to) },
      ...rows(part(tyre, 0, to)),
      ...rows(part(fuel, 0, to), "fuel")
    ]
    yield* writer.write(rows(part(tyre, 0, 10)))
    const [size] = yield* sql<{ pages: number }>`SELECT page_count AS pages FROM pragma_page_count`
    // A full disk, as far as SQLite can tell.
    yield* sql.unsafe(`PRAGMA max_page_count = ${size!.pages + 100}`)
    expect(Either.isLeft(yield* Effect.either(writer.write(commit(9000))))).toBe(true)
    const state = sql`SELECT sum(group_name = 'points') AS points, sum(group_name <> 'points') AS samples,
      (SELECT count(*) FROM layouts) AS layouts FROM blocks`
    expect(yield* state).toEqual([{ points: 0, samples: 1, layouts: 1 }])
    yield* sql.unsafe(`PRAGMA max_page_count = 1000000`)
    yield* writer.write(commit(9000))
    expect(yield* state).toEqual([{ points: 3, samples: 6, layouts: 3 }])
  }).pipe(Effect.provide(fileLayer()))
)

it.scopedLive(
  "a flipped bit of a block, its key or its layout is damage of its session and group, and the rest is read",
  () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const file = SqliteFile.layer(SqliteStore.databaseFile(folder))
      const lines: Array<string> = []
      const logger = Logger.make(({ message }) => void lines.push(String(message)))
      const all = groupSamples(START, 4200)
      const fuel = groupSamples(START, 10, { columns: ["timestamp", "fuel"] })
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const store = yield* RowStore
        yield* store.write([
          { sessionId: 1, group: POINTS, batch: samplePoints(START, 100) },
          ...rows(all),
          ...rows(fuel, "fuel")
        ])
        const [kept] = yield* sql<{
          id: number
          data: Uint8Array
        }>`SELECT id, data FROM blocks WHERE packed = 1`
        const everything = { sessionId: 1, group: "tyres", from: -Infinity, until: Infinity }
        const read = Effect.either(Stream.runDrain(store.read(everything, tyres)))
        const expectDamage = Effect.fnUntraced(function* () {
          const found = yield* read
          expect(Either.isLeft(found) && found.left).toMatchObject({
            _tag: "PointsDamaged",
            sessionId: 1,
            group: "tyres"
          })
          expect(
            yield* Effect.flip(store.last({ sessionId: 1, group: "tyres" }, START + 5, tyres))
          ).toBeInstanceOf(PointsDamaged)
          // The other groups, and the group's sound blocks.
          yield* expectStored(1, samplePoints(START, 100))
          yield* expectGroup(1, "fuel", fuel)
          const rest = { from: all.timestamps[4096]!, until: Infinity }
          expectSamples(yield* readSamples(1, "tyres", tyres, rest), part(all, 4096, 4200))
        })
        for (const bit of [0, 20, 70, 8000, kept!.data.length * 8 - 1]) {
          const changed = Uint8Array.from(kept!.data)
          changed[bit >> 3]! ^= 1 << (bit & 7)
          yield* sql`UPDATE blocks SET data = ${changed} WHERE id = ${kept!.id}`
          yield* expectDamage()
          yield* sql`UPDATE blocks SET data = ${kept!.data} WHERE id = ${kept!.id}`
        }
        expect(Either.isRight(yield* read)).toBe(true)
        expect(yield* verify("sqlite")).toMatchObject({
          points: 100,
          samples: 4210,
          damaged: []
        })
        yield* sql`UPDATE blocks SET length = length + 1 WHERE id = ${kept!.id}`
        yield* expectDamage()
        const verified = yield* verify("sqlite")
        expect(verified.damaged).toMatchObject([{ sessionId: 1, group: "tyres", first: START }])
        yield* sql`UPDATE blocks SET length = length - 1 WHERE id = ${kept!.id}`
        // Two names of the layout are swapped.
        const other = tyres.join(",").replace("_fl,", "_xx,").replace("_fr,", "_fl,").replace("_xx,", "_fr,")
        yield* sql`UPDATE layouts SET names = ${other} WHERE names = ${tyres.join(",")}`
        expect(Either.isLeft(yield* read)).toBe(true)
        expect((yield* verify("sqlite")).damaged.length).toBe(2)
      }).pipe(
        Effect.provide(
          Layer.mergeAll(SqliteStore.pointsLayer(folder), file, Logger.replace(Logger.defaultLogger, logger))
        )
      )
      // A damaged block is logged once.
      expect(lines.filter((line) => line.includes("samples of tyres"))).toEqual([
        expect.stringMatching(
          /^A block of samples of tyres in the sqlite store is damaged: session 1 from 2023-11-14T/
        )
      ])
    })
)

it.scopedLive("the last sample of a long group is found without reading the others", () =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const store = yield* RowStore
      const all = groupSamples(START, 20_000)
      yield* writeSamples(1, "tyres", all)
      // All blocks but the third are unreadable.
      yield* sql`UPDATE blocks SET data = zeroblob(10) WHERE id != 3`
      for (const index of [8192, 9000, 12_287]) {
        const found = yield* store.last(
          { sessionId: 1, group: "tyres" },
          all.timestamps[index]! + 0.03,
          tyres
        )
        expectSamples(Option.getOrThrow(found), part(all, index, index + 1))
      }
      const plan = yield* sql<{ detail: string }>`EXPLAIN QUERY PLAN SELECT b.id FROM blocks AS b
        WHERE b.session_id = 1 AND b.group_name = 'tyres' AND b.last_time <= 5 ORDER BY b.last_time DESC LIMIT 1`
      expect(plan.map(({ detail }) => detail)).toEqual([
        expect.stringContaining("USING COVERING INDEX blocks_by_time")
      ])
    }).pipe(
      Effect.provide(
        Layer.merge(SqliteStore.pointsLayer(folder), SqliteFile.layer(SqliteStore.databaseFile(folder)))
      )
    )
  })
)

it.effect("samples without their time first are refused", () =>
  Effect.gen(function* () {
    const store = yield* RowStore
    const batch = RowBatch.allocate<string>(1, ["fuel", "timestamp"])
    const exit = yield* Effect.exit(store.write([{ sessionId: 1, group: "fuel", batch }]))
    expect(Exit.isFailure(exit) && Cause.isDie(exit.cause)).toBe(true)
    expect(yield* store.sessionIds).toEqual([])
  }).pipe(Effect.provide(inTemporaryFolder(SqliteStore.pointsLayer)))
)
