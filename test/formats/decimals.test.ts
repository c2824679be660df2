import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { ABSENT } from "../../src/domain/RowBatch.ts"
import { decimal, MAX_DECIMAL_BYTES, writeDecimal } from "../../src/formats/decimals.ts"

const bytes = new Uint8Array(MAX_DECIMAL_BYTES)
const view = new DataView(bytes.buffer)
const values = new Float64Array(1)
const words = new Int32Array(values.buffer)

const written = (value: number): string => {
  values[0] = value
  const end = writeDecimal(values, words, 0, "none", bytes, view, 0)
  return Buffer.from(bytes.subarray(0, end)).toString("latin1")
}

const isAsString = (value: number): boolean => written(value) === decimal(value)

/** One assertion for many numbers, since each `expect` costs more than all checks here. */
const expectAsString = (value: number) => {
  if (!isAsString(value)) expect(written(value)).toBe(decimal(value))
}

const fromBits = (low: number, high: number): number => {
  words[0] = low
  words[1] = high
  return values[0]!
}

const BIAS = 1023
/** The range in which our own code makes the digits: from 2^-13 to 2^49, and a little on both sides. */
const exponents = FastCheck.integer({ min: BIAS - 15, max: BIAS + 51 })
const word = FastCheck.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })
const sign = FastCheck.constantFrom(0, 1)

const inRange = FastCheck.tuple(exponents, word, word, sign).map(([exponent, high, low, negative]) =>
  fromBits(low, (negative << 31) | (exponent << 20) | (high & 0xfffff))
)

/** The number some steps of the last bit away. */
const stepped = (value: number, steps: number): number => {
  values[0] = value
  new BigInt64Array(values.buffer)[0]! += BigInt(steps)
  return values[0]
}

const assert = (arbitrary: FastCheck.Arbitrary<number>, numRuns: number) =>
  FastCheck.assert(FastCheck.property(arbitrary, isAsString), { numRuns })

describe("a number is the shortest decimal that reads back the same, as String has it", () => {
  it("with any digits", () => assert(inRange, 30_000))

  it("if it comes from a float of 32 bits, whose last digit is often half way", () =>
    assert(inRange.map(Math.fround), 30_000))

  it("if it has few decimals", () => {
    const decimals = FastCheck.tuple(FastCheck.maxSafeInteger(), FastCheck.integer({ min: 0, max: 18 }))
    assert(
      decimals.map(([digits, places]) => digits / 10 ** places),
      20_000
    )
    const short = FastCheck.tuple(
      FastCheck.integer({ min: -1e7, max: 1e7 }),
      FastCheck.integer({ min: 0, max: 8 })
    )
    assert(
      short.map(([digits, places]) => digits / 10 ** places),
      20_000
    )
  })

  it("if it has few bits", () => {
    const cleared = FastCheck.tuple(inRange, FastCheck.integer({ min: 0, max: 31 }))
    assert(
      cleared.map(([value, zeros]) => {
        values[0] = value
        return fromBits(words[0]! & (-1 << zeros), words[1]!)
      }),
      20_000
    )
  })

  it("next to every power of ten and of two, and at any size", () => {
    const steps = [-1000, -7, -2, -1, 0, 1, 2, 7, 1000]
    for (let exponent = -20; exponent <= 20; exponent++) {
      for (const step of steps) expectAsString(stepped(Number(`1e${exponent}`), step))
      for (let digits = 1; digits < 200; digits++) expectAsString(Number(`-${digits}e${exponent}`))
    }
    for (let exponent = -1022; exponent < 1024; exponent++) {
      for (const step of steps) expectAsString(stepped(-(2 ** exponent), step))
    }
    const epsilon = Number.MIN_VALUE
    for (const value of [0, -0, epsilon, -epsilon, Number.MAX_VALUE, -Number.MAX_VALUE, 0.1 + 0.2]) {
      expectAsString(value)
    }
    assert(FastCheck.double({ noNaN: true, noDefaultInfinity: true }), 5000)
  })

  it("if it is whole", () => {
    for (let whole = -10_000; whole <= 10_000; whole++) expectAsString(whole)
    assert(FastCheck.maxSafeInteger(), 5000)
    assert(FastCheck.integer(), 5000)
  })
})

it.prop(
  "and reads back the same to the last bit, -0 too",
  [FastCheck.oneof(inRange, FastCheck.constantFrom(0, -0, 5e-324))],
  ([value]) => {
    const text = written(value)
    expect(Object.is(Number(text), value)).toBe(true)
    expect(Object.is(JSON.parse(text), value)).toBe(true)
  }
)

it("and is written at the given offset, with the count of its own bytes", () => {
  const column = Float64Array.of(1, -2.5, 1700000000.25, ABSENT, 3e-9, -0)
  const room = new Uint8Array(8 + column.length * MAX_DECIMAL_BYTES)
  const bits = new Int32Array(column.buffer)
  let at = 8
  for (let i = 0; i < column.length; i++) {
    at = writeDecimal(column, bits, i, "null", room, new DataView(room.buffer), at)
    room[at++] = 44
  }
  expect(Buffer.from(room.subarray(0, at)).toString("latin1")).toBe(
    `${"\0".repeat(8)}1,-2.5,1700000000.25,null,3e-9,-0,`
  )
})
