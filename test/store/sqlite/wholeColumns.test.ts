import { deflateSync } from "node:zlib"
import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { ABSENT } from "../../../src/domain/RowBatch.ts"
import { BLOCK_ROWS } from "../../../src/store/sqlite/blockCodec.ts"
import { packWhole, unpackWhole } from "../../../src/store/sqlite/wholeColumns.ts"
import { awkwardDoubles } from "../../contracts/samples.ts"

const DIFFERENCES = 11
const SAME = 12

const bytesOf = (values: Float64Array) => Buffer.from(values.buffer, values.byteOffset, values.byteLength)

const comesBack = (given: Float64Array, effort: "quick" | "thorough" = "quick"): Uint8Array => {
  const before = Buffer.from(bytesOf(given))
  const packed = packWhole(given, effort)
  // Random earlier content.
  const found = new Float64Array(given.length).fill(-7.5)
  // As stores give it: a Buffer that is part of a longer one.
  unpackWhole(Buffer.concat([Buffer.of(1, 2, 3), packed]).subarray(3), found)
  if (!bytesOf(found).equals(before)) throw new Error(`${given.join()} came back as ${found.join()}`)
  expect(bytesOf(given).equals(before)).toBe(true)
  return packed
}

/** The numbers that values are made of, by the table in columnNumbers.ts, and the order of the differences. */
const choiceOf = (values: Iterable<number>) => {
  const packed = comesBack(Float64Array.from(values))
  expect(packed[0]).toBe(DIFFERENCES)
  return { system: packed[1]!, order: packed[2]! & 3 }
}
const systemOf = (values: Iterable<number>) => choiceOf(values).system

const FLOATS = 15
const SPEEDS = 16
const DOUBLES = 17

const some = (value: (n: number) => number) => Array.from({ length: 40 }, (_, n) => value(n * 7))

const values = (value: (i: number) => number) => Array.from({ length: BLOCK_ROWS }, (_, i) => value(i))

const sizes = (value: (i: number) => number) => {
  const column = Float64Array.from({ length: BLOCK_ROWS }, (_, i) => value(i))
  return { plain: deflateSync(bytesOf(column)).length, now: comesBack(column).length }
}

const numerator = FastCheck.integer({ min: -500_000, max: 500_000 })
const bits = FastCheck.bigInt({ min: 0n, max: 2n ** 64n - 1n })

/** Values of one kind, as real channels are. */
const kinds = [
  FastCheck.tuple(numerator, FastCheck.nat({ max: 9 })).map(([n, places]) => n / 10 ** places),
  FastCheck.integer({ min: 0, max: 255 }).map((n) => n / 255),
  FastCheck.integer({ min: -127, max: 127 }).map((n) => n / 127),
  FastCheck.integer({ min: 0, max: 255 }).map((n) => Math.fround(n / 255)),
  numerator.map((n) => Math.fround(n / 1000)),
  FastCheck.float(),
  FastCheck.float({ noNaN: true }).map((metres) => metres * 3.6),
  FastCheck.double(),
  FastCheck.integer({ min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER }),
  FastCheck.constantFrom(...awkwardDoubles, 0, -0, 1, Infinity, 5e-324, Number.MAX_VALUE)
] as const

const columns = FastCheck.oneof(
  // One kind each, and kinds mixed.
  ...kinds.map((kind) => FastCheck.array(kind, { minLength: 1, maxLength: 80 })),
  FastCheck.array(FastCheck.oneof(...kinds), { minLength: 1, maxLength: 80 }),
  // Steps: runs of equal values.
  FastCheck.array(FastCheck.tuple(FastCheck.oneof(...kinds), FastCheck.integer({ min: 1, max: 30 })), {
    minLength: 1,
    maxLength: 6
  }).map((runs) => runs.flatMap(([value, length]) => Array.from({ length }, () => value)))
)

describe("a packed column", () => {
  it.prop("is unpacked to the last bit, with values of any kind", [columns], ([values]) => {
    const [form] = comesBack(Float64Array.from(values))
    expect(comesBack(Float64Array.from(values), "thorough")[0]).toBe(form)
  })

  it.prop(
    "is unpacked to the last bit, with any bits",
    [FastCheck.array(bits, { minLength: 1, maxLength: 80 })],
    ([patterns]) => {
      comesBack(new Float64Array(BigUint64Array.from(patterns).buffer))
    }
  )

  it("of a whole block is unpacked to the last bit, at every order", () => {
    for (const made of [
      (i: number) => i ** 3 / 1e6,
      (i: number) => Math.fround(Math.sin(i / 90)),
      (i: number) => Math.fround(60 + 30 * Math.sin(i / 200)) * 3.6,
      (i: number) => Math.sin(i / 90) * 1e-300,
      (i: number) => 1.7e9 + i / 60,
      (i: number) => (i % 3 === 0 ? -1 : 1) * i * 9e11
    ])
      expect(comesBack(Float64Array.from({ length: BLOCK_ROWS }, (_, i) => made(i)))[0]).toBe(DIFFERENCES)
  })

  it("has the kind of number that fits its values", () => {
    for (let places = 0; places <= 7; places++)
      expect(systemOf(some((n) => (n * 11 + 1) / 10 ** places))).toBe(places)
    expect(systemOf(some((n) => (n % 256) / 255))).toBe(8)
    expect(systemOf(some((n) => ((n % 256) - 127) / 127))).toBe(9)
    expect(systemOf(some((n) => Math.fround((n % 256) / 255)))).toBe(10)
    expect(systemOf(some((n) => Math.fround((n % 128) / 127)))).toBe(11)
    expect(systemOf(some((n) => Math.fround((n + 1) / 10)))).toBe(12)
    expect(systemOf(some((n) => Math.fround((n + 1) / 100)))).toBe(13)
    expect(systemOf(some((n) => Math.fround((n + 1) / 1000)))).toBe(14)
    expect(systemOf(some((n) => Math.fround(Math.sqrt(n))))).toBe(FLOATS)
    expect(systemOf(some((n) => Math.fround(Math.sqrt(n)) * 3.6))).toBe(SPEEDS)
    expect(systemOf(some(Math.sqrt))).toBe(DOUBLES)
  })

  it("with one value that does not fit has another kind of number", () => {
    const pedal = Array.from({ length: 40 }, (_, n) => (n % 9) / 255)
    for (const alien of [-0, Number.NaN, Infinity, Math.PI, 1 / 7])
      for (const place of [0, 17, 39]) expect(systemOf(pedal.with(place, alien))).toBe(DOUBLES)
    const tenths = Array.from({ length: 40 }, (_, n) => n / 10)
    expect(systemOf(tenths.with(20, 1e300))).toBe(DOUBLES)
    // Integers need not be near the first one, only near their neighbours.
    expect(systemOf(Array.from({ length: 40 }, (_, n) => n * 2e9))).toBe(0)
    expect(systemOf([1, 2, 3e9, 4])).toBe(FLOATS)
    expect(systemOf([0.5, 2 ** 60])).toBe(FLOATS)
  })

  it("has differences of the order that makes them smallest", () => {
    let seed = 1
    const noise = () => (seed = (seed * 48_271) % 2_147_483_647) % 5000
    expect(choiceOf(values(noise))).toEqual({ system: 0, order: 1 })
    expect(choiceOf(values((i) => i * i + (noise() % 200)))).toEqual({ system: 0, order: 2 })
    // A wave of a minute at 60 Hz, to a hundredth of a millionth.
    expect(choiceOf(values((i) => Math.round(1e9 * Math.sin(i / 600)) / 1e7)).order).toBe(3)
    expect(choiceOf(values((i) => Math.sin(i / 600))).order).toBeGreaterThan(1)
  })

  it("of one value takes nine bytes, whatever its bits", () => {
    for (const value of [ABSENT, ...awkwardDoubles, Math.PI, 0]) {
      for (const length of [1, 2, BLOCK_ROWS]) {
        const packed = comesBack(new Float64Array(length).fill(value))
        expect([packed[0], packed.length]).toEqual([SAME, 9])
      }
    }
  })

  it("takes no more than the doubles through zlib, and of smooth signals much less", () => {
    let seed = 7
    const noise = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647
    const noisy = [
      () => Math.fround(noise()),
      () => noise(),
      () => Math.round(noise() * 1000) / 10,
      (i: number) => Math.floor(i / 700),
      (i: number) => (i % 50 === 0 ? 1 : 0),
      (i: number) => Math.round(1e6 * (50 - i / 900)) / 1e6
    ]
    for (const one of noisy) {
      const { now, plain } = sizes(one)
      expect(now).toBeLessThanOrEqual(plain)
    }
    const pedal = sizes((i) => Math.round(255 * Math.abs(Math.sin(i / 50))) / 255)
    expect(pedal.now).toBeLessThan(pedal.plain * 0.6)
    const speed = sizes((i) => Math.fround(50 + 30 * Math.sin(i / 200) + noise() / 100) * 3.6)
    expect(speed.now).toBeLessThan(speed.plain * 0.7)
    const wave = sizes((i) => Math.round(1e6 * Math.sin(i / 200)) / 1e6)
    expect(wave.now).toBeLessThan(wave.plain * 0.6)
  })

  it("is packed alone if it is a view of a longer buffer", () => {
    for (const values of [
      [1.5, 2.25],
      [7 / 255, 3 / 255],
      [Math.fround(0.1), 3],
      [Math.PI, 1],
      [Math.PI, Math.PI]
    ]) {
      const buffer = new Float64Array(9).fill(7)
      buffer.set(values, 3)
      expect(packWhole(buffer.subarray(3, 5))).toEqual(packWhole(Float64Array.from(values)))
    }
  })

  it("is refused if its bytes are invalid", () => {
    const room = new Float64Array(3)
    const given = packWhole(Float64Array.of(1.5, 2.5, 4))
    const wrong = (index: number, value: number) => given.with(index, value)
    expect(() => unpackWhole(wrong(0, 13), room)).toThrow(/unknown column form 13/)
    expect(() => unpackWhole(wrong(1, 18), room)).toThrow(/unknown numbers 18/)
    expect(() => unpackWhole(wrong(2, 0), room)).toThrow(/order 0/)
    for (const planes of [0, 5, 63])
      expect(() => unpackWhole(wrong(2, 1 | (planes << 2)), room)).toThrow(/planes/)
    for (const length of [0, 1, 2, 10, given.length - 1])
      expect(() => unpackWhole(given.subarray(0, length), room)).toThrow(Error)
    expect(() => unpackWhole(given, new Float64Array(4))).toThrow(RangeError)
    expect(() => unpackWhole(given, new Float64Array(2))).toThrow(RangeError)
    expect(() => unpackWhole(Uint8Array.of(SAME, 1, 2), room)).toThrow(RangeError)
    expect(() => unpackWhole(Uint8Array.of(SAME, 1, 2, 3, 4, 5, 6, 7, 8, 9), room)).toThrow(RangeError)
  })
})
