/** The bits of doubles, two words of 32 each, the low one first as on every platform that Node supports except s390x. */

/** The high word of `ABSENT`; its low one is 0. */
export const ABSENT_HIGH_WORD = 0x7ff80000

export const wordsOf = (values: Float64Array) =>
  new Uint32Array(values.buffer, values.byteOffset, 2 * values.length)

export const isAbsentAt = (words: Uint32Array, i: number): boolean =>
  words[2 * i] === 0 && words[2 * i + 1] === ABSENT_HIGH_WORD
