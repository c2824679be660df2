import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { ABSENT, PointBatch } from "../../../src/domain/PointBatch.ts"
import { BLOCK_POINTS, encodePacked } from "../../../src/store/sqlite/blockCodec.ts"
import { pack, unpack } from "../../../src/store/sqlite/columnForms.ts"
import { absentBits, samplePoints } from "../../contracts/samples.ts"

const FLOATS = 8
const DOUBLES = 9

const bytesOf = (values: Float64Array) => Buffer.from(values.buffer, values.byteOffset, values.byteLength)

/** The form that a column is packed in, when it has come back to the last bit. */
const formOf = (values: ReadonlyArray<number>): number => {
  const given = Float64Array.from(values)
  const packed = pack(given)
  const found = new Float64Array(given.length)
  unpack(packed, found)
  if (!bytesOf(found).equals(bytesOf(given))) throw new Error(`${values.join()} came back as ${found.join()}`)
  return packed[0]!
}

const int = FastCheck.integer({ min: -1e9, max: 1e9 })
const ints = FastCheck.array(int, { minLength: 1, maxLength: 40 })
/** Where one value of a kind stands among those of another. */
const among = FastCheck.nat({ max: 39 })

describe("a packed column", () => {
  it.prop(
    "of decimals has the fewest places that all of them have",
    [ints, FastCheck.nat({ max: 7 })],
    ([digits, places]) => {
      const form = formOf(digits.map((digit) => digit / 10 ** places))
      expect(form).toBeLessThanOrEqual(places)
      expect(formOf([...digits.map((digit) => digit / 10 ** places), 1 / 10 ** places])).toBe(places)
    }
  )

  it.prop(
    "of floats of 32 bits comes back the same, whatever they are",
    [FastCheck.array(FastCheck.float({ noNaN: true }), { minLength: 1, maxLength: 40 })],
    ([values]) => {
      expect(formOf(values)).toBeLessThanOrEqual(FLOATS)
    }
  )

  it.prop("of which one value does not fit has another form", [ints, among], ([digits, place]) => {
    const decimals = digits.map((digit) => digit / 100)
    const at = place % (digits.length + 1)
    expect(formOf(decimals.toSpliced(at, 0, Math.PI))).toBe(DOUBLES)
    expect(formOf(decimals.toSpliced(at, 0, Number.NaN))).toBe(DOUBLES)
    formOf(decimals.toSpliced(at, 0, -0))
    formOf(decimals.toSpliced(at, 0, Infinity))
  })

  it("keeps -0, infinities and NaN", () => {
    expect(formOf([1, -0, 2])).toBe(FLOATS)
    expect(formOf([-0, -0])).toBe(FLOATS)
    expect(formOf([1, Infinity, -Infinity])).toBe(FLOATS)
    expect(formOf([1, Number.NaN])).toBe(DOUBLES)
  })

  it("of nothing but absent values is ten bytes; another NaN is another value", () => {
    for (const length of [1, 2, BLOCK_POINTS]) {
      const absent = new Float64Array(length).fill(ABSENT)
      expect(pack(absent)).toEqual(Uint8Array.of(FLOATS, 0, 0, 0, 0, 0, 0, 0, 0xf8, 0x7f))
      expect(formOf([...absent])).toBe(FLOATS)
      const found = new Float64Array(length)
      unpack(pack(absent), found)
      expect(bytesOf(found).equals(absentBits(length))).toBe(true)
    }
    expect(formOf([ABSENT, 1, ABSENT])).toBe(DOUBLES)
    for (const pattern of [0x7ff8000000000001n, 0xfff8000000000000n, 0x7ff0000000000001n]) {
      const other = new Float64Array(new BigUint64Array([pattern, pattern]).buffer)
      const found = new Float64Array(2)
      unpack(pack(other), found)
      expect(bytesOf(found).equals(bytesOf(other))).toBe(true)
    }
  })

  it("has integers as far from its first value as 32 bits reach, and no farther", () => {
    const far = 2 ** 31 - 1
    expect(formOf([1.7e12, 1.7e12 + far, 1.7e12 - far, 1.7e12])).toBe(0)
    expect(formOf([0.1, 0.1 + far + 1])).toBe(DOUBLES)
    expect(formOf([2 ** 60, 2 ** 60 + 256])).toBe(0)
  })

  it("takes next to nothing where nothing changes", () => {
    expect(pack(new Float64Array(BLOCK_POINTS).fill(0.25)).length).toBe(10)
    expect(pack(new Float64Array(BLOCK_POINTS).fill(Math.fround(0.1))).length).toBe(10)
  })

  it("that is a view of a longer buffer is packed as itself", () => {
    for (const values of [
      [1.5, 2.25],
      [Math.fround(0.1), 3],
      [Math.PI, 1]
    ]) {
      const buffer = new Float64Array(9).fill(7)
      buffer.set(values, 3)
      expect(pack(buffer.subarray(3, 5))).toEqual(pack(Float64Array.from(values)))
    }
  })

  it("that is none is refused", () => {
    const room = new Float64Array(3)
    expect(() => unpack(Uint8Array.of(10), room)).toThrow(RangeError)
    expect(() => unpack(Uint8Array.of(10, 0, 0, 0, 0, 0, 0, 0, 0, 0), room)).toThrow(/unknown column form 10/)
    expect(() => unpack(new Uint8Array(0), room)).toThrow(RangeError)
    expect(() => unpack(pack(Float64Array.of(1.5, 2.5, 4)).with(1, 5), room)).toThrow(/5 planes/)
    expect(() => unpack(pack(Float64Array.of(1.5, 2.5)), room)).toThrow(RangeError)
  })
})

it("a block of decimals or of floats is less than half of one of doubles", () => {
  const doubles = samplePoints(1.7e9, BLOCK_POINTS)
  const mapped = (change: (value: number) => number) =>
    encodePacked(new PointBatch(doubles.length, doubles.data.map(change))).length
  const whole = mapped((value) => value * (1 + 1e-9))
  expect(mapped((value) => Math.round(value * 1e4) / 1e4)).toBeLessThan(whole / 2)
  expect(mapped(Math.fround)).toBeLessThan(whole / 2)
})
