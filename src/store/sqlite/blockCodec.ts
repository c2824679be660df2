/**
 * A block: some points of one session, at least one, as one blob, raw or packed, with a directory of its
 * columns, so that a reader decodes only those it needs. Pure functions; what does not have this shape throws
 * a RangeError.
 *
 * | bytes | |
 * | --- | --- |
 * | 0 | form: 1 raw, 3 packed; 2 packed, all columns as doubles without a form, as the first blocks were |
 * | 1 | number of columns, in the order of `channels`; columns added later come last, and older blocks have fewer |
 * | 2-3 | 0 |
 * | 4-7 | number of points |
 * | from 8, 4 a column | packed only: where the column ends, counted from the blob's start |
 * | then | the columns: raw as doubles, packed as `pack` makes them |
 *
 * All numbers are little endian.
 */
import { ABSENT, type Channel, channels, PointBatch } from "../../domain/PointBatch.ts"
import { unpackColumn } from "./columnCodec.ts"
import { pack, unpack } from "./columnForms.ts"

/**
 * Points in a full block. The fixed cost of a row and of a brotli stream is spread over them, and a reader
 * that needs one point decodes few others: 68 s of a 60 Hz feed.
 */
export const BLOCK_POINTS = 4096

const RAW = 1
const PACKED_DOUBLES = 2
const PACKED = 3
const FORMS: ReadonlySet<number> = new Set([RAW, PACKED_DOUBLES, PACKED])
const HEADER_BYTES = 8
const ENTRY_BYTES = 4
const DOUBLE_BYTES = 8

const header = (form: number, columns: number, points: number, bytes: number): Uint8Array => {
  const blob = new Uint8Array(bytes)
  blob[0] = form
  blob[1] = columns
  new DataView(blob.buffer).setUint32(4, points, true)
  return blob
}

/**
 * The points `from` (inclusive) to `to` (exclusive) in the form for the small blocks of a live tail: no time spent on what is
 * soon compacted.
 */
export const encodeRaw = ({ channels, data, length }: PointBatch, from = 0, to = length): Uint8Array => {
  const points = to - from
  const blob = header(RAW, channels.length, points, HEADER_BYTES + DOUBLE_BYTES * points * channels.length)
  const columns = new Float64Array(blob.buffer, HEADER_BYTES)
  for (let c = 0; c < channels.length; c++) {
    columns.set(data.subarray(c * length + from, c * length + to), c * points)
  }
  return blob
}

/** The form for blocks that stay. */
export const encodePacked = (batch: PointBatch): Uint8Array => {
  const columns = batch.channels.map((channel) => pack(batch.column(channel)))
  const directoryEnd = HEADER_BYTES + columns.length * ENTRY_BYTES
  const blob = header(
    PACKED,
    columns.length,
    batch.length,
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

/** The block's points, with the `wanted` channels in that order; what it has no column of is absent. */
export const decodeBlock = (blob: Uint8Array, wanted: ReadonlyArray<Channel> = channels): PointBatch => {
  const view = new DataView(blob.buffer, blob.byteOffset, blob.byteLength)
  const form = view.getUint8(0)
  const columns = view.getUint8(1)
  const length = view.getUint32(4, true)
  if (!FORMS.has(form)) throw new RangeError(`unknown block form ${form}`)
  const batch = PointBatch.allocate(length, wanted)
  const bytes = new Uint8Array(batch.data.buffer)
  const columnBytes = length * DOUBLE_BYTES
  for (const [position, channel] of wanted.entries()) {
    const index = channels.indexOf(channel)
    if (index >= columns) batch.data.fill(ABSENT, position * length, (position + 1) * length)
    else if (form === RAW) {
      const start = HEADER_BYTES + index * columnBytes
      // As bytes: a blob need not begin on a multiple of 8, and copied doubles might lose a NaN's payload.
      bytes.set(blob.subarray(start, start + columnBytes), position * columnBytes)
    } else {
      const entry = HEADER_BYTES + index * ENTRY_BYTES
      const start =
        index === 0 ? HEADER_BYTES + columns * ENTRY_BYTES : view.getUint32(entry - ENTRY_BYTES, true)
      const packed = blob.subarray(start, view.getUint32(entry, true))
      if (form === PACKED) unpack(packed, batch.data.subarray(position * length, (position + 1) * length))
      else unpackColumn(packed, length, new Uint32Array(batch.data.buffer), position * length * 2)
    }
  }
  return batch
}
