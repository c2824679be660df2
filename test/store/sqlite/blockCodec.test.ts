import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { type Channel, channels } from "../../../src/domain/pointChannels.ts"
import { ABSENT, type PointBatch, RowBatch } from "../../../src/domain/RowBatch.ts"
import { BLOCK_ROWS, decodeColumns, encodePacked, encodeRaw } from "../../../src/store/sqlite/blockCodec.ts"
import { bitsOf, samplePoints } from "../../contracts/samples.ts"

/** The wanted channels of a block of points. */
const decodeBlock = (blob: Uint8Array, wanted: ReadonlyArray<Channel> = channels): PointBatch =>
  decodeColumns(blob, channels, wanted)

const WORD = 64n

/** Any bit patterns, many of them the neighbours of those before, where borrows and carries happen. */
const patterns = FastCheck.array(
  FastCheck.oneof(
    FastCheck.bigInt({ min: 0n, max: 2n ** WORD - 1n }),
    FastCheck.constantFrom(
      0n,
      1n,
      0xffffffffn,
      0x100000000n,
      0x7fffffffffffffffn,
      0x8000000000000000n,
      0x7ff8dead0000beefn,
      0xffffffffffffffffn
    )
  ),
  { minLength: 1, maxLength: 60 }
)

/** A block with these patterns in every channel, each channel starting with another one. */
const blockOf = (words: ReadonlyArray<bigint>): PointBatch => {
  const bits = new BigUint64Array(words.length * channels.length)
  for (let i = 0; i < bits.length; i++) bits[i] = words[(i + Math.floor(i / words.length)) % words.length]!
  return new RowBatch(words.length, new Float64Array(bits.buffer), channels)
}

describe("block codec", () => {
  for (const [form, encode] of [
    ["raw", encodeRaw],
    ["packed", encodePacked]
  ] as const) {
    it(`${form}: every double comes back to the last bit`, () => {
      FastCheck.assert(
        FastCheck.property(patterns, (words) => {
          const batch = blockOf(words)
          expect(bitsOf(decodeBlock(encode(batch))).equals(bitsOf(batch))).toBe(true)
        }),
        { numRuns: 300 }
      )
    })

    it(`${form}: a reader gets the channels it asks for, from a blob at any offset`, () => {
      FastCheck.assert(
        FastCheck.property(
          FastCheck.shuffledSubarray([...channels]),
          FastCheck.integer({ min: 0, max: 9 }),
          (wanted, offset) => {
            const batch = samplePoints(1.7e9, 50)
            const blob = encode(batch)
            const moved = new Uint8Array(blob.length + offset).fill(255)
            moved.set(blob, offset)
            const found = decodeBlock(moved.subarray(offset), wanted)
            expect(found.channels).toEqual(wanted)
            for (const channel of wanted) expect(found.column(channel)).toEqual(batch.column(channel))
          }
        ),
        { numRuns: 50 }
      )
    })

    it(`${form}: a batch that is a view of a longer buffer is encoded as itself`, () => {
      const batch = samplePoints(0, 20)
      const buffer = new Float64Array(1000)
      buffer.set(batch.data, 333)
      const view = new RowBatch(20, buffer.subarray(333, 333 + batch.data.length), channels)
      expect(Buffer.from(encode(view)).equals(Buffer.from(encode(batch)))).toBe(true)
    })
  }

  it("raw: a part of a batch is encoded as the part by itself", () => {
    const batch = samplePoints(5, 30)
    for (const [from, to] of [
      [0, 30],
      [0, 7],
      [7, 30],
      [11, 12]
    ] as const) {
      expect(encodeRaw(batch, from, to)).toEqual(encodeRaw(batch.slice(from, to)))
    }
  })

  it("packs smooth signals, and constant ones to nearly nothing", () => {
    const batch = samplePoints(1.7e9, BLOCK_ROWS)
    expect(encodePacked(batch).length).toBeLessThan(batch.data.byteLength * 0.75)
    const still = RowBatch.allocate(BLOCK_ROWS, channels)
    expect(encodePacked(still).length).toBeLessThan(500)
  })

  it("a block of fewer columns than its layout has is refused", () => {
    const narrow = samplePoints(1.7e9, 50).only(channels.slice(0, 6))
    for (const blob of [encodeRaw(narrow), encodePacked(narrow)])
      expect(() => decodeBlock(blob)).toThrow("6 columns, of a layout of 10")
  })

  it("absent channels take next to nothing beside present ones", () => {
    const batch = samplePoints(1.7e9, BLOCK_ROWS)
    const present = encodePacked(batch).length
    const columns = encodePacked(batch.only(["timestamp", "speed"])).length
    for (const channel of channels.slice(2)) batch.column(channel).fill(ABSENT)
    expect(encodePacked(batch).length).toBeLessThanOrEqual(columns + 8 * 14)
    expect(encodePacked(batch).length).toBeLessThan(present / 4)
    expect(bitsOf(decodeBlock(encodePacked(batch))).equals(bitsOf(batch))).toBe(true)
  })

  it("bytes that are not a block are refused", () => {
    const blob = encodePacked(samplePoints(0, 100))
    const unknown = blob.slice()
    unknown[0] = 9
    expect(() => decodeBlock(unknown)).toThrow("unknown block form 9")
    const longer = blob.slice()
    new DataView(longer.buffer).setUint32(4, 200, true)
    expect(() => decodeBlock(longer)).toThrow(RangeError)
    expect(() => decodeBlock(new Uint8Array(0))).toThrow(RangeError)
  })
})
