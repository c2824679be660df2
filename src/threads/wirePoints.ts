import { PointBatch } from "../domain/PointBatch.ts"

/** A batch of all channels without its class, which does not survive the copy to another thread. */
export interface WirePoints {
  readonly length: number
  readonly data: Float64Array
}

export const toWire = ({ data, length }: PointBatch): WirePoints => ({
  length,
  // A view takes its whole buffer along, which may be that of a long receive.
  data: data.byteLength === data.buffer.byteLength ? data : data.slice()
})

export const fromWire = ({ data, length }: WirePoints): PointBatch => new PointBatch(length, data)
