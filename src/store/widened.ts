import { ABSENT, RowBatch, sameChannels } from "../domain/RowBatch.ts"

/**
 * The batch with just these columns, in this order. A column that the batch lacks is absent. Returns the batch itself if it
 * has just these.
 */
export const widened = (batch: RowBatch, wanted: ReadonlyArray<string>): RowBatch => {
  if (sameChannels(wanted, batch.channels)) return batch
  const { length } = batch
  const places = new Map(batch.channels.map((channel, place) => [channel, place]))
  const whole = RowBatch.allocate(length, wanted)
  for (const [c, channel] of wanted.entries()) {
    const place = places.get(channel)
    if (place === undefined) whole.data.fill(ABSENT, c * length, (c + 1) * length)
    else whole.data.set(batch.data.subarray(place * length, (place + 1) * length), c * length)
  }
  return whole
}
