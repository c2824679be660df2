/**
 * A block: one or more rows of a session's group as one blob, raw or packed, with a directory of its columns, so that a
 * reader decodes only the columns it needs. Pure functions; a blob of another shape throws a RangeError.
 *
 * | bytes | |
 * | --- | --- |
 * | 0 | form: 1 raw, 2 packed |
 * | 1 | 0 |
 * | 2-3 | number of columns, in the order of the layout that the block's row names |
 * | 4-7 | number of rows |
 * | from 8, 4 a column | packed only: where the column ends, counted from the blob's start |
 * | then | the columns: raw as doubles; packed as `packColumn` makes them |
 *
 * All numbers are little endian.
 */
import type { Columns } from "../../domain/Dictionary.ts"
import { ABSENT, RowBatch } from "../../domain/RowBatch.ts"
import { packColumn, unpackColumn } from "./columnCodec.ts"
import type { Effort } from "./compression.ts"

/**
 * The maximum number of rows in a block: 68 s of a 60 Hz feed. With many rows, the fixed cost of a row in the file and
 * of a brotli stream is spread; with few, a reader who needs one row decodes few others.
 */
export const BLOCK_ROWS = 4096
/** Bytes of a full block, as doubles. Bounds the cost of reading one row, and the memory of an open block. */
const BLOCK_BYTES = 1024 * 1024

const RAW = 1
const PACKED = 2
const HEADER_BYTES = 8
const ENTRY_BYTES = 4
const DOUBLE_BYTES = 8

/** Rows in a full block with this number of columns. */
export const blockRows = (columns: number): number =>
  Math.max(1, Math.min(BLOCK_ROWS, Math.floor(BLOCK_BYTES / (DOUBLE_BYTES * columns))))

const header = (form: number, columns: number, rows: number, bytes: number): Uint8Array => {
  const blob = new Uint8Array(bytes)
  const view = new DataView(blob.buffer)
  view.setUint8(0, form)
  view.setUint16(2, columns, true)
  view.setUint32(4, rows, true)
  return blob
}

/**
 * Encodes the rows `from` (inclusive) to `to` (exclusive) for the small blocks of a live tail. Spends no time on
 * compression, because these blocks are compacted soon.
 */
export const encodeRaw = (
  { channels, data, length }: RowBatch,
  from = 0,
  to: number = length
): Uint8Array => {
  const rows = to - from
  const blob = header(RAW, channels.length, rows, HEADER_BYTES + DOUBLE_BYTES * rows * channels.length)
  const columns = new Float64Array(blob.buffer, HEADER_BYTES)
  for (let c = 0; c < channels.length; c++) {
    columns.set(data.subarray(c * length + from, c * length + to), c * rows)
  }
  return blob
}

/** Encodes blocks that stay. */
export const encodePacked = ({ channels, data, length }: RowBatch, effort: Effort = "quick"): Uint8Array => {
  const columns = channels.map((_, c) => packColumn(data.subarray(c * length, (c + 1) * length), effort))
  const directoryEnd = HEADER_BYTES + columns.length * ENTRY_BYTES
  const blob = header(
    PACKED,
    columns.length,
    length,
    columns.reduce((sum, column) => sum + column.length, directoryEnd)
  )
  const directory = new DataView(blob.buffer, HEADER_BYTES)
  let at = directoryEnd
  for (const [index, column] of columns.entries()) {
    blob.set(column, at)
    at += column.length
    directory.setUint32(index * ENTRY_BYTES, at, true)
  }
  return blob
}

const places = new WeakMap<Columns, ReadonlyMap<string, number>>()

/** The index of each column of a layout. */
const placesOf = (layout: Columns): ReadonlyMap<string, number> => {
  const known = places.get(layout)
  if (known !== undefined) return known
  const found = new Map(layout.map((name, place) => [name, place]))
  places.set(layout, found)
  return found
}

const columnsIn = (view: DataView, layout: Columns): number => {
  const columns = view.getUint16(2, true)
  if (columns !== layout.length) throw new RangeError(`${columns} columns, of a layout of ${layout.length}`)
  return columns
}

/**
 * The number of rows of a block. Checked to be at least one and no more than a block can have, because memory is allocated
 * for them.
 */
const rowsIn = (view: DataView, form: number, columns: number): number => {
  const rows = view.getUint32(4, true)
  if (rows === 0 || rows > BLOCK_ROWS) throw new RangeError(`a block of ${rows} rows`)
  if (form === RAW && view.byteLength !== HEADER_BYTES + DOUBLE_BYTES * rows * columns)
    throw new RangeError(`${view.byteLength} bytes, of ${rows} rows of ${columns} columns`)
  return rows
}

/** The `wanted` columns of a block, in that order; a column that the layout lacks is absent. */
export const decodeColumns = <Name extends string>(
  blob: Uint8Array,
  layout: Columns,
  wanted: ReadonlyArray<Name>
): RowBatch<Name> => {
  const view = new DataView(blob.buffer, blob.byteOffset, blob.byteLength)
  const form = view.getUint8(0)
  if (form !== RAW && form !== PACKED) throw new RangeError(`unknown block form ${form}`)
  const columns = columnsIn(view, layout)
  const length = rowsIn(view, form, columns)
  const batch = RowBatch.allocate(length, wanted)
  const bytes = new Uint8Array(batch.data.buffer)
  const columnBytes = length * DOUBLE_BYTES
  const placeOf = placesOf(layout)
  for (const [position, channel] of wanted.entries()) {
    const index = placeOf.get(channel)
    if (index === undefined) batch.data.fill(ABSENT, position * length, (position + 1) * length)
    else if (form === RAW) {
      const start = HEADER_BYTES + index * columnBytes
      // Copied as bytes: a blob need not begin on a multiple of 8, and copying doubles might lose a NaN's payload.
      bytes.set(blob.subarray(start, start + columnBytes), position * columnBytes)
    } else {
      const entry = HEADER_BYTES + index * ENTRY_BYTES
      const start =
        index === 0 ? HEADER_BYTES + columns * ENTRY_BYTES : view.getUint32(entry - ENTRY_BYTES, true)
      unpackColumn(
        blob.subarray(start, view.getUint32(entry, true)),
        batch.data.subarray(position * length, (position + 1) * length)
      )
    }
  }
  return batch
}
