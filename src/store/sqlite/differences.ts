/**
 * Differences between neighbours, in place, and the inverse. Differences of differences are of the second order; they are
 * small if a signal is smooth. Integers wrap around, so every value comes back.
 */
import type { Lanes } from "./bytePlanes.ts"

/** Replaces each of `length` integers by its difference from the one before; the first stays. */
export const difference = (lanes: Lanes, words: Int32Array, length: number): void => {
  if (lanes === 1) {
    for (let i = length - 1; i > 0; i--) words[i] = (words[i]! - words[i - 1]!) | 0
    return
  }
  for (let i = 2 * (length - 1); i > 0; i -= 2) {
    const low = words[i]! >>> 0
    const previous = words[i - 2]! >>> 0
    words[i] = (low - previous) | 0
    words[i + 1] = (words[i + 1]! - words[i - 1]! - (low < previous ? 1 : 0)) | 0
  }
}

/** The inverse of `difference`. */
export const sum = (lanes: Lanes, words: Int32Array, length: number): void => {
  if (lanes === 1) {
    for (let i = 1; i < length; i++) words[i] = (words[i]! + words[i - 1]!) | 0
    return
  }
  for (let i = 2; i < 2 * length; i += 2) {
    const low = (words[i]! + words[i - 2]!) | 0
    // An unsigned sum that is smaller than one of its terms has carried.
    words[i + 1] = (words[i + 1]! + words[i - 1]! + (low >>> 0 < words[i]! >>> 0 ? 1 : 0)) | 0
    words[i] = low
  }
}
