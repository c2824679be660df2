/**
 * Which received points may be recorded: tight loops over the columns check whole batches. Channels that a source does not
 * send are absent. A point is refused if a value that the source sent is not a number, or larger than a car's can be.
 *
 * The first pass only checks whether anything is wrong. A batch without fault, as nearly every one is, is passed on as it is.
 * Only a batch with a fault is checked point by point.
 */
import { type ChannelSet, isTold } from "../domain/ChannelSet.ts"
import type { LapBatch } from "../domain/LapBatch.ts"
import { maxOfChannel } from "../domain/magnitude.ts"
import { ABSENT, channels, type PointBatch } from "../domain/PointBatch.ts"
import { isPointTime } from "../domain/Time.ts"

/** Why a point was refused. */
export const rejections = [
  "not_finite",
  "out_of_order",
  "implausible_time",
  "implausible_value",
  "gear_not_whole",
  "no_session",
  "malformed",
  "session_gone",
  "undeclared"
] as const
export type Rejection = (typeof rejections)[number]

/** Points, and what their source says of the laps that they are in. */
export interface FeedPoints {
  readonly batch: PointBatch
  /** The channels that every point has. In the others NaN means absent, and becomes `ABSENT`. */
  readonly told: ChannelSet
  /** The channels that at least one point has, if these are more. */
  readonly toldBySome?: ChannelSet
  /** A sample for each of the points, at its time. */
  readonly lap: LapBatch | undefined
}

export interface Admission {
  readonly points: FeedPoints
  readonly rejected: ReadonlyMap<Rejection, number>
}

/**
 * How much later than real time allows a point may be than the one before it, s. A replay may be fast, and a clock may be
 * set, but a time farther ahead is a bad value, and all later points would be out of order behind it.
 */
export const MAX_LEAD_S = 3600

/** What a session's next points follow. */
export interface Predecessor {
  /** The last admitted timestamp, epoch seconds; -Infinity before the first. */
  readonly last: number
  /** Seconds since that point arrived. */
  readonly ago: number
}

/** How much later than `last` the next point may be, s; Infinity before the first point. */
export const leadAfter = ({ ago, last }: Predecessor): number =>
  last === -Infinity ? Infinity : Math.max(0, ago) + MAX_LEAD_S

const none: ReadonlyMap<Rejection, number> = new Map()

const GEAR = channels.indexOf("gear")

/** The largest magnitude of each channel. A time only has to be finite here: `timeFault` judges it. */
const maxima: ReadonlyArray<number> = channels.map((channel) =>
  channel === "timestamp" ? Number.MAX_VALUE : maxOfChannel[channel]
)

/** Whether no value of a column is larger than `max`; false where one is NaN. */
const allWithin = (data: Float64Array, from: number, to: number, max: number): boolean => {
  for (let i = from; i < to; i++) if (!(Math.abs(data[i]!) <= max)) return false
  return true
}

/** The same, where values may be absent, which get one bit pattern. */
const allWithinOrAbsent = (data: Float64Array, from: number, to: number, max: number): boolean => {
  let good = true
  for (let i = from; i < to; i++) {
    if (Number.isNaN(data[i])) data[i] = ABSENT
    else if (Math.abs(data[i]!) > max) good = false
  }
  return good
}

const allAsTold = ({ data, length }: PointBatch, told: ChannelSet): boolean => {
  let good = true
  for (let c = 0; c < channels.length; c++) {
    const check = isTold(told, c) ? allWithin : allWithinOrAbsent
    if (!check(data, c * length, (c + 1) * length, maxima[c]!)) good = false
  }
  return good
}

/** Why a point cannot have this value of a channel; undefined if it can. */
const valueFault = (value: number, channel: number, isTold: boolean): Rejection | undefined => {
  if (Number.isNaN(value)) return isTold ? "not_finite" : undefined
  if (!Number.isFinite(value)) return "not_finite"
  return Math.abs(value) <= maxima[channel]! ? undefined : "implausible_value"
}

/** Whether each time is later than the one before by no more than is allowed, in an allowed year. */
export const allInTime = (after: Predecessor, timestamps: Float64Array): boolean => {
  let previous = after.last
  let lead = leadAfter(after)
  for (let i = 0; i < timestamps.length; i++) {
    const time = timestamps[i]!
    if (!(time > previous && time - previous <= lead)) return false
    previous = time
    lead = MAX_LEAD_S
  }
  // The times increase, so the first and the last are enough.
  return timestamps.length === 0 || (isPointTime(timestamps[0]!) && isPointTime(previous))
}

/** Why the row after `last` cannot have this time, with `lead` as the maximum advance; undefined if it can. */
export const timeFault = (time: number, last: number, lead: number): Rejection | undefined => {
  if (Number.isNaN(time)) return "not_finite"
  if (!isPointTime(time)) return "implausible_time"
  if (!(time > last)) return "out_of_order"
  return time - last <= lead ? undefined : "implausible_time"
}

/** Whole, or absent. */
const isWhole = (value: number | undefined): boolean => Number.isInteger(value) || Number.isNaN(value)

const allWhole = (values: Float64Array): boolean => {
  for (let i = 0; i < values.length; i++) if (!isWhole(values[i])) return false
  return true
}

/**
 * The points whose values a car can have, and whose times may follow `after`, checked one by one in order. The times of
 * `batch` are in epoch seconds. A batch without fault is returned itself.
 */
export const admit = (points: FeedPoints, after: Predecessor): Admission => {
  const { batch, told } = points
  const gears = batch.column("gear")
  if (allAsTold(batch, told) && allInTime(after, batch.timestamps) && allWhole(gears)) {
    return { points, rejected: none }
  }
  const { data, length } = batch
  const kept: Array<number> = []
  const rejected = new Map<Rejection, number>()
  let { last } = after
  let lead = leadAfter(after)
  for (let i = 0; i < length; i++) {
    let reason: Rejection | undefined
    for (let c = 0; c < channels.length && reason === undefined; c++) {
      reason = valueFault(data[c * length + i]!, c, isTold(told, c))
    }
    const time = data[i]!
    reason ??= timeFault(time, last, lead)
    if (reason === undefined && !isWhole(data[GEAR * length + i])) reason = "gear_not_whole"
    if (reason === undefined) {
      kept.push(i)
      last = time
      lead = MAX_LEAD_S
    } else rejected.set(reason, (rejected.get(reason) ?? 0) + 1)
  }
  return {
    points: {
      batch: batch.pick(kept),
      told,
      lap: points.lap?.pick(kept)
    },
    rejected
  }
}
