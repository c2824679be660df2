/** Points of a drive as columns: drives produce them, feeds send them and emulators read them. */
import { type Channel, channels } from "../../src/simulators/drivers/native/protocol.ts"

/** The channels' columns one after another in one array, as in a packed message of the native feed. */
export class PointColumns {
  readonly length: number
  /** `length` values per channel, in the order of `channels`. */
  readonly data: Float64Array

  constructor(length: number) {
    this.length = length
    this.data = new Float64Array(length * channels.length)
  }

  /** The values of one channel: a view, no copy. */
  column(channel: Channel): Float64Array {
    const from = channels.indexOf(channel) * this.length
    return this.data.subarray(from, from + this.length)
  }
}

/** Points of a drive with further values of each. */
export interface DrivePoints {
  /** Timestamps are seconds since the drive began. */
  readonly batch: PointColumns
  readonly lapNumber: Float64Array
  /** m since the line along the centre line. */
  readonly lapDistance: Float64Array
}
