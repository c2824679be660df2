/** Parquet files, read back by hyparquet; the tests of clients read them by pyarrow and polars. */
import { gunzipSync } from "node:zlib"
import { expect, it } from "@effect/vitest"
import { Chunk, Effect, Stream } from "effect"
import { parquetMetadata, parquetReadObjects } from "hyparquet"
import { RowBatch } from "../../src/domain/RowBatch.ts"
import { table } from "../../src/formats/parquet/pointsParquet.ts"

const columns = ["timestamp", "speed", "gear", "tyre", "lap_number"]

/** More rows than a row group has, in batches that do not fit it. */
const ROWS = 20_000
const BATCH = 3333

const valueAt = (row: number): ReadonlyArray<number> => [
  1_770_000_000 + row / 3,
  row % 7 === 0 ? Number.NaN : Math.sin(row) * 300,
  row % 5,
  Number.NaN,
  row < 100 ? Number.NaN : Math.floor(row / 1000)
]

const batches = Array.from({ length: Math.ceil(ROWS / BATCH) }, (_, n) => {
  const batch: RowBatch = RowBatch.allocate(Math.min(BATCH, ROWS - n * BATCH), columns)
  for (let i = 0; i < batch.length; i++) {
    valueAt(n * BATCH + i).forEach((value, c) => (batch.data[c * batch.length + i] = value))
  }
  return batch
})

const fileOf = (rows: ReadonlyArray<RowBatch>) =>
  table(Stream.fromIterable(rows), {
    columns,
    integers: ["lap_number"],
    metadata: { session: '{"id":1}' }
  }).pipe(
    Stream.runCollect,
    Effect.map((pieces) => new Uint8Array(Buffer.concat(Chunk.toReadonlyArray(pieces))).buffer)
  )

it.effect("has every value to the bit, null where it is absent, over several row groups", () =>
  Effect.gen(function* () {
    const file = yield* fileOf(batches)
    const { key_value_metadata, num_rows, row_groups, schema } = parquetMetadata(file)
    expect([Number(num_rows), row_groups.length]).toEqual([ROWS, 2])
    expect(key_value_metadata).toContainEqual({ key: "session", value: '{"id":1}' })
    expect(schema.slice(1).map(({ name, repetition_type, type }) => [name, type, repetition_type])).toEqual([
      ["timestamp", "DOUBLE", "REQUIRED"],
      ["speed", "DOUBLE", "OPTIONAL"],
      ["gear", "DOUBLE", "OPTIONAL"],
      ["tyre", "DOUBLE", "OPTIONAL"],
      ["lap_number", "INT32", "OPTIONAL"]
    ])
    const rows = yield* Effect.promise(() =>
      parquetReadObjects({ file, compressors: { GZIP: (bytes) => gunzipSync(bytes) } })
    )
    for (let row = 0; row < ROWS; row++) {
      const wanted = valueAt(row).map((value) => (Number.isNaN(value) ? null : value))
      if (columns.every((name, c) => Object.is(rows[row]![name] ?? null, wanted[c]))) continue
      expect([row, rows[row]]).toEqual([row, wanted])
    }
  })
)

it.effect("without rows is a whole file", () =>
  Effect.gen(function* () {
    const file = yield* fileOf([])
    expect(Number(parquetMetadata(file).num_rows)).toBe(0)
  })
)
