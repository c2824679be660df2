import { joinNames, partNames } from "../domain/columnNames.ts"
import { PointBatch, type SampleBatch } from "../domain/PointBatch.ts"

/**
 * A batch of all channels as one thread sends it to another: without its class, which structured clone leaves out. The points
 * are copied, except for those in memory that threads share.
 */
export interface ThreadPoints {
  readonly length: number
  readonly data: Float64Array
}

/** The same of samples, with their columns as one string: an array of names would be copied name by name. */
export interface ThreadSamples extends ThreadPoints {
  readonly names: string
}

export const toThread = ({ data, length }: SampleBatch): ThreadPoints => ({
  length,
  // A view takes its whole buffer along, which may be that of a long receive.
  data:
    data.byteLength === data.buffer.byteLength || data.buffer instanceof SharedArrayBuffer
      ? data
      : data.slice()
})

export const fromThread = ({ data, length }: ThreadPoints): PointBatch => new PointBatch(length, data)

export const samplesToThread = (batch: SampleBatch): ThreadSamples => ({
  ...toThread(batch),
  names: joinNames(batch.channels)
})

export const samplesFromThread = ({ data, length, names }: ThreadSamples): SampleBatch =>
  new PointBatch(length, data, partNames(names))
