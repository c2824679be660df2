import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { ABSENT } from "../../../src/domain/RowBatch.ts"
import { BLOCK_ROWS } from "../../../src/store/sqlite/blockCodec.ts"
import { packColumn, unpackColumn } from "../../../src/store/sqlite/columnCodec.ts"
import { packWhole } from "../../../src/store/sqlite/wholeColumns.ts"

/** Written out, so that it does not come from the code under test. */
const ABSENT_BITS = 0x7ff8000000000000n

const bytesOf = (values: Float64Array) => Buffer.from(values.buffer, values.byteOffset, values.byteLength)

const HOLES = 10

/** Any bits, and absent among them. */
const withHoles = FastCheck.array(
  FastCheck.oneof(
    FastCheck.constant(ABSENT_BITS),
    FastCheck.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    FastCheck.constantFrom(
      0n,
      0x8000000000000000n,
      1n,
      0x7ff8000000000001n,
      0xfff8000000000000n,
      0x3ff8000000000000n
    )
  ),
  { minLength: 1, maxLength: 70 }
)

describe("a packed column with holes", () => {
  it.prop("is unpacked to the last bit, wherever its values are", [withHoles], ([bits]) => {
    const given = new Float64Array(BigUint64Array.from(bits).buffer)
    const before = Buffer.from(bytesOf(given))
    const packed = packColumn(given)
    const found = new Float64Array(given.length)
    unpackColumn(packed, found)
    expect(bytesOf(found).equals(before)).toBe(true)
    const absent = bits.filter((one) => one === ABSENT_BITS).length
    expect(packed[0] === HOLES).toBe(absent > 0 && absent < bits.length)
    if (absent === 0 || absent === bits.length) expect(packed).toEqual(packWhole(given))
  })

  it("takes the space of its values, and next to nothing for the holes", () => {
    const values = Array.from(
      { length: BLOCK_ROWS },
      (_, i) => Math.round(800 + 100 * Math.sin(i / 300)) / 10
    )
    const whole = packWhole(Float64Array.from(values)).length
    for (const isThere of [
      (i: number) => i >= 1000,
      (i: number) => i % 10 === 0,
      (i: number) => Math.floor(i / 600) % 2 === 0,
      (i: number) => i === 77
    ]) {
      const there = Float64Array.from(values.filter((_, i) => isThere(i)))
      const packed = packColumn(Float64Array.from(values, (value, i) => (isThere(i) ? value : ABSENT)))
      expect(packed.length).toBeLessThanOrEqual(packWhole(there).length + 60)
      expect(packed.length).toBeLessThan(whole + 60)
    }
    const constant = Float64Array.from(values, (_, i) => (i % 7 === 0 ? ABSENT : 180.5))
    expect(packColumn(constant).length).toBeLessThan(60)
  })

  it("is refused if its bytes are invalid", () => {
    const room = new Float64Array(3)
    const given = packColumn(Float64Array.of(1.5, ABSENT, 2.25))
    for (const column of [
      Uint8Array.of(10),
      Uint8Array.of(13, 0, 0, 0, 0, 0, 0, 0, 0, 0),
      // A column of holes alone, and one within another.
      Uint8Array.of(10, 255, 255, 255, 255),
      new Uint8Array(0),
      given.subarray(0, given.length - 8)
    ])
      expect(() => unpackColumn(column, room)).toThrow(Error)
    expect(() => unpackColumn(given, new Float64Array(9))).toThrow(RangeError)
  })

  it("is packed alone if it is a view of a longer buffer", () => {
    const buffer = new Float64Array(9).fill(7)
    buffer.set([1.5, ABSENT, 2.25], 3)
    expect(packColumn(buffer.subarray(3, 6))).toEqual(packColumn(Float64Array.of(1.5, ABSENT, 2.25)))
  })
})
