import { channels } from "../../src/domain/pointChannels.ts"
import { type PointBatch, RowBatch } from "../../src/domain/RowBatch.ts"

/** `length` points at `rate` Hz from `start`; every value follows from its time and channel. */
export const samplePoints = (start: number, length: number, rate = 60): PointBatch => {
  const batch = RowBatch.allocate(length, channels)
  for (const [c, channel] of channels.entries()) {
    const column = batch.column(channel)
    for (let i = 0; i < length; i++) {
      column[i] =
        channel === "timestamp" ? start + i / rate : Math.sin((start + i / rate) / (c + 1)) * 100 + c
    }
  }
  return batch
}

/** The points `from` to `to` (exclusive) of `batch`, always a batch of their own. */
export const part = <Name extends string>(
  batch: RowBatch<Name>,
  from: number,
  to: number
): RowBatch<Name> => {
  const own = RowBatch.allocate(to - from, batch.channels)
  for (let c = 0; c < batch.channels.length; c++) {
    own.data.set(batch.data.subarray(c * batch.length + from, c * batch.length + to), c * own.length)
  }
  return own
}

/** The bytes of the values: two batches are equal to the last bit when these are. */
export const bitsOf = (batch: RowBatch): Buffer =>
  Buffer.from(batch.data.buffer, batch.data.byteOffset, batch.data.byteLength)

/** So many absent values: the bits 0x7FF8000000000000, written out here so that they are not the code's word for it. */
export const absentBits = (values: number): Buffer =>
  Buffer.from(new BigUint64Array(values).fill(0x7ff8000000000000n).buffer)

/** Doubles that lose something if they are not handled as bits: NaNs with payloads, -0, denormals. */
export const awkwardDoubles: ReadonlyArray<number> = (() => {
  const patterns = [
    0x8000000000000000n,
    0x0000000000000001n,
    0x800fffffffffffffn,
    0x7ff8000000000000n,
    0x7ff8dead0000beefn,
    0xfff8000000000001n,
    0x7ff0000000000000n,
    0xfff0000000000000n,
    0x7fefffffffffffffn,
    0xffefffffffffffffn,
    0x3ff0000000000001n,
    0x0000000000000000n
  ]
  return [...new Float64Array(new BigUint64Array(patterns).buffer)]
})()
