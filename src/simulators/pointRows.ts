/** Turns rows of points, as a driver's buffer holds them, into batches of columns. */
import { type ChannelSet, isDeclared } from "../domain/ChannelSet.ts"
import { type LapBatch, lapColumns } from "../domain/LapBatch.ts"
import { channels } from "../domain/pointChannels.ts"
import { ABSENT, type PointBatch, RowBatch } from "../domain/RowBatch.ts"
import type { ColumnMemory } from "./ColumnMemory.ts"

/** A point's channels, then its lap and its distance. */
export const ROW = channels.length + 2

/** The first `length` rows; channels that are not declared are absent. */
export const pointsInRows = (
  rows: Float64Array,
  length: number,
  declared: ChannelSet,
  memory: ColumnMemory
): PointBatch => {
  const batch = new RowBatch(length, memory.take(length * channels.length), channels)
  for (let c = 0; c < channels.length; c++) {
    const isKnown = isDeclared(declared, c)
    for (let i = 0; i < length; i++) batch.data[c * length + i] = isKnown ? rows[i * ROW + c]! : ABSENT
  }
  return batch
}

/** The lap columns of the same rows. */
export const lapsInRows = (rows: Float64Array, length: number, memory: ColumnMemory): LapBatch => {
  const lap = new RowBatch(length, memory.take(length * lapColumns.length), lapColumns)
  for (let i = 0; i < length; i++) {
    lap.data[i] = rows[i * ROW]!
    lap.data[length + i] = rows[i * ROW + channels.length]!
    lap.data[2 * length + i] = rows[i * ROW + channels.length + 1]!
  }
  return lap
}
