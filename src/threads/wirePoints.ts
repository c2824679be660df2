import { PointBatch } from "../domain/PointBatch.ts"

/**
 * A batch of all channels without its class, which does not survive the way to another thread. Its points are copied, but
 * for those in memory that threads share.
 */
export interface WirePoints {
  readonly length: number
  readonly data: Float64Array
}

export const toWire = ({ data, length }: PointBatch): WirePoints => ({
  length,
  // A view takes its whole buffer along, which may be that of a long receive.
  data:
    data.byteLength === data.buffer.byteLength || data.buffer instanceof SharedArrayBuffer
      ? data
      : data.slice()
})

export const fromWire = ({ data, length }: WirePoints): PointBatch => new PointBatch(length, data)
