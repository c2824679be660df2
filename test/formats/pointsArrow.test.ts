/** Arrow is read with the library's own reader; `npm run test:clients` reads the same with pyarrow. */
import { expect, it } from "@effect/vitest"
import { tableFromIPC } from "apache-arrow"
import { Effect, FastCheck as fc, Stream } from "effect"
import { channels } from "../../src/domain/pointChannels.ts"
import { type PointBatch, RowBatch } from "../../src/domain/RowBatch.ts"
import * as PointsArrow from "../../src/formats/arrow/pointsArrow.ts"
import { awkwardDoubles } from "../contracts/samples.ts"

const bytesOf = (batches: ReadonlyArray<PointBatch>, metadata = {}) =>
  Stream.runCollect(PointsArrow.table(Stream.fromIterable(batches), channels, metadata)).pipe(
    Effect.map((pieces) => Buffer.concat([...pieces]))
  )

/** The bits of a double; NaN for every NaN. */
const bits = (value: number): bigint | null =>
  Number.isNaN(value) ? null : new BigUint64Array(new Float64Array([value]).buffer)[0]!

const value = fc.oneof(fc.double(), fc.constant(Number.NaN), fc.constantFrom(...awkwardDoubles))
const batchOf = (length: number) =>
  fc
    .array(value, { minLength: length * channels.length, maxLength: length * channels.length })
    .map((values) => new RowBatch(length, Float64Array.from(values), channels))
const someBatches = fc.array(fc.integer({ min: 1, max: 20 }).chain(batchOf), { maxLength: 4 })

it.effect.prop(
  "a stream has each value to the bit, and null for an absent channel",
  [someBatches],
  ([batches]) =>
    Effect.gen(function* () {
      const table = tableFromIPC(yield* bytesOf(batches))
      expect(table.schema.fields.map(({ name }) => name)).toEqual(channels)
      for (const channel of channels) {
        const column = table.getChild(channel)!
        const expected = batches.flatMap((batch) => [...batch.column(channel)].map(bits))
        expect(Array.from(column, (read: number | null) => (read === null ? null : bits(read)))).toEqual(
          expected
        )
        expect(column.nullCount).toBe(expected.filter((read) => read === null).length)
      }
    })
)

it.effect("a document's facts are the schema's metadata, also without rows", () =>
  Effect.gen(function* () {
    const { numRows, schema } = tableFromIPC(yield* bytesOf([], { lap_id: 7, total_points: 0 }))
    expect(numRows).toBe(0)
    expect(Object.fromEntries(schema.metadata)).toEqual({ lap_id: "7", total_points: "0" })
    expect(schema.fields.map(({ nullable }) => nullable)).toEqual(
      channels.map((name) => name !== "timestamp")
    )
  })
)
