/**
 * Decides which received points may be recorded: tight loops over the columns check whole batches. Channels that a
 * source does not send are absent. A point is refused if a value that the source sent is not a number, or is larger
 * than a car's can be.
 *
 * The first pass only checks whether anything is wrong. Nearly every batch has no fault, and is passed on as it is.
 * Only a batch with a fault is checked point by point.
 */
import { type ChannelSet, isDeclared } from "../../domain/ChannelSet.ts"
import type { LapBatch } from "../../domain/LapBatch.ts"
import { channels, maxima } from "../../domain/pointChannels.ts"
import { ABSENT, type PointBatch } from "../../domain/RowBatch.ts"
import type { Rejection } from "../Rejection.ts"
import type { FeedClock } from "./FeedClock.ts"

/** Points, and their source's data about the laps that they are in. */
export interface FeedPoints {
  readonly batch: PointBatch
  /** The channels that every point has. In the others NaN means absent, and becomes `ABSENT`. */
  readonly declared: ChannelSet
  /** The channels that at least one point has, if these are more. */
  readonly declaredBySome?: ChannelSet | undefined
  /**
   * One row per point, at the point's time. `lapGroup`: the group in which these rows are kept; undefined if they are
   * not.
   */
  readonly lap: LapBatch | undefined
  readonly lapGroup?: string | undefined
}

export interface Admission {
  readonly points: FeedPoints
  readonly rejected: ReadonlyMap<Rejection, number>
  /** The last point, which waits for the time after it; on the feed's clock. */
  readonly waiting?: FeedPoints
  /** The points that belong to another session: all from its first point on. On the feed's clock. */
  readonly another?: FeedPoints
}

const none: ReadonlyMap<Rejection, number> = new Map()

const GEAR = channels.indexOf("gear")

/** Whether no value of a column is larger than `max`; false if one is NaN. */
const allWithin = (data: Float64Array, from: number, to: number, max: number): boolean => {
  for (let i = from; i < to; i++) if (!(Math.abs(data[i]!) <= max)) return false
  return true
}

/** The same for a column whose values may be absent. Gives all absent values the same bit pattern. */
const allWithinOrAbsent = (data: Float64Array, from: number, to: number, max: number): boolean => {
  let good = true
  for (let i = from; i < to; i++) {
    if (Number.isNaN(data[i])) data[i] = ABSENT
    else if (Math.abs(data[i]!) > max) good = false
  }
  return good
}

const allAsDeclared = ({ data, length }: PointBatch, declared: ChannelSet): boolean => {
  let good = true
  for (let c = 0; c < channels.length; c++) {
    const check = isDeclared(declared, c) ? allWithin : allWithinOrAbsent
    if (!check(data, c * length, (c + 1) * length, maxima[c]!)) good = false
  }
  return good
}

/** Why a point cannot have this value of a channel; undefined if it can. */
const valueFault = (value: number, channel: number, isDeclared: boolean): Rejection | undefined => {
  if (Number.isNaN(value)) return isDeclared ? "not_finite" : undefined
  if (!Number.isFinite(value)) return "not_finite"
  return Math.abs(value) <= maxima[channel]! ? undefined : "implausible_value"
}

/** Whole, or absent. */
const isWhole = (value: number | undefined): boolean => Number.isInteger(value) || Number.isNaN(value)

const allWhole = (values: Float64Array): boolean => {
  for (let i = 0; i < values.length; i++) if (!isWhole(values[i])) return false
  return true
}

/** Why the values of a point, other than its time, are impossible; undefined if they are possible. */
const pointFault = ({ data, length }: PointBatch, declared: ChannelSet, i: number): Rejection | undefined => {
  for (let c = 1; c < channels.length; c++) {
    const fault = valueFault(data[c * length + i]!, c, isDeclared(declared, c))
    if (fault !== undefined) return fault
  }
  return isWhole(data[GEAR * length + i]) ? undefined : "gear_not_whole"
}

const picked = (points: FeedPoints, kept: ReadonlyArray<number>): FeedPoints => ({
  ...points,
  batch: points.batch.pick(kept),
  lap: points.lap?.pick(kept)
})

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i)

/**
 * The points whose values a car can have, and whose times may follow those of the clock; they are checked in order.
 * Their times are converted to epoch seconds in place. A batch without a fault is returned itself. `next`: the time of
 * the row after them on the feed's clock, undefined if it has not arrived. `interval`: the feed's own, s; NaN if
 * unknown.
 */
export const admit = (
  points: FeedPoints,
  clock: FeedClock,
  {
    arrival,
    interval,
    next
  }: { readonly arrival: number; readonly interval: number; readonly next: number | undefined }
): Admission => {
  const { batch, lap, declared } = points
  const { length, timestamps: times } = batch
  const followed = clock.follow(times, arrival, interval)
  lap?.timestamps.set(times)
  if (allAsDeclared(batch, declared) && followed === length && allWhole(batch.column("gear"))) {
    clock.took(times)
    return { points, rejected: none }
  }
  let zero = clock.zero ?? 0
  const epoch = (i: number) => (i < followed ? times[i]! : zero + times[i]!)
  const nextAfter = (i: number): number | undefined => {
    while (++i < length) if (!Number.isNaN(times[i])) return epoch(i)
    return next === undefined ? undefined : zero + next
  }
  const kept: Array<number> = []
  const rejected = new Map<Rejection, number>()
  let left: Pick<Admission, "another" | "waiting"> = {}
  for (let i = 0; i < length; i++) {
    const time = epoch(i)
    const verdict = pointFault(batch, declared, i) ?? clock.judge(time, nextAfter(i))
    if (verdict === "another") {
      left = { another: picked(points, range(i, length)) }
      break
    }
    if (verdict === "keep") {
      const moved = (clock.zero ?? 0) - zero
      zero += moved
      if (moved !== 0) for (let j = i + 1; j < followed; j++) times[j]! += moved
      kept.push(i)
      times[i] = clock.last
      if (lap !== undefined) lap.timestamps[i] = clock.last
    } else if (verdict === "wait") {
      left = { waiting: picked(points, [i]) }
      if (i < followed) left.waiting!.batch.timestamps[0]! -= zero
    } else rejected.set(verdict, (rejected.get(verdict) ?? 0) + 1)
  }
  return { points: picked(points, kept), rejected, ...left }
}
