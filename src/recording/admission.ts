/**
 * Which received points may be recorded: whole batches are checked in tight loops over their columns. Channels that a
 * source does not tell are absent; a value that it sent and that is no number refuses the point.
 *
 * The first pass only asks whether anything is wrong; a batch without fault, nearly every one, is passed on
 * as it is. Only a batch with a fault is checked point by point.
 */
import { allChannels, type ChannelSet, isTold } from "../domain/ChannelSet.ts"
import type { LapBatch } from "../domain/LapBatch.ts"
import { ABSENT, channels, type PointBatch } from "../domain/PointBatch.ts"
import { isPointTime } from "../domain/Time.ts"

/** Why a point was refused. */
export const rejections = [
  "not_finite",
  "out_of_order",
  "implausible_time",
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
  /** The channels that each of the points has; in the others NaN is absent, and becomes `ABSENT`. */
  readonly told: ChannelSet
  /** The channels that at least one of the points has, where these are more. */
  readonly toldBySome?: ChannelSet
  /** A sample for each of the points, at its time. */
  readonly lap: LapBatch | undefined
}

export interface Admission {
  readonly points: FeedPoints
  readonly rejected: ReadonlyMap<Rejection, number>
}

/**
 * So much later than real time allows a point may be than the one before it, s: a replay is as fast as it likes, and a clock
 * that is set jumps, but a time farther off is a bad value, after which all others would be out of order.
 */
export const MAX_LEAD_S = 3600

/** What a session's next points follow. */
export interface Predecessor {
  /** The last admitted timestamp, epoch seconds; -Infinity before the first. */
  readonly last: number
  /** Seconds since that point arrived. */
  readonly ago: number
}

/** The most that the next point may be later than `last`, which anything may be where there is none: s. */
export const leadAfter = ({ ago, last }: Predecessor): number =>
  last === -Infinity ? Infinity : Math.max(0, ago) + MAX_LEAD_S

const none: ReadonlyMap<Rejection, number> = new Map()

const GEAR = channels.indexOf("gear")

/** x * 0 is 0 for every finite x and NaN for the others, so one sum tells whether all are finite. */
const allFinite = (values: Float64Array): boolean => {
  let sum = 0
  for (let i = 0; i < values.length; i++) sum += values[i]! * 0
  return sum === 0
}

/** Whether all that is not absent is finite; absent is made to be of one bit pattern. */
const allFiniteOrAbsent = (values: Float64Array): boolean => {
  let sum = 0
  for (let i = 0; i < values.length; i++) {
    if (Number.isNaN(values[i])) values[i] = ABSENT
    else sum += values[i]! * 0
  }
  return sum === 0
}

const allAsTold = ({ data, length }: PointBatch, told: ChannelSet): boolean => {
  if (told === allChannels) return allFinite(data)
  let good = true
  for (let c = 0; c < channels.length; c++) {
    const column = data.subarray(c * length, (c + 1) * length)
    if (!(isTold(told, c) ? allFinite(column) : allFiniteOrAbsent(column))) good = false
  }
  return good
}

/** Each later than the one before, and not by more than can be, in years that can be. */
export const allInTime = (after: Predecessor, timestamps: Float64Array): boolean => {
  let previous = after.last
  let lead = leadAfter(after)
  for (let i = 0; i < timestamps.length; i++) {
    const time = timestamps[i]!
    if (!(time > previous && time - previous <= lead)) return false
    previous = time
    lead = MAX_LEAD_S
  }
  // They increase.
  return timestamps.length === 0 || (isPointTime(timestamps[0]!) && isPointTime(previous))
}

/** Why a time cannot be that of the row after `last`, by `lead` at most; undefined where it can. */
export const timeFault = (time: number, last: number, lead: number): Rejection | undefined => {
  if (Number.isNaN(time)) return "not_finite"
  if (!isPointTime(time)) return "implausible_time"
  if (!(time > last)) return "out_of_order"
  return time - last <= lead ? undefined : "implausible_time"
}

/** Or absent. */
const isWhole = (value: number | undefined): boolean => Number.isInteger(value) || Number.isNaN(value)

const allWhole = (values: Float64Array): boolean => {
  for (let i = 0; i < values.length; i++) if (!isWhole(values[i])) return false
  return true
}

/**
 * The points whose values are finite or absent, and whose times can be those that come `after` the others, one by one in
 * order; `batch` is already on the epoch's clock. A batch without fault is returned itself.
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
      const value = data[c * length + i]!
      if (!Number.isFinite(value) && (isTold(told, c) || !Number.isNaN(value))) reason = "not_finite"
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
