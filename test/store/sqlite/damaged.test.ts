/** Points whose bits have changed on the disk: never served as data, always named, and no harm to the others. */
import { SqlClient } from "@effect/sql"
import { expect, it } from "@effect/vitest"
import { Effect, Either, Layer, Logger, Stream } from "effect"
import { POINTS } from "../../../src/domain/Dictionary.ts"
import { PointsDamaged } from "../../../src/domain/errors.ts"
import { channels } from "../../../src/domain/pointChannels.ts"
import { RowBatch } from "../../../src/domain/RowBatch.ts"
import { RowStore } from "../../../src/store/RowStore.ts"
import { BLOCK_ROWS } from "../../../src/store/sqlite/blockCodec.ts"
import * as SqliteFile from "../../../src/store/sqlite/SqliteFile.ts"
import * as SqliteStore from "../../../src/store/sqlite/SqliteStore.ts"
import { checksumOf, type StoredBlock } from "../../../src/store/sqlite/storedBlock.ts"
import { verify } from "../../../src/maintenance/verify/verify.ts"
import { bitsOf, part, samplePoints } from "../../contracts/samples.ts"
import { temporaryFolder } from "./folder.ts"

const everything = { sessionId: 1, group: POINTS, from: -Infinity, until: Infinity }
const START = 1.7e9
/** Two full blocks, and a tail of 100 and 50 points. */
const TAIL = 2 * BLOCK_ROWS
const all = samplePoints(START, TAIL + 150)
const time = (index: number) => all.timestamps[index]!

/** A store of these points, and another connection to its file. */
const stored = Effect.gen(function* () {
  const folder = yield* temporaryFolder
  const file = SqliteFile.layer(SqliteStore.databaseFile(folder))
  const damage = <A, E>(change: (sql: SqlClient.SqlClient) => Effect.Effect<A, E>) =>
    Effect.flatMap(SqlClient.SqlClient, change).pipe(Effect.provide(file))
  yield* Effect.gen(function* () {
    const points = yield* RowStore
    for (const [from, to] of [
      [0, TAIL],
      [TAIL, TAIL + 100],
      [TAIL + 100, TAIL + 150]
    ] as const)
      yield* points.write([{ sessionId: 1, group: POINTS, batch: part(all, from, to) }])
  }).pipe(Effect.provide(SqliteStore.pointsLayer(folder)))
  return { folder, file, damage, opened: SqliteStore.pointsLayer(folder) }
})

const flipped = (data: Uint8Array, bit: number): Uint8Array => {
  const changed = Uint8Array.from(data)
  changed[bit >> 3]! ^= 1 << (bit & 7)
  return changed
}

const readAll = Effect.gen(function* () {
  const points = yield* RowStore
  return RowBatch.concat([...(yield* Stream.runCollect(points.read(everything, channels)))])
})

it.scopedLive("a flipped bit, in any part of a block, is never served as data", () =>
  Effect.gen(function* () {
    const { file, opened } = yield* stored
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const blocks = yield* sql<{ id: number; data: Uint8Array }>`SELECT id, data FROM blocks`
      expect(blocks.length).toBe(4)
      let served = 0
      for (const { data, id } of blocks) {
        for (let flip = 0; flip < 10; flip++) {
          // Spread over the block, its header included.
          const bit = Math.floor((flip * data.length * 8) / 10) + flip
          yield* sql`UPDATE blocks SET data = ${flipped(data, bit)} WHERE id = ${id}`
          const outcome = yield* Effect.either(readAll)
          if (Either.isRight(outcome)) served++
          else expect(outcome.left).toBeInstanceOf(PointsDamaged)
        }
        yield* sql`UPDATE blocks SET data = ${data} WHERE id = ${id}`
      }
      expect(served).toBe(0)
      expect(bitsOf(yield* readAll).equals(bitsOf(all))).toBe(true)
    }).pipe(Effect.provide(Layer.merge(file, opened)))
  })
)

it.scopedLive("a damaged block is named by session and time, once in the log, and the rest is read", () =>
  Effect.gen(function* () {
    const { damage, opened } = yield* stored
    // At its end: its other bytes are unchanged.
    yield* damage((sql) => sql`UPDATE blocks SET last_time = last_time + 0.001 WHERE id = 2`)
    const lines: Array<string> = []
    const logger = Logger.make(({ message }) => void lines.push(String(message)))
    yield* Effect.gen(function* () {
      const points = yield* RowStore
      for (let i = 0; i < 3; i++) {
        const failure = yield* Effect.flip(Stream.runDrain(points.read(everything, channels)))
        expect(failure).toMatchObject({ _tag: "PointsDamaged", sessionId: 1, first: time(BLOCK_ROWS) })
      }
      expect(yield* Effect.flip(points.count({ ...everything, until: time(TAIL - 5) }))).toBeInstanceOf(
        PointsDamaged
      )
      // Whole blocks are counted without being read.
      expect(yield* points.count(everything)).toBe(TAIL + 150)
      const before = { ...everything, until: time(BLOCK_ROWS) }
      const after = { ...everything, from: time(TAIL) }
      for (const range of [before, after])
        expect(RowBatch.concat([...(yield* Stream.runCollect(points.read(range, channels)))]).length).toBe(
          yield* points.count(range)
        )
      expect((yield* points.count(before)) + (yield* points.count(after))).toBe(BLOCK_ROWS + 150)
    }).pipe(Effect.provide(Layer.merge(opened, Logger.replace(Logger.defaultLogger, logger))))
    expect(lines).toEqual([expect.stringMatching(/session 1 from 2023-11-14T\S+ to 2023-11-14T\S+/)])
  })
)

it.scopedLive("a tail that is damaged is not packed as if it were sound, and recording goes on", () =>
  Effect.gen(function* () {
    const { damage, file, opened } = yield* stored
    yield* damage((sql) => sql`UPDATE blocks SET data = zeroblob(length(data)) WHERE id = 3`)
    const more = samplePoints(time(TAIL + 149) + 1, 30)
    yield* Effect.gen(function* () {
      const points = yield* RowStore
      yield* points.write([{ sessionId: 1, group: POINTS, batch: more }])
      yield* points.seal(1)
      expect(yield* Effect.flip(Stream.runDrain(points.read(everything, channels)))).toBeInstanceOf(
        PointsDamaged
      )
      const [found] = [
        ...(yield* Stream.runCollect(points.read({ ...everything, from: time(TAIL + 100) }, channels)))
      ]
      const expected = RowBatch.concat([part(all, TAIL + 100, TAIL + 150), more])
      expect(bitsOf(found!).equals(bitsOf(expected))).toBe(true)
    }).pipe(Effect.provide(opened))
    const verified = yield* Effect.provide(verify("sqlite"), file)
    expect(verified.damaged).toMatchObject([{ sessionId: 1, first: time(TAIL) }])
    expect(verified).toMatchObject({ points: TAIL + 180, structure: [] })
  })
)

it.scopedLive("verify accepts whole blocks, and reports rows that contradict their block", () =>
  Effect.gen(function* () {
    const { damage, file } = yield* stored
    expect(yield* Effect.provide(verify("sqlite"), file)).toEqual({
      blocks: 4,
      points: TAIL + 150,
      samples: 0,
      damaged: [],
      damagedChannels: [],
      dictionaries: 0,
      structure: []
    })
    // As a faulty writer would have stored it: the checksum covers the row.
    yield* damage((sql) =>
      Effect.gen(function* () {
        const [block] =
          yield* sql<StoredBlock>`SELECT b.id, session_id, group_name, names, first_time AS first,
          last_time AS last, length + 1 AS length, checksum, data
          FROM blocks AS b JOIN layouts AS l ON l.id = layout WHERE b.id = 2`
        yield* sql`UPDATE blocks SET length = ${block!.length}, checksum = ${checksumOf(block!)} WHERE id = 2`
      })
    )
    const verified = yield* Effect.provide(verify("sqlite"), file)
    expect(verified.damaged).toMatchObject([
      { sessionId: 1, first: time(BLOCK_ROWS), reason: "its points are others" }
    ])
  })
)
