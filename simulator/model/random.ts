/**
 * Randomness as a pure function: the number at a place is a hash of the seed and the place, so any part of
 * a drive can be computed, or computed again, without the parts before it.
 */

/** 32 well mixed bits of two integers: the finaliser of MurmurHash3 (Appleby, public domain) over their sum. */
const mix = (a: number, b: number): number => {
  let h = (Math.imul(a, 0x9e3779b1) + b) | 0
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

/** A number in [0, 1) that belongs to `place` (integers, most significant first) under `seed`. */
export const uniform = (seed: number, ...place: ReadonlyArray<number>): number => {
  let bits = mix(seed, 0x51ed270b)
  for (const part of place) bits = mix(bits, part)
  return bits / 2 ** 32
}

/** A number of mean 0 and variance 1, within +-3: three uniforms (Irwin-Hall), so that no lap is absurd. */
export const bell = (seed: number, ...place: ReadonlyArray<number>): number =>
  2 * (uniform(seed, ...place, 0) + uniform(seed, ...place, 1) + uniform(seed, ...place, 2)) - 3
