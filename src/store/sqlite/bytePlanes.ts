/**
 * Integers near 0 as planes of bytes: all lowest bytes, then all next ones. The sign of each integer becomes its lowest bit.
 * So the high bytes of integers near 0 are 0 on both sides of it, and their planes are left out or are long runs.
 *
 * An integer has one word of 32 bits or two (`lanes`), the low one first; BigInt would allocate for each integer.
 */

export type Lanes = 1 | 2

export const WORD_BYTES = 4

const foldOne = (words: Int32Array, length: number, planes: Uint8Array): number => {
  let bits = 0
  for (let i = 0; i < length; i++) bits |= (words[i]! << 1) ^ (words[i]! >> 31)
  const count = WORD_BYTES - (Math.clz32(bits) >>> 3)
  for (let plane = 0; plane < count; plane++) {
    const at = plane * length
    const shift = 8 * plane
    for (let i = 0; i < length; i++) planes[at + i] = ((words[i]! << 1) ^ (words[i]! >> 31)) >>> shift
  }
  return count
}

const foldTwo = (words: Int32Array, length: number, planes: Uint8Array): number => {
  let lowBits = 0
  let highBits = 0
  for (let i = 0; i < length; i++) {
    const sign = words[2 * i + 1]! >> 31
    const low = (words[2 * i]! << 1) ^ sign
    const high = ((words[2 * i + 1]! << 1) | (words[2 * i]! >>> 31)) ^ sign
    lowBits |= low
    highBits |= high
    planes[i] = low
    planes[length + i] = low >>> 8
    planes[2 * length + i] = low >>> 16
    planes[3 * length + i] = low >>> 24
    planes[4 * length + i] = high
    planes[5 * length + i] = high >>> 8
    planes[6 * length + i] = high >>> 16
    planes[7 * length + i] = high >>> 24
  }
  return highBits === 0
    ? WORD_BYTES - (Math.clz32(lowBits) >>> 3)
    : 2 * WORD_BYTES - (Math.clz32(highBits) >>> 3)
}

/**
 * Fills `planes` with the planes of `length` integers. Returns how many planes it wrote, from the lowest: the planes
 * above them are all 0 and are not written.
 */
export const toPlanes = (lanes: Lanes, words: Int32Array, length: number, planes: Uint8Array): number =>
  lanes === 1 ? foldOne(words, length, planes) : foldTwo(words, length, planes)

/** The inverse of `toPlanes`, from its `count` planes. */
export const fromPlanes = (
  lanes: Lanes,
  planes: Uint8Array,
  count: number,
  length: number,
  words: Int32Array
): void => {
  if (lanes === 1) {
    for (let i = 0; i < length; i++) {
      let folded = planes[i]!
      if (count > 1) folded |= planes[length + i]! << 8
      if (count > 2) folded |= planes[2 * length + i]! << 16
      if (count > 3) folded |= planes[3 * length + i]! << 24
      words[i] = (folded >>> 1) ^ -(folded & 1)
    }
    return
  }
  words.fill(0, 0, 2 * length)
  for (let plane = 0; plane < count; plane++) {
    const lane = plane >> 2
    const shift = 8 * (plane & 3)
    const start = plane * length
    for (let i = 0; i < length; i++)
      words[2 * i + lane] = words[2 * i + lane]! | (planes[start + i]! << shift)
  }
  for (let i = 0; i < length; i++) {
    const low = words[2 * i]!
    const high = words[2 * i + 1]!
    const sign = -(low & 1)
    words[2 * i] = ((low >>> 1) | (high << 31)) ^ sign
    words[2 * i + 1] = (high >>> 1) ^ sign
  }
}
