/**
 * Chooses the order of differences for a column: the order whose planes of bytes have the least entropy, measured in a few
 * pieces of the column. Compressing by every order and comparing would take several times as long.
 */
import type { Lanes } from "./bytePlanes.ts"
import { difference } from "./differences.ts"

export const MAX_ORDER = 3

/** The number of pieces of a column that are measured, and the integers in each. */
const PIECES = 4
const PIECE = 256
/** A higher order must promise at least this saving: entropy only estimates the compressed size. */
const MARGIN = 0.97

/** The estimate may be wrong below this many bits per value. */
const UNSURE_BITS = 6

const BYTE_VALUES = 256
const WORD_COUNTS = 4 * BYTE_VALUES

const piece = new Int32Array(2 * PIECE)
const counts = new Uint16Array(2 * WORD_COUNTS)
/** n * log2(n), the terms of an entropy. */
const weights = Float64Array.from({ length: PIECES * PIECE + 1 }, (_, n) => (n === 0 ? 0 : n * Math.log2(n)))

/** Integers in each piece of a column of this length. */
const pieceOf = (length: number): number => Math.min(PIECE, Math.floor(length / PIECES))
/** Integers counted in all pieces: those with enough integers before them for a difference of the highest order. */
const countedIn = (length: number): number => PIECES * Math.max(0, pieceOf(length) - MAX_ORDER + 1)

/** Counts the bytes of the piece's folded integers. */
const countBytes = (lanes: Lanes, length: number): void => {
  for (let i = MAX_ORDER - 1; i < length; i++) {
    const sign = piece[(i + 1) * lanes - 1]! >> 31
    let carried = 0
    for (let lane = 0; lane < lanes; lane++) {
      const word = piece[i * lanes + lane]!
      const folded = ((word << 1) | carried) ^ sign
      carried = word >>> 31
      const at = lane * WORD_COUNTS
      counts[at + (folded & 255)]!++
      counts[at + BYTE_VALUES + ((folded >>> 8) & 255)]!++
      counts[at + 2 * BYTE_VALUES + ((folded >>> 16) & 255)]!++
      counts[at + 3 * BYTE_VALUES + (folded >>> 24)]!++
    }
  }
}

/** The bits that the bytes of the pieces take at this order, by their entropy, plane by plane. */
const bitsAt = (order: number, lanes: Lanes, words: Int32Array, length: number): number => {
  counts.fill(0)
  const size = pieceOf(length)
  for (let p = 0; p < PIECES; p++) {
    const start = Math.floor((p * (length - size)) / (PIECES - 1)) * lanes
    piece.set(words.subarray(start, start + size * lanes))
    for (let done = 1; done < order; done++) difference(lanes, piece, size)
    countBytes(lanes, size)
  }
  let bits = lanes * 4 * weights[countedIn(length)]!
  for (let c = 0; c < lanes * WORD_COUNTS; c++) bits -= weights[counts[c]!]!
  return bits
}

export interface Order {
  readonly order: number
  /**
   * True if the estimate may be wrong: the caller may compare with the first order. With so few bits, repeats
   * decide, which entropy does not see; and a few values show little.
   */
  readonly isUnsure: boolean
}

/** `words`: differences of the first order. */
export const orderFor = (lanes: Lanes, words: Int32Array, length: number): Order => {
  let order = 1
  let least = bitsAt(1, lanes, words, length)
  for (let higher = 2; higher <= MAX_ORDER; higher++) {
    const bits = bitsAt(higher, lanes, words, length)
    // If this order saves nothing, higher ones only take differences of noise.
    if (bits >= least * MARGIN) break
    order = higher
    least = bits
  }
  const isUnsure = length < PIECE || least < UNSURE_BITS * countedIn(length)
  return { order, isUnsure: order > 1 && isUnsure }
}
