/**
 * A packed column: its values (wholeColumns.ts), and the places of its holes, which are absent values among others.
 *
 * | bytes | |
 * | --- | --- |
 * | 0 | 10 |
 * | 1-4 | how many bytes the next field takes, little endian |
 * | then | a bit for each row, compressed: 1 where there is a value, the lowest bit of a byte first |
 * | then | the values, at least one, as a column without holes |
 *
 * A column without holes has another form. So has a column of absent values only, because all of its values are the same.
 */
import { ABSENT_HIGH_WORD, isAbsentAt, wordsOf } from "./bits.ts"
import { compress, decompress, type Effort } from "./compression.ts"
import { packWhole, unpackWhole } from "./wholeColumns.ts"

const HOLES = 10
const HEADER_BYTES = 5

const isThere = (presence: Uint8Array, i: number): number => (presence[i >> 3]! >> (i & 7)) & 1

/** Packs a column with at least one value. */
export const packColumn = (values: Float64Array, effort: Effort = "quick"): Uint8Array => {
  const { length } = values
  const words = wordsOf(values)
  const presence = new Uint8Array(Math.ceil(length / 8))
  let count = 0
  for (let i = 0; i < length; i++) {
    if (isAbsentAt(words, i)) continue
    presence[i >> 3]! |= 1 << (i & 7)
    count++
  }
  if (count === 0 || count === length) return packWhole(values, effort)
  const there = new Float64Array(count)
  const thereWords = wordsOf(there)
  // Copied as words: copying doubles might lose a NaN's payload.
  for (let i = 0, at = 0; i < length; i++) {
    if (isThere(presence, i) === 0) continue
    thereWords[at++] = words[2 * i]!
    thereWords[at++] = words[2 * i + 1]!
  }
  const packedPresence = compress(presence, effort)
  const rest = packWhole(there, effort)
  const column = new Uint8Array(HEADER_BYTES + packedPresence.length + rest.length)
  column[0] = HOLES
  new DataView(column.buffer).setUint32(1, packedPresence.length, true)
  column.set(packedPresence, HEADER_BYTES)
  column.set(rest, HEADER_BYTES + packedPresence.length)
  return column
}

/** Restores a column to `values`, whose length must be the column's. */
export const unpackColumn = (column: Uint8Array, values: Float64Array): void => {
  if (column[0] !== HOLES) return unpackWhole(column, values)
  const { length } = values
  const end =
    HEADER_BYTES + new DataView(column.buffer, column.byteOffset, column.byteLength).getUint32(1, true)
  const presence = decompress(column.subarray(HEADER_BYTES, end), Math.ceil(length / 8))
  let at = 0
  for (let i = 0; i < length; i++) at += isThere(presence, i)
  unpackWhole(column.subarray(end), values.subarray(0, at))
  const words = wordsOf(values)
  // Goes backwards, so that no value is overwritten before it has moved.
  for (let i = length - 1; i >= 0; i--) {
    if (isThere(presence, i) === 1) {
      at--
      words[2 * i] = words[2 * at]!
      words[2 * i + 1] = words[2 * at + 1]!
    } else {
      words[2 * i] = 0
      words[2 * i + 1] = ABSENT_HIGH_WORD
    }
  }
}
