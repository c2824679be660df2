/**
 * Which received points may be recorded: whole batches are checked in tight loops over their columns.
 *
 * The first pass only asks whether anything is wrong; a batch without fault, nearly every one, is passed on
 * as it is. Only a batch with a fault is looked at point by point.
 */
import { channels, PointBatch } from "../domain/PointBatch.ts"

/** Why a point was refused. */
export const rejections = [
  "not_finite",
  "out_of_order",
  "gear_not_whole",
  "no_session",
  "malformed",
  "session_gone"
] as const
export type Rejection = (typeof rejections)[number]

/** A batch with the feed's own word on laps, a value a point where it has one. */
export interface FeedPoints {
  readonly batch: PointBatch
  readonly lapNumber: Float64Array | undefined
  readonly lapDistance: Float64Array | undefined
}

export interface Admission {
  readonly points: FeedPoints
  readonly rejected: ReadonlyMap<Rejection, number>
}

const none: ReadonlyMap<Rejection, number> = new Map()

const GEAR = channels.indexOf("gear")

/** x * 0 is 0 for every finite x and NaN for the others, so one sum tells whether all are finite. */
const allFinite = (values: Float64Array): boolean => {
  let sum = 0
  for (let i = 0; i < values.length; i++) sum += values[i]! * 0
  return sum === 0
}

const increasesFrom = (last: number, timestamps: Float64Array): boolean => {
  let previous = last
  for (let i = 0; i < timestamps.length; i++) {
    const time = timestamps[i]!
    if (!(time > previous)) return false
    previous = time
  }
  return true
}

const allWhole = (values: Float64Array): boolean => {
  for (let i = 0; i < values.length; i++) if (!Number.isInteger(values[i])) return false
  return true
}

const pick = (values: Float64Array | undefined, indexes: ReadonlyArray<number>) =>
  values === undefined ? undefined : Float64Array.from(indexes, (index) => values[index]!)

/**
 * The points that are finite and later than `last` (epoch seconds), one by one in order; `batch` is already
 * on the epoch's clock. A batch without fault is returned itself.
 */
export const admit = (points: FeedPoints, last: number): Admission => {
  const { batch } = points
  const gears = batch.column("gear")
  if (allFinite(batch.data) && increasesFrom(last, batch.timestamps) && allWhole(gears)) {
    return { points, rejected: none }
  }
  const { data, length } = batch
  const kept: Array<number> = []
  const rejected = new Map<Rejection, number>()
  let previous = last
  for (let i = 0; i < length; i++) {
    let reason: Rejection | undefined
    for (let c = 0; c < channels.length && reason === undefined; c++) {
      if (!Number.isFinite(data[c * length + i])) reason = "not_finite"
    }
    const time = data[i]!
    if (reason === undefined && !(time > previous)) reason = "out_of_order"
    if (reason === undefined && !Number.isInteger(data[GEAR * length + i])) reason = "gear_not_whole"
    if (reason === undefined) {
      kept.push(i)
      previous = time
    } else rejected.set(reason, (rejected.get(reason) ?? 0) + 1)
  }
  return {
    points: {
      batch: batch.pick(kept),
      lapNumber: pick(points.lapNumber, kept),
      lapDistance: pick(points.lapDistance, kept)
    },
    rejected
  }
}
