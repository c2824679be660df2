/** Conversions from units of simulators to those of channels. They get finite values only. */
import { ABSENT } from "../../domain/RowBatch.ts"

export const GRAVITY = 9.80665
const KPA_OF_PSI = 6.894757

/** By a factor. */
export const times =
  (factor: number) =>
  (value: number): number =>
    value * factor
export const over =
  (divisor: number) =>
  (value: number): number =>
    value / divisor

/** The opposite sign; never -0. */
export const minus = (value: number): number => 0 - value
/** m/s² to g. */
export const g = over(GRAVITY)
/** rad to degrees. */
export const degrees = times(180 / Math.PI)
export const minusDegrees = (value: number): number => 0 - degrees(value)
/** rad to degrees from 0 to below 360. */
export const circle = (value: number): number => ((degrees(value) % 360) + 360) % 360
/** m/s to km/h. */
export const kmh = times(3.6)
/** m to mm, kg to g. */
export const milli = times(1000)
/** W to kW, J to kJ, ms to s. */
export const kilo = over(1000)
export const kPaOfPsi = times(KPA_OF_PSI)
export const celsius = (fahrenheit: number): number => (fahrenheit - 32) / 1.8
export const percent = over(100)
/** A byte from 0 to 255. */
export const byte = over(255)
/** Counted from 0 in the packet, from 1 in the channel. */
export const fromOne = (value: number): number => value + 1

/** 0 or 1. */
export const flag = (value: number): number => (value === 0 ? 0 : 1)
/** One bit of a field of flags, from 0. */
export const bit =
  (n: number) =>
  (value: number): number =>
    (value >>> n) & 1
/** `count` bits from the bit `from` on. */
export const bits = (from: number, count: number) => (value: number) => (value >>> from) & ((1 << count) - 1)

/** 0 and less mean none. */
export const positive = (value: number): number => (value > 0 ? value : ABSENT)
/** ms to s; 0 and less mean none. */
export const secondsOrNone = (ms: number): number => (ms > 0 ? ms / 1000 : ABSENT)
/** Less than 0 means none. */
export const notNegative = (value: number): number => (value < 0 ? ABSENT : value)
/** Clamped to -1 to 1. */
export const signedShare = (value: number): number => Math.max(-1, Math.min(1, value))
/** The angle of a sine, in degrees. */
export const angleOfSine = (sine: number): number => degrees(Math.asin(signedShare(sine)))
/** Clamped to 0 to 1. */
export const share = (value: number): number => Math.min(1, Math.max(0, value))
