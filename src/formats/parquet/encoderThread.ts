/**
 * Entry of the thread that encodes rows as Parquet: 7 us of CPU a point are too much for the event loop. Row groups of
 * `GROUP_ROWS` rows; each answer has the bytes that are ready.
 */
import { gzipSync } from "node:zlib"
import { ByteWriter, type ColumnSource, ParquetWriter } from "hyparquet-writer"
import { answerAsks } from "../../platform/threads/answerAsks.ts"
import type { ThreadBatch } from "../../platform/threads/threadBatch.ts"

export interface ParquetTask {
  /** "timestamp" first. */
  readonly columns: ReadonlyArray<string>
  /** Columns of whole numbers of 32 bits; the others are doubles. */
  readonly integers: ReadonlyArray<string>
  /** Key-value metadata of the file. */
  readonly metadata: Readonly<Record<string, string>>
}

/** Rows, or null for the end of the file. */
export type ParquetAsk = ThreadBatch | null

/** Smaller groups cost more for each point, larger ones more memory. */
const GROUP_ROWS = 16_384
/** A column with fewer distinct values among this many sampled ones is smaller with a dictionary. */
const SAMPLED = 2048
const MAX_DISTINCT = 1024

const hasFewValues = (column: Float64Array): boolean => {
  const seen = new Set<number>()
  const step = Math.max(1, Math.floor(column.length / SAMPLED))
  for (let i = 0; i < column.length; i += step) seen.add(column[i]!)
  return seen.size < MAX_DISTINCT
}

const isAnyAbsent = (column: Float64Array): boolean => {
  for (let i = 0; i < column.length; i++) if (Number.isNaN(column[i])) return true
  return false
}

class Encoder {
  readonly #writer = new ByteWriter()
  readonly #parquet: ParquetWriter
  readonly #columns: ReadonlyArray<string>
  readonly #integers: ReadonlySet<string>
  /** The rows of the group that is being filled, by column. */
  readonly #group: ReadonlyArray<Float64Array>
  #filled = 0

  constructor({ columns, integers, metadata }: ParquetTask) {
    this.#columns = columns
    this.#integers = new Set(integers)
    this.#group = columns.map(() => new Float64Array(GROUP_ROWS))
    this.#parquet = new ParquetWriter({
      writer: this.#writer,
      schema: [
        { name: "root", num_children: columns.length },
        ...columns.map((name) => ({
          name,
          type: this.#integers.has(name) ? ("INT32" as const) : ("DOUBLE" as const),
          repetition_type: name === "timestamp" ? ("REQUIRED" as const) : ("OPTIONAL" as const)
        }))
      ],
      // Every reader has gzip.
      codec: "GZIP",
      compressors: { GZIP: (bytes: Uint8Array) => gzipSync(bytes, { level: 1 }) },
      createdBy: "telemetry-session-service",
      kvMetadata: Object.entries(metadata).map(([key, value]) => ({ key, value }))
    })
  }

  push({ data, length }: ThreadBatch): void {
    for (let from = 0; from < length;) {
      const count = Math.min(length - from, GROUP_ROWS - this.#filled)
      this.#group.forEach((column, c) =>
        column.set(data.subarray(c * length + from, c * length + from + count), this.#filled)
      )
      this.#filled += count
      from += count
      if (this.#filled === GROUP_ROWS) this.#writeGroup()
    }
  }

  end(): void {
    if (this.#filled > 0) this.#writeGroup()
    void this.#parquet.finish()
  }

  /** The bytes since the last call. */
  take(): Uint8Array<ArrayBuffer> {
    const bytes = this.#writer.getBytes().slice()
    this.#writer.index = 0
    return bytes
  }

  #writeGroup(): void {
    const columnData = this.#columns.map((name, c) =>
      this.#source(name, this.#group[c]!.subarray(0, this.#filled))
    )
    void this.#parquet.write({ columnData, rowGroupSize: GROUP_ROWS })
    this.#filled = 0
  }

  #source(name: string, column: Float64Array): ColumnSource {
    if (this.#integers.has(name)) {
      return { name, data: Array.from(column, (value) => (Number.isNaN(value) ? null : value)) }
    }
    const data = isAnyAbsent(column)
      ? Array.from(column, (value) => (Number.isNaN(value) ? null : value))
      : column
    return hasFewValues(column) ? { name, data } : { name, data, encoding: "BYTE_STREAM_SPLIT" }
  }
}

answerAsks(
  (task: ParquetTask) => {
    const encoder = new Encoder(task)
    return (rows: ParquetAsk) => {
      if (rows === null) encoder.end()
      else encoder.push(rows)
      return encoder.take()
    }
  },
  (bytes) => [bytes.buffer]
)
