/**
 * Rows as an Arrow IPC stream (https://arrow.apache.org/docs/format/Columnar.html#ipc-streaming-format): a record batch
 * for each batch, each column with the doubles that are stored, bit by bit, and null where a channel is absent. The
 * fields that a JSON document has beside its rows are metadata of the schema, under the same names, as text.
 *
 * The library writes only whole streams: the schema, the batches, the end. So a batch's message is cut out of a stream
 * that has this batch alone.
 */
import type * as Arrow from "apache-arrow"
import { Effect, Stream } from "effect"
import type { RowBatch } from "../../domain/RowBatch.ts"

export const ARROW_TYPE = "application/vnd.apache.arrow.stream"

/** The end of a stream: a message marker, followed by a length of zero. */
const END_BYTES = 8

/** Loaded for the first answer that needs it. */
const library = Effect.promise(() => import("apache-arrow"))

const bitmapOf = (column: Float64Array): { readonly nullCount: number; readonly nullBitmap?: Uint8Array } => {
  let nullCount = 0
  for (let i = 0; i < column.length; i++) if (Number.isNaN(column[i]!)) nullCount++
  if (nullCount === 0) return { nullCount }
  // Little endian: the first row is the lowest bit of the first byte; 1 marks a value that is present.
  const nullBitmap = new Uint8Array((column.length + 7) >> 3)
  for (let i = 0; i < column.length; i++) if (!Number.isNaN(column[i]!)) nullBitmap[i >> 3]! |= 1 << (i & 7)
  return { nullCount, nullBitmap }
}

/** Encodes rows with these columns. */
class Encoder {
  readonly #arrow: typeof Arrow
  readonly #schema: Arrow.Schema
  readonly #empty: Uint8Array

  constructor(
    arrow: typeof Arrow,
    columns: ReadonlyArray<string>,
    metadata: Readonly<Record<string, string>>
  ) {
    const type = new arrow.Float64()
    const fields = columns.map((column) => new arrow.Field(column, type, column !== "timestamp"))
    this.#arrow = arrow
    this.#schema = new arrow.Schema(fields, new Map(Object.entries(metadata)))
    this.#empty = this.#streamOf([])
  }

  get begin(): Uint8Array {
    return this.#empty.subarray(0, -END_BYTES)
  }

  get end(): Uint8Array {
    return this.#empty.subarray(-END_BYTES)
  }

  batch(rows: RowBatch): Uint8Array {
    const { RecordBatch, Struct, makeData } = this.#arrow
    const { length } = rows
    const type = new Struct(this.#schema.fields)
    const children = this.#schema.fields.map((field, c) => {
      const data = rows.data.subarray(c * length, (c + 1) * length)
      return makeData({ type: field.type as Arrow.Float64, length, data, ...bitmapOf(data) })
    })
    const stream = this.#streamOf([
      new RecordBatch(this.#schema, makeData({ type, length, nullCount: 0, children }))
    ])
    return stream.subarray(this.begin.length, -END_BYTES)
  }

  #streamOf(batches: ReadonlyArray<Arrow.RecordBatch>): Uint8Array {
    const writer = new this.#arrow.RecordBatchStreamWriter()
    writer.reset(undefined, this.#schema)
    for (const batch of batches) writer.write(batch)
    writer.finish()
    return writer.toUint8Array(true)
  }
}

/** The batches must have these columns, the timestamp first. */
export const table = <E, R>(
  batches: Stream.Stream<RowBatch, E, R>,
  columns: ReadonlyArray<string>,
  metadata: Readonly<Record<string, string | number>>
): Stream.Stream<Uint8Array, E, R> =>
  Stream.unwrap(
    Effect.map(library, (arrow) => {
      const texts = Object.entries(metadata).map(([name, value]) => [name, String(value)] as const)
      const encoder = new Encoder(arrow, columns, Object.fromEntries(texts))
      return Stream.make(encoder.begin).pipe(
        Stream.concat(Stream.map(batches, (batch) => encoder.batch(batch))),
        Stream.concat(Stream.sync(() => encoder.end))
      )
    })
  )
