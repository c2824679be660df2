import { joinNames, partNames } from "../../domain/columnNames.ts"
import { RowBatch } from "../../domain/RowBatch.ts"

/**
 * A batch of rows as one thread sends it to another: without its class, which structured clone leaves out. The values are
 * copied, except for those in memory that threads share.
 */
export interface ThreadBatch {
  readonly length: number
  readonly data: Float64Array
  /** The columns as one string, because an array of names would be copied name by name. */
  readonly names: string
}

export const toThread = ({ channels, data, length }: RowBatch): ThreadBatch => ({
  length,
  // Structured clone copies the whole buffer of a view, and the buffer may belong to a long receive.
  data:
    data.byteLength === data.buffer.byteLength || data.buffer instanceof SharedArrayBuffer
      ? data
      : data.slice(),
  names: joinNames(channels)
})

export const fromThread = ({ data, length, names }: ThreadBatch): RowBatch =>
  new RowBatch(length, data, partNames(names))
