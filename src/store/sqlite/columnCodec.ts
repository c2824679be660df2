/**
 * A column of doubles, to bytes that compress well and back, to the last bit.
 *
 * Neighbouring samples of a smooth signal have bit patterns close to each other: their difference as 64-bit
 * integers has mostly equal high bytes. Stored plane by plane (all lowest bytes, then all next ones), those
 * bytes form long runs that are removed.
 *
 * The arithmetic runs on two 32-bit lanes, low word first as typed arrays have it on every platform that Node
 * supports but s390x: BigInt would allocate for each value.
 */
import { compress, decompress, type Effort } from "./compression.ts"

const BYTES = 8

/** `bits`: words, two a value; `from`: the column's first one. Fills `planes`, 8 * `length` bytes. */
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
    // An unsigned sum that is below one of its terms has carried.
    high = (high + deltaHigh + (low >>> 0 < deltaLow >>> 0 ? 1 : 0)) | 0
    bits[to + 2 * i] = low
    bits[to + 2 * i + 1] = high
  }
}

/** Where a column's planes stand while they are compressed: one buffer, because each new one is cleared at first. */
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
