/** Pseudo-random numbers that are the same each time, for methods that draw. */

export interface Bells {
  /**
   * Of mean 0 and variance 1, nearly normal: twelve uniforms less six (Irwin-Hall) would be nearer, four are enough for
   * 95 %.
   */
  (): number
  /** From 0 up to, but not including, 1. */
  readonly uniform: () => number
}

/** A sequence from a seed: Mulberry32 (Ettinger 2017, public domain). `stream` selects one of several. */
export const bells = (seed: number, stream = 0): Bells => {
  let state = Math.imul(seed ^ Math.imul(stream + 1, 0x9e3779b1), 0x85ebca6b) | 0
  const uniform = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  // The variance of a uniform is 1/12: that of four of them a third.
  const bell = () => Math.sqrt(3) * (uniform() + uniform() + uniform() + uniform() - 2)
  return Object.assign(bell, { uniform })
}
