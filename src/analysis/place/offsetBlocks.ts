/** How the offset between a lap's positions and its speed shifts, by means over windows of blocks of time. */
import { roughQuantile } from "../math/robust.ts"

/** A place less the distance driven, by time; NaN where the place is unknown. */
export interface Offsets {
  /** s, increasing. */
  readonly time: Float64Array
  /** m. */
  readonly offset: Float64Array
  /** m/s. */
  readonly speed: Float64Array
}

/** Means are taken over blocks of this, s, or of half of a slow feed's usual interval; four blocks are a window. */
const BLOCK_S = 0.25
export const WINDOW = 4
/** A window needs at least this many points. */
const MIN_POINTS = 2
/** No lap that is analysed this closely lasts longer, s. */
const MAX_S = 36_000

export interface OffsetBlocks {
  readonly start: number
  /** s. */
  readonly length: number
  readonly count: number
  /** Running totals over all blocks before: sums of offsets and of speeds, and their number. */
  readonly sums: Float64Array
  readonly speeds: Float64Array
  readonly counts: Float64Array
}

export const blocksOf = ({ offset, speed, time }: Offsets): OffsetBlocks => {
  const start = time[0] ?? 0
  const span = time.length === 0 ? 0 : time[time.length - 1]! - start
  const steps = new Float64Array(Math.max(0, time.length - 1))
  for (let i = 1; i < time.length; i++) steps[i - 1] = time[i]! - time[i - 1]!
  const length = Math.max(BLOCK_S, roughQuantile(steps, 0.5) / 2)
  // A session of a day with one lap gets no blocks: they would take too much memory.
  const count = span < MAX_S ? Math.floor(span / length) + 1 : 0
  const sums = new Float64Array(count + 1)
  const speeds = new Float64Array(count + 1)
  const counts = new Float64Array(count + 1)
  const points = count > 0 ? time.length : 0
  for (let i = 0; i < points; i++) {
    if (Number.isNaN(offset[i]!)) continue
    const block = Math.floor((time[i]! - start) / length)
    sums[block + 1] = sums[block + 1]! + offset[i]!
    speeds[block + 1] = speeds[block + 1]! + speed[i]!
    counts[block + 1] = counts[block + 1]! + 1
  }
  for (let b = 1; b <= count; b++) {
    sums[b] = sums[b]! + sums[b - 1]!
    speeds[b] = speeds[b]! + speeds[b - 1]!
    counts[b] = counts[b]! + counts[b - 1]!
  }
  return { start, length, count, sums, speeds, counts }
}

/** The mean offset (or another column's) from one block to another (exclusive); NaN where there are too few. */
export const meanOffset = (
  { count, counts, sums }: OffsetBlocks,
  from: number,
  to: number,
  of = sums
): number => {
  if (from < 0 || to > count) return Number.NaN
  const points = counts[to]! - counts[from]!
  return points < MIN_POINTS ? Number.NaN : (of[to]! - of[from]!) / points
}

export interface Shifts {
  /** m. */
  readonly shift: Float64Array
  /** m/s around it. */
  readonly pace: Float64Array
}

export const shiftsOf = (blocks: OffsetBlocks, apart: number): Shifts => {
  const shift = new Float64Array(blocks.count + 1)
  const pace = new Float64Array(blocks.count + 1)
  for (let b = 0; b < shift.length; b++) {
    const after = b + apart
    shift[b] = meanOffset(blocks, after, after + WINDOW) - meanOffset(blocks, b - WINDOW, b)
    pace[b] = Math.max(
      meanOffset(blocks, after, after + WINDOW, blocks.speeds),
      meanOffset(blocks, b - WINDOW, b, blocks.speeds)
    )
  }
  return { shift, pace }
}
