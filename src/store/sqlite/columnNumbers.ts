/**
 * The number system of a column's values: integers over a divisor, floats of 32 bits, or any doubles. Numbers of a narrower
 * system take fewer bytes. A value belongs to a system only if it can be restored from it to the last bit.
 *
 * | system | a value is |
 * | --- | --- |
 * | 0 to 7 | a decimal of that many places: an integer over a power of ten |
 * | 8, 9 | an integer over 255 or 127: a pedal in a byte |
 * | 10, 11 | the same, rounded to a float |
 * | 12 to 14 | an integer over 10, 100 or 1000, rounded to a float |
 * | 15 | a float |
 * | 16 | a float times 3.6: a speed in m/s, as km/h |
 * | 17 | any double |
 */
import type { Lanes } from "./bytePlanes.ts"
import { difference, sum } from "./differences.ts"

interface Fraction {
  readonly divisor: number
  readonly isFloat: boolean
}

const FRACTIONS: ReadonlyArray<Fraction> = [
  ...Array.from({ length: 8 }, (_, places) => ({ divisor: 10 ** places, isFloat: false })),
  { divisor: 255, isFloat: false },
  { divisor: 127, isFloat: false },
  { divisor: 255, isFloat: true },
  { divisor: 127, isFloat: true },
  { divisor: 10, isFloat: true },
  { divisor: 100, isFloat: true },
  { divisor: 1000, isFloat: true }
]
const FLOATS = FRACTIONS.length
const SPEEDS = FLOATS + 1
const DOUBLES = FLOATS + 2
const KMH = 3.6

const MAX_DIFFERENCE = 2 ** 31 - 1
/**
 * Floats have 24 bits: with larger numerators, any float would match, and the numerator would take more bytes than the
 * float.
 */
const MAX_FLOAT_NUMERATOR = 2 ** 20

export const SYSTEMS = DOUBLES + 1
export const lanesOf = (system: number): Lanes => (system === DOUBLES ? 2 : 1)

/** A buffer for the present column as floats. It is reused, because Node clears each new array. */
let floats = new Float32Array(0)
let floatWords = new Int32Array(0)

const makeRoom = (length: number): void => {
  if (length <= floats.length) return
  floats = new Float32Array(length)
  floatWords = new Int32Array(floats.buffer)
}

const numeratorOf = (value: number, { divisor, isFloat }: Fraction): number => {
  const numerator = Math.round(value * divisor)
  const again = isFloat ? Math.fround(numerator / divisor) : numerator / divisor
  // An integer has no -0.
  const comesBack = again === value && !(value === 0 && 1 / value < 0)
  return comesBack && Math.abs(numerator) <= (isFloat ? MAX_FLOAT_NUMERATOR : Number.MAX_SAFE_INTEGER)
    ? numerator
    : Number.NaN
}

/** Puts the differences of the numerators into `words`. Returns how many values it could convert. */
const takeFractions = (values: Float64Array, fraction: Fraction, words: Int32Array): number => {
  let previous = numeratorOf(values[0]!, fraction)
  for (let i = 0; i < values.length; i++) {
    const numerator = numeratorOf(values[i]!, fraction)
    const step = numerator - previous
    if (!(Math.abs(step) <= MAX_DIFFERENCE)) return i
    words[i] = step
    previous = numerator
  }
  return values.length
}

const takeFloats = (values: Float64Array, factor: number, words: Int32Array): boolean => {
  const { length } = values
  makeRoom(length)
  for (let i = 0; i < length; i++) {
    floats[i] = values[i]! / factor
    if (floats[i]! * factor !== values[i]) return false
  }
  words.set(floatWords.subarray(0, length))
  difference(1, words, length)
  words[0] = 0
  return true
}

export interface Numbers {
  readonly system: number
  /** The first value's number in the system, as the bits of a double. */
  readonly first: Int32Array
}

const numbers = (system: number, first: number): Numbers => ({
  system,
  first: new Int32Array(Float64Array.of(first).buffer)
})

/** Puts the differences between neighbours into `words`, the first of which is 0: one for each value, of `lanesOf` words. */
export const takeNumbers = (values: Float64Array, words: Int32Array): Numbers => {
  const { length } = values
  // A value that the previous system could not express rules out most of the other systems, too.
  let witness = length >> 1
  for (const [system, fraction] of FRACTIONS.entries()) {
    if (Number.isNaN(numeratorOf(values[witness]!, fraction))) continue
    const taken = takeFractions(values, fraction, words)
    if (taken === length) return numbers(system, numeratorOf(values[0]!, fraction))
    witness = taken
  }
  if (takeFloats(values, 1, words)) return numbers(FLOATS, floats[0]!)
  if (takeFloats(values, KMH, words)) return numbers(SPEEDS, floats[0]!)
  const bits = new Int32Array(values.buffer, values.byteOffset, 2 * length)
  words.set(bits)
  difference(2, words, length)
  words[0] = 0
  words[1] = 0
  return { system: DOUBLES, first: bits.slice(0, 2) }
}

/** The inverse of `takeNumbers`; it overwrites `words`. */
export const giveNumbers = ({ first, system }: Numbers, words: Int32Array, values: Float64Array): void => {
  const { length } = values
  if (system === DOUBLES) {
    words[0] = first[0]!
    words[1] = first[1]!
    sum(2, words, length)
    new Int32Array(values.buffer, values.byteOffset, 2 * length).set(words.subarray(0, 2 * length))
    return
  }
  const start = new Float64Array(first.buffer)[0]!
  const fraction = FRACTIONS[system]
  if (fraction === undefined) {
    makeRoom(length)
    floats[0] = start
    const factor = system === SPEEDS ? KMH : 1
    let word = floatWords[0]!
    for (let i = 0; i < length; i++) {
      word = (word + words[i]!) | 0
      floatWords[i] = word
      values[i] = floats[i]! * factor
    }
    return
  }
  const { divisor, isFloat } = fraction
  let numerator = start
  for (let i = 0; i < length; i++) {
    numerator += words[i]!
    values[i] = numerator / divisor
  }
  if (isFloat) for (let i = 0; i < length; i++) values[i] = Math.fround(values[i]!)
}
