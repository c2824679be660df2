/**
 * A packed column of points, in the form that suits its values. Few channels need all of a double: simulators give floats of 32
 * bits, loggers and texts give decimals of a few places. If every value of a column is such a number, the column is stored
 * as integers of 32 bits, which takes fewer bytes and half the time to write and to read. Otherwise it is stored as doubles
 * (columnCodec.ts). A form is chosen only if all values come back to the last bit.
 *
 * | bytes | |
 * | --- | --- |
 * | 0 | form: 0 to 7 decimals of that many places, 8 floats of 32 bits, 9 doubles |
 * | then | of doubles: as `packColumn` makes them |
 * | 1 | of integers: how many planes follow, from the lowest; the others are 0 |
 * | 2-9 | the first value, of decimals without their point, as a double |
 * | then | the planes of the differences between neighbours, compressed |
 *
 * Differences are taken between integers, or between the bit patterns of floats. The sign of a difference is its lowest
 * bit, so that the high bytes of differences near 0 are 0 on both sides of it.
 */
import { packColumn, unpackColumn } from "./columnCodec.ts"
import { compress, decompress, type Effort } from "./compression.ts"

const MAX_PLACES = 7
const FLOATS = 8
const DOUBLES = 9
const SCALES = Array.from({ length: MAX_PLACES + 1 }, (_, places) => 10 ** places)
const HEADER_BYTES = 10
const INT_BYTES = 4
const MAX_INT = 2 ** 31 - 1

/** The present column as integers, the same bits as floats, and its planes. Kept, because Node clears each new array. */
let ints = new Int32Array(0)
let floats = new Float32Array(0)
let planes = new Uint8Array(0)

const makeRoom = (length: number) => {
  if (length <= ints.length) return
  ints = new Int32Array(length)
  floats = new Float32Array(ints.buffer)
  planes = new Uint8Array(length * INT_BYTES)
}

const hasPlaces = (value: number, places: number): boolean => {
  const scale = SCALES[places]!
  return Math.round(value * scale) / scale === value
}

/**
 * Puts the values, without their decimal point, into `ints`, counted from the first one. Returns how many values it could
 * convert.
 */
const takeScaled = (values: Float64Array, scale: number): number => {
  const first = Math.round(values[0]! * scale)
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!
    const scaled = Math.round(value * scale)
    const difference = scaled - first
    if (scaled / scale !== value || !(Math.abs(difference) <= MAX_INT)) return i
    // An integer has no -0.
    if (value === 0 && 1 / value < 0) return i
    ints[i] = difference
  }
  return values.length
}

/** The smallest number of decimal places that fits all values, which are then in `ints`; -1 if none fits. */
const takeDecimals = (values: Float64Array): number => {
  for (let places = 0; places <= MAX_PLACES; places++) {
    const taken = takeScaled(values, SCALES[places]!)
    if (taken === values.length) return places
    const value = values[taken]!
    // This value already has that many places exactly, so more places cannot fit it either.
    if (hasPlaces(value, places)) return -1
    while (places < MAX_PLACES && !hasPlaces(value, places + 1)) places++
  }
  return -1
}

/** Whether all values are floats of 32 bits, which are then in `floats`. A NaN stays a double, bit by bit. */
const takeFloats = (values: Float64Array): boolean => {
  for (let i = 0; i < values.length; i++) {
    floats[i] = values[i]!
    if (floats[i] !== values[i]) return false
  }
  return true
}

/** Fills `planes` with the differences of `ints`. Returns how many of the planes are not all 0. */
const toPlanes = (length: number): number => {
  let previous = ints[0]!
  let bits = 0
  for (let i = 0; i < length; i++) {
    const difference = (ints[i]! - previous) | 0
    previous = ints[i]!
    const folded = (difference << 1) ^ (difference >> 31)
    bits |= folded
    planes[i] = folded
    planes[length + i] = folded >>> 8
    planes[2 * length + i] = folded >>> 16
    planes[3 * length + i] = folded >>> 24
  }
  return INT_BYTES - (Math.clz32(bits) >>> 3)
}

/** The inverse of `toPlanes`, from its `count` planes. */
const fromPlanes = (packed: Uint8Array, count: number, length: number): void => {
  let value = ints[0]!
  for (let i = 0; i < length; i++) {
    let folded = packed[i]!
    if (count > 1) folded |= packed[length + i]! << 8
    if (count > 2) folded |= packed[2 * length + i]! << 16
    if (count > 3) folded |= packed[3 * length + i]! << 24
    value = (value + ((folded >>> 1) ^ -(folded & 1))) | 0
    ints[i] = value
  }
}

const withForm = (form: number, packed: Uint8Array): Uint8Array => {
  const column = new Uint8Array(1 + packed.length)
  column[0] = form
  column.set(packed, 1)
  return column
}

/** A column with only `ABSENT`: one value for all, stored as its bits. */
const ABSENT_COLUMN = Uint8Array.of(FLOATS, 0, 0, 0, 0, 0, 0, 0, 0xf8, 0x7f)
export const ABSENT_HIGH_WORD = 0x7ff80000

/** The bits of the values, two words each, the low one first. */
export const wordsOf = (values: Float64Array) =>
  new Uint32Array(values.buffer, values.byteOffset, 2 * values.length)

export const isAbsentAt = (words: Uint32Array, i: number): boolean =>
  words[2 * i] === 0 && words[2 * i + 1] === ABSENT_HIGH_WORD

const isAbsent = (values: Float64Array): boolean => {
  if (!Number.isNaN(values[0])) return false
  const words = wordsOf(values)
  for (let i = 0; i < values.length; i++) if (!isAbsentAt(words, i)) return false
  return true
}

/** Packs a column with at least one value. */
export const pack = (values: Float64Array, effort: Effort = "quick"): Uint8Array => {
  const { length } = values
  if (isAbsent(values)) return ABSENT_COLUMN
  makeRoom(length)
  const places = takeDecimals(values)
  if (places < 0 && !takeFloats(values)) {
    const bits = new Uint32Array(values.buffer, values.byteOffset, 2 * length)
    return withForm(DOUBLES, packColumn(bits, 0, length, effort))
  }
  const count = toPlanes(length)
  const packed = count === 0 ? planes.subarray(0, 0) : compress(planes.subarray(0, count * length), effort)
  const column = new Uint8Array(HEADER_BYTES + packed.length)
  column[0] = places < 0 ? FLOATS : places
  column[1] = count
  const first = places < 0 ? values[0]! : Math.round(values[0]! * SCALES[places]!)
  new DataView(column.buffer).setFloat64(2, first, true)
  column.set(packed, HEADER_BYTES)
  return column
}

/** Restores a column to `values`, whose length must be the column's. */
export const unpack = (column: Uint8Array, values: Float64Array): void => {
  const { length } = values
  const form = column[0]!
  if (form === DOUBLES) {
    const bits = new Uint32Array(values.buffer, values.byteOffset, 2 * length)
    return unpackColumn(column.subarray(1), length, bits, 0)
  }
  if (!(form <= DOUBLES)) throw new RangeError(`unknown column form ${form}`)
  const count = column[1]!
  if (count > INT_BYTES) throw new RangeError(`${count} planes`)
  const first = new DataView(column.buffer, column.byteOffset, column.byteLength).getFloat64(2, true)
  const scale = SCALES[form]
  if (count === 0) {
    values.fill(scale === undefined ? first : first / scale)
    return
  }
  makeRoom(length)
  const packed = decompress(column.subarray(HEADER_BYTES), count * length)
  if (scale === undefined) {
    floats[0] = first
    fromPlanes(packed, count, length)
    for (let i = 0; i < length; i++) values[i] = floats[i]!
  } else {
    ints[0] = 0
    fromPlanes(packed, count, length)
    for (let i = 0; i < length; i++) values[i] = (first + ints[i]!) / scale
  }
}
