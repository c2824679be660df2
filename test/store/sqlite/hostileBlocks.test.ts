/** Invalid blocks: any bytes are refused, or read as some values, with no more memory than a block takes. */
import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { channels } from "../../../src/domain/pointChannels.ts"
import { ABSENT, RowBatch } from "../../../src/domain/RowBatch.ts"
import { BLOCK_ROWS, decodeColumns, encodePacked, encodeRaw } from "../../../src/store/sqlite/blockCodec.ts"
import { unpackColumn } from "../../../src/store/sqlite/columnCodec.ts"
import { samplePoints } from "../../contracts/samples.ts"

const names = ["timestamp", "smooth", "pedal", "speed", "holes", "same", "double"]

const samples = (length: number) => {
  const batch = RowBatch.allocate(length, names)
  const columns = [
    (i: number) => 1.7e9 + i / 60,
    (i: number) => Math.round(1e6 * Math.sin(i / 90)) / 1e6,
    (i: number) => (i % 256) / 255,
    (i: number) => Math.fround(Math.sqrt(i + 1)) * 3.6,
    (i: number) => (i % 3 === 0 ? i : ABSENT),
    () => 5,
    (i: number) => Math.sqrt(i + 2)
  ]
  for (const [c, column] of columns.entries())
    for (let i = 0; i < length; i++) batch.data[c * length + i] = column(i)
  return batch
}

const blocks = [
  { layout: names, blob: encodePacked(samples(60)) },
  { layout: names, blob: encodeRaw(samples(60)) },
  { layout: channels, blob: encodePacked(samplePoints(1.7e9, 60)) },
  { layout: channels, blob: encodeRaw(samplePoints(1.7e9, 60)) }
] as const

/** Reads it, or fails with an Error: never hangs, nor asks for more values than a block can have. */
const read = (blob: Uint8Array, layout: ReadonlyArray<string>) => {
  try {
    expect(decodeColumns(blob, layout, layout).length).toBeLessThanOrEqual(BLOCK_ROWS)
  } catch (cause) {
    expect(cause).toBeInstanceOf(Error)
    expect((cause as Error).name).not.toBe("AssertionError")
  }
}

const bytes = FastCheck.uint8Array({ maxLength: 300 })

describe("an invalid block", () => {
  it.prop(
    "of any bytes is refused, or read",
    [bytes, FastCheck.integer({ min: 1, max: 2 })],
    ([any, form]) => {
      for (const { layout } of blocks) {
        read(any, layout)
        // With a valid header, so that the code behind it is reached.
        const blob = Uint8Array.of(form, 0, layout.length, 0, 60, 0, 0, 0, ...any)
        read(blob, layout)
      }
    }
  )

  it.prop(
    "with some bytes changed or missing is refused, or read",
    [
      FastCheck.integer({ min: 0, max: blocks.length - 1 }),
      FastCheck.array(FastCheck.tuple(FastCheck.nat(), FastCheck.nat({ max: 255 })), {
        minLength: 1,
        maxLength: 4
      }),
      FastCheck.nat({ max: 3 }),
      FastCheck.nat()
    ],
    ([which, changes, cut, end]) => {
      const { blob, layout } = blocks[which]!
      const changed = blob.slice(0, cut === 0 ? end % blob.length : blob.length)
      // Half of them in the first bytes: header, directory, and headers of columns.
      for (const [at, value] of changes) changed[at % (at % 2 === 0 ? 64 : blob.length)] = value
      read(changed, layout)
    }
  )

  it.prop(
    "with any bytes for a column is refused, or read",
    [bytes, FastCheck.nat({ max: 14 })],
    ([any, form]) => {
      for (const values of [new Float64Array(1), new Float64Array(60)]) {
        for (const column of [any, Uint8Array.of(form, ...any)]) {
          try {
            unpackColumn(column, values)
          } catch (cause) {
            expect(cause).toBeInstanceOf(Error)
          }
        }
      }
    }
  )

  it("with too many rows or none is refused before memory is allocated for them", () => {
    for (const { blob, layout } of blocks) {
      for (const rows of [0, BLOCK_ROWS + 1, 50_000_000, 2 ** 32 - 1]) {
        const changed = blob.slice()
        new DataView(changed.buffer).setUint32(4, rows, true)
        expect(() => decodeColumns(changed, layout, layout)).toThrow(`a block of ${rows} rows`)
      }
    }
  })

  it("that is raw is refused if its length does not fit its rows", () => {
    for (const { blob, layout } of [blocks[1], blocks[3]]) {
      expect(() => decodeColumns(blob.subarray(0, blob.length - 1), layout, layout)).toThrow(RangeError)
      const longer = new Uint8Array(blob.length + 8)
      longer.set(blob)
      expect(() => decodeColumns(longer, layout, layout)).toThrow(RangeError)
    }
  })
})
