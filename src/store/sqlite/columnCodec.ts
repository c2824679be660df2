/**
 * Encodes a column of doubles as bytes that compress well, and decodes it to the last bit.
 *
 * Neighbouring samples of a smooth signal have similar bit patterns, so their difference as 64-bit integers mostly has equal
 * high bytes. Stored plane by plane (all lowest bytes, then all next ones), these bytes form long runs, which compress away.
 *
 * The arithmetic uses two 32-bit lanes, because BigInt would allocate for each value. The low word is first, as in the typed
 * arrays of every platform that Node supports except s390x.
 */
import { compress, decompress, type Effort } from "./compression.ts"

const BYTES = 8

/** `bits`: words, two a value; `from`: the column's first word. Fills `planes`, 8 * `length` bytes. */
const toPlanes = (bits: Uint32Array, from: number, length: number, planes: Uint8Array): void => {
  let previousLow = 0
  let previousHigh = 0
  for (let i = 0; i < length; i++) {
    const low = bits[from + 2 * i]!
    const high = bits[from + 2 * i + 1]!
    const deltaLow = (low - previousLow) | 0
    const deltaHigh = (high - previousHigh - (low < previousLow ? 1 : 0)) | 0
    previousLow = low
    previousHigh = high
    planes[i] = deltaLow
    planes[length + i] = deltaLow >>> 8
    planes[2 * length + i] = deltaLow >>> 16
    planes[3 * length + i] = deltaLow >>> 24
    planes[4 * length + i] = deltaHigh
    planes[5 * length + i] = deltaHigh >>> 8
    planes[6 * length + i] = deltaHigh >>> 16
    planes[7 * length + i] = deltaHigh >>> 24
  }
}

/** The inverse of `toPlanes`, into `bits` from its word `to`. */
const fromPlanes = (planes: Uint8Array, length: number, bits: Uint32Array, to: number): void => {
  let low = 0
  let high = 0
  for (let i = 0; i < length; i++) {
    const deltaLow =
      planes[i]! |
      (planes[length + i]! << 8) |
      (planes[2 * length + i]! << 16) |
      (planes[3 * length + i]! << 24)
    const deltaHigh =
      planes[4 * length + i]! |
      (planes[5 * length + i]! << 8) |
      (planes[6 * length + i]! << 16) |
      (planes[7 * length + i]! << 24)
    low = (low + deltaLow) | 0
    // An unsigned sum that is smaller than one of its terms has carried.
    high = (high + deltaHigh + (low >>> 0 < deltaLow >>> 0 ? 1 : 0)) | 0
    bits[to + 2 * i] = low
    bits[to + 2 * i + 1] = high
  }
}

/** The column's planes while they are compressed: one buffer that is kept, because Node clears each new one. */
let scratch = new Uint8Array(0)

/** Compresses the column that starts at word `from` of `bits`. */
export const packColumn = (
  bits: Uint32Array,
  from: number,
  length: number,
  effort: Effort = "quick"
): Uint8Array => {
  if (scratch.length < length * BYTES) scratch = new Uint8Array(length * BYTES)
  const planes = scratch.subarray(0, length * BYTES)
  toPlanes(bits, from, length, planes)
  return compress(planes, effort)
}

/** Restores a column to `bits` from its word `to`. */
export const unpackColumn = (packed: Uint8Array, length: number, bits: Uint32Array, to: number): void =>
  fromPlanes(decompress(packed, length * BYTES), length, bits, to)
