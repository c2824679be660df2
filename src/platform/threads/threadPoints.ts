import { joinNames, partNames } from "../../domain/columnNames.ts"
import { PointBatch, type SampleBatch } from "../../domain/PointBatch.ts"

/**
 * A batch of all channels as one thread sends it to another: without its class, which structured clone leaves out. The points
 * are copied, except for those in memory that threads share.
 */
export interface ThreadPoints {
  readonly length: number
  readonly data: Float64Array
}

/** The same for samples. Their columns are one string, because an array of names would be copied name by name. */
export interface ThreadSamples extends ThreadPoints {
  readonly names: string
}

export const toThread = ({ data, length }: SampleBatch): ThreadPoints => ({
  length,
  // Structured clone copies the whole buffer of a view, and the buffer may be that of a long receive.
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
