import { createHash } from "node:crypto"
import { SqlClient } from "@effect/sql"
import { expect, it } from "@effect/vitest"
import { Cause, Context, Effect, Exit, Fiber, Layer } from "effect"
import { POINTS } from "../../../src/domain/Dictionary.ts"
import type { PointBatch } from "../../../src/domain/RowBatch.ts"
import { BLOCK_ROWS, encodePacked } from "../../../src/store/sqlite/blockCodec.ts"
import * as BlockWriter from "../../../src/store/sqlite/BlockWriter.ts"
import { migratePoints } from "../../../src/store/sqlite/pointMigrations.ts"
import * as SqliteFile from "../../../src/store/sqlite/SqliteFile.ts"
import { breathe } from "../../../src/platform/threads/breathe.ts"
import { part, samplePoints } from "../../contracts/samples.ts"
import { inTemporaryFolder, temporaryFolder } from "./folder.ts"

const fileLayer = () =>
  inTemporaryFolder((folder) => {
    const file = SqliteFile.layer(`${folder}/points.sqlite`)
    return Layer.provideMerge(Layer.effectDiscard(migratePoints), file)
  })

interface BlockInfo {
  readonly points: number
  readonly packed: number
}

const blocks = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<BlockInfo>`SELECT length AS points, packed FROM blocks WHERE session_id = 1 ORDER BY last_time`
)

const session = (batch: PointBatch) => [{ sessionId: 1, group: POINTS, batch }]

const packed = (batch: PointBatch, count: number, effort: "quick" | "thorough") =>
  Array.from({ length: count }, (_, n) =>
    Buffer.from(encodePacked(part(batch, n * BLOCK_ROWS, (n + 1) * BLOCK_ROWS), effort))
  )

/** Blocks are compared by a hash: comparing byte by byte would take seconds. */
const digestOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex")

it.live("BlockWriter packs a few blocks thoroughly, and many at once quickly", () =>
  Effect.gen(function* () {
    const writer = yield* BlockWriter.make
    const sql = yield* SqlClient.SqlClient
    const few = samplePoints(1.7e9, 2 * BLOCK_ROWS)
    const many = samplePoints(1.8e9, 7 * BLOCK_ROWS)
    yield* writer.write(session(few))
    yield* writer.write(session(many))
    const rows = yield* sql<{ data: Uint8Array }>`SELECT data FROM blocks ORDER BY last_time`
    const [thorough, quick] = [packed(few, 2, "thorough"), packed(many, 7, "quick")]
    expect(rows.map(({ data }) => digestOf(data))).toEqual([...thorough, ...quick].map(digestOf))
    expect(digestOf(packed(few, 1, "quick")[0]!)).not.toBe(digestOf(thorough[0]!))
  }).pipe(Effect.provide(fileLayer()))
)

it.live("BlockWriter replaces a tail of one row that it packs", () =>
  Effect.gen(function* () {
    const writer = yield* BlockWriter.make
    const all = samplePoints(1.7e9, BLOCK_ROWS + 1)
    yield* writer.write(session(part(all, 0, 1)))
    yield* writer.write(session(part(all, 1, BLOCK_ROWS + 1)))
    expect(yield* blocks).toEqual([
      { points: BLOCK_ROWS, packed: 1 },
      { points: 1, packed: 0 }
    ])
  }).pipe(Effect.provide(fileLayer()))
)

const stored = Effect.map(blocks, (all) => all.reduce((sum, { points }) => sum + points, 0))

it.live("a writer that sealed a session while it stored more of it stores no row twice", () =>
  Effect.gen(function* () {
    const writer = yield* BlockWriter.make
    const all = samplePoints(1.7e9, 5000)
    yield* writer.write(session(part(all, 0, 500)))
    // The write comes in before the group is sealed, which waits for its turn.
    const sealing = yield* Effect.fork(writer.seal(1))
    yield* Effect.yieldNow()
    yield* writer.write(session(part(all, 500, 1000)))
    yield* Fiber.join(sealing)
    yield* writer.write(session(part(all, 1000, 5000)))
    expect(yield* stored).toBe(5000)
  }).pipe(Effect.provide(fileLayer()))
)

it.live(
  "a writer that is asked to seal what another sealed stores no row twice, and loses none of the other's",
  () =>
    Effect.gen(function* () {
      const [writer, other] = [yield* BlockWriter.make, yield* BlockWriter.make]
      const all = samplePoints(1.7e9, 5000)
      yield* writer.write(session(part(all, 0, 500)))
      yield* other.seal(1)
      yield* writer.seal(1)
      yield* other.write(session(part(all, 500, 1200)))
      yield* writer.write(session(part(all, 1200, 5000)))
      expect(yield* stored).toBe(5000)
    }).pipe(Effect.provide(fileLayer()))
)

it.live("a new writer compacts the small blocks that another one left behind", () =>
  Effect.gen(function* () {
    const all = samplePoints(1.7e9, 5000)
    const crashed = yield* BlockWriter.make
    for (let at = 0; at < 2000; at += 100) yield* crashed.write(session(part(all, at, at + 100)))
    const next = yield* BlockWriter.make
    yield* next.write(session(part(all, 1000, 5000)))
    expect(yield* blocks).toEqual([
      { points: BLOCK_ROWS, packed: 1 },
      { points: 904, packed: 0 }
    ])
    const last = yield* BlockWriter.make
    yield* last.seal(1)
    expect((yield* blocks).map((block) => block.packed)).toEqual([1, 1])
  }).pipe(Effect.provide(fileLayer()))
)

it.live("BlockWriter commits the points of a recording between the pieces of a removal", () =>
  Effect.gen(function* () {
    const writer = yield* BlockWriter.make
    const all = samplePoints(1.7e9, 640)
    for (let at = 0; at < 640; at++) yield* writer.write(session(part(all, at, at + 1)))
    const removing = yield* Effect.fork(writer.remove(1))
    while ((yield* blocks).length === 640) yield* breathe
    // A write takes one turn of the removal's twenty, or two.
    const lefts: Array<number> = []
    for (let at = 0; at < 5; at++) {
      yield* writer.write([{ sessionId: 2, group: POINTS, batch: part(all, at, at + 1) }])
      lefts.push((yield* blocks).length)
    }
    expect(lefts.every((left) => left > 0)).toBe(true)
    yield* Fiber.join(removing)
    expect(yield* blocks).toEqual([])
    const sql = yield* SqlClient.SqlClient
    expect(yield* sql`SELECT sum(length) AS points FROM blocks`).toEqual([{ points: 5 }])
  }).pipe(Effect.provide(fileLayer()))
)

it.live("a writer that another connection delays too long fails, and can be called again", () =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    const file = SqliteFile.layer(`${folder}/points.sqlite`)
    const sql = Context.get(yield* Layer.build(file), SqlClient.SqlClient)
    const other = Context.get(yield* Layer.build(Layer.fresh(file)), SqlClient.SqlClient)
    yield* Effect.provideService(migratePoints, SqlClient.SqlClient, sql)
    const writer = yield* Effect.provideService(BlockWriter.make, SqlClient.SqlClient, sql)
    const points = session(samplePoints(1.7e9, 100))
    yield* other.unsafe("BEGIN IMMEDIATE")
    const exit = yield* Effect.exit(writer.write(points))
    expect(Exit.isFailure(exit) && Cause.isFailType(exit.cause)).toBe(true)
    yield* other.unsafe("ROLLBACK")
    yield* writer.write(points)
    yield* writer.write(points)
    const found = yield* Effect.provideService(blocks, SqlClient.SqlClient, other)
    expect(found).toEqual([{ points: 100, packed: 0 }])
  }).pipe(Effect.scoped)
)
