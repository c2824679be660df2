import { joinNames, partNames } from "../domain/columnNames.ts"
import { PointBatch, type SampleBatch } from "../domain/PointBatch.ts"

/**
 * A batch of all channels without its class, which does not survive the way to another thread. Its points are copied, but
 * for those in memory that threads share.
 */
export interface WirePoints {
  readonly length: number
  readonly data: Float64Array
}

/** The same of samples, with their columns as one string: an array of names would be copied name by name. */
export interface WireSamples extends WirePoints {
  readonly names: string
}

export const toWire = ({ data, length }: SampleBatch): WirePoints => ({
  length,
  // A view takes its whole buffer along, which may be that of a long receive.
  data:
    data.byteLength === data.buffer.byteLength || data.buffer instanceof SharedArrayBuffer
      ? data
      : data.slice()
})

export const fromWire = ({ data, length }: WirePoints): PointBatch => new PointBatch(length, data)

export const samplesToWire = (batch: SampleBatch): WireSamples => ({
  ...toWire(batch),
  names: joinNames(batch.channels)
})

export const samplesFromWire = ({ data, length, names }: WireSamples): SampleBatch =>
  new PointBatch(length, data, partNames(names))
