/**
 * A packed column without holes, in the order of differences that suits it.
 *
 * | bytes | |
 * | --- | --- |
 * | 0 | form: 12 all values are the same; 11 they differ |
 * | 1-8 | of 12: the value's bits |
 * | 1 | of 11: the number system of the values (columnNumbers.ts) |
 * | 2 | the order of the differences, 1 to 3, in the low two bits; in the bits above, how many planes follow, from the lowest; the others are 0 |
 * | 3-10 | the first value's number in that system, as a double |
 * | then | the planes of the differences, compressed |
 *
 * Each order above 1 takes the differences of the order below; the first number of each order stays.
 */
import { wordsOf } from "./bits.ts"
import { fromPlanes, toPlanes, WORD_BYTES } from "./bytePlanes.ts"
import { giveNumbers, lanesOf, SYSTEMS, takeNumbers } from "./columnNumbers.ts"
import { compress, decompress, type Effort } from "./compression.ts"
import { orderFor } from "./differenceOrder.ts"
import { difference, sum } from "./differences.ts"

const DIFFERENCES = 11
const SAME = 12
const HEADER_BYTES = 11
const FIRST = 3
const ORDER_BITS = 2

/** Buffers for the differences and their planes. They are reused, because Node clears each new array. */
let words = new Int32Array(0)
let planes = new Uint8Array(0)

const makeRoom = (length: number): void => {
  if (2 * length <= words.length) return
  words = new Int32Array(2 * length)
  planes = new Uint8Array(2 * length * WORD_BYTES)
}

const areSame = (bits: Uint32Array): boolean => {
  for (let i = 2; i < bits.length; i += 2) if (bits[i] !== bits[0] || bits[i + 1] !== bits[1]) return false
  return true
}

/** Packs a column with at least one value. */
export const packWhole = (values: Float64Array, effort: Effort = "quick"): Uint8Array => {
  const { length } = values
  const bits = wordsOf(values)
  if (areSame(bits)) {
    const column = new Uint8Array(1 + 8)
    column[0] = SAME
    column.set(new Uint8Array(values.buffer, values.byteOffset, 8), 1)
    return column
  }
  makeRoom(length)
  const { first, system } = takeNumbers(values, words)
  const lanes = lanesOf(system)
  const { isUnsure, order } = orderFor(lanes, words, length)
  const packAs = (order: number): Uint8Array => {
    const count = toPlanes(lanes, words, length, planes)
    const packed = compress(planes.subarray(0, count * length), effort)
    const column = new Uint8Array(HEADER_BYTES + packed.length)
    column.set([DIFFERENCES, system, order | (count << ORDER_BITS)])
    column.set(new Uint8Array(first.buffer), FIRST)
    column.set(packed, HEADER_BYTES)
    return column
  }
  // Packing again takes twice the time, and saves a few bytes at most.
  const simple = order === 1 || (isUnsure && effort === "thorough") ? packAs(1) : undefined
  if (order === 1) return simple!
  for (let done = 1; done < order; done++) difference(lanes, words, length)
  const higher = packAs(order)
  return simple !== undefined && simple.length <= higher.length ? simple : higher
}

/** The bits of a double, from a column that need not begin on a multiple of 8. */
const twoWords = (column: Uint8Array, at: number): Int32Array => {
  const words = new Int32Array(2)
  new Uint8Array(words.buffer).set(column.subarray(at, at + 8))
  return words
}

const unpackSame = (column: Uint8Array, values: Float64Array): void => {
  if (column.length !== 1 + 8) throw new RangeError("a column of one value is not 9 bytes")
  const bits = wordsOf(values)
  const [low, high] = twoWords(column, 1)
  for (let i = 0; i < bits.length; i += 2) {
    bits[i] = low!
    bits[i + 1] = high!
  }
}

/** Restores a column to `values`, whose length must be the column's. */
export const unpackWhole = (column: Uint8Array, values: Float64Array): void => {
  const { length } = values
  if (column[0] === SAME) return unpackSame(column, values)
  if (column[0] !== DIFFERENCES) throw new RangeError(`unknown column form ${column[0]}`)
  const system = column[1]!
  const order = column[2]! & (2 ** ORDER_BITS - 1)
  const count = column[2]! >> ORDER_BITS
  if (column.length < HEADER_BYTES) throw new RangeError("a column ends in its header")
  if (system >= SYSTEMS) throw new RangeError(`unknown numbers ${system}`)
  const lanes = lanesOf(system)
  if (order === 0) throw new RangeError(`differences of order ${order}`)
  if (count < 1 || count > lanes * WORD_BYTES) throw new RangeError(`${count} planes`)
  makeRoom(length)
  const unpacked = decompress(column.subarray(HEADER_BYTES), count * length)
  fromPlanes(lanes, unpacked, count, length, words)
  for (let done = 1; done < order; done++) sum(lanes, words, length)
  const first = twoWords(column, FIRST)
  giveNumbers({ system: system, first }, words, values)
}
