/**
 * Decides which received samples may be recorded. A sample is refused only for its time. Any other value that is not a
 * finite number, or is larger than its unit allows, becomes absent; it is counted if the source sent it.
 */
import type { ChannelGroup } from "../../domain/Dictionary.ts"
import { ABSENT, type RowBatch } from "../../domain/RowBatch.ts"
import { isPointTime } from "../../domain/Time.ts"
import type { Rejection } from "../Rejection.ts"
import { MAX_LEAD_S } from "./FeedClock.ts"

/** The times with which those of a group's next samples are compared, epoch seconds. */
export interface Predecessor {
  /** The time of the last admitted sample; -Infinity before the first. */
  readonly last: number
  /** The time of the last sample that leapt ahead and was refused. If the next sample is later, that time was right. */
  readonly suspect: number | undefined
  /**
   * The expected time of a sample that arrives now, judged by the points and samples before it; -Infinity before the
   * first.
   */
  readonly expected: number
  /** By how much later a sample may be than expected, or than the sample before it, s. */
  readonly limit: number
}

export interface SampleAdmission {
  readonly batch: RowBatch
  /** As in `Predecessor`, for the samples after these. */
  readonly suspect: number | undefined
  readonly rejected: ReadonlyMap<Rejection, number>
  /** Values that were infinite or too large, and are absent now. */
  readonly notFinite: number
}

const none: ReadonlyMap<Rejection, number> = new Map()

/**
 * Makes the values of a column absent that are not a number or are larger than `max`. Returns how many were too large.
 */
const clear = (data: Float64Array, from: number, to: number, max: number): number => {
  let cleared = 0
  for (let i = from; i < to; i++) {
    if (Math.abs(data[i]!) <= max) continue
    if (!Number.isNaN(data[i])) cleared++
    data[i] = ABSENT
  }
  return cleared
}

/** Whether each time is in an allowed year, and later than the one before by no more than is allowed. */
const allInTime = ({ expected, last, limit }: Predecessor, times: Float64Array): boolean => {
  let previous = last
  let most = expected === -Infinity ? Infinity : Math.max(last, expected) + limit
  for (let i = 0; i < times.length; i++) {
    const time = times[i]!
    if (!(time > previous && time <= most && isPointTime(time))) return false
    previous = time
    most = Math.max(most, time + limit)
  }
  return true
}

/**
 * The samples whose times may follow `after` in their group. The times of `batch` are in epoch seconds, its columns are
 * those of the group, and its values are changed in place. A batch without a fault is returned itself. As with points,
 * a sample that leaps ahead is accepted if the next one agrees. If the next one comes in a later batch, the sample that
 * leapt is refused.
 */
export const admitSamples = (
  { maxima }: ChannelGroup,
  batch: RowBatch,
  after: Predecessor
): SampleAdmission => {
  const times = batch.timestamps
  let notFinite = 0
  for (let c = 0; c < maxima.length; c++) {
    const from = (c + 1) * batch.length
    notFinite += clear(batch.data, from, from + batch.length, maxima[c]!)
  }
  if (allInTime(after, times)) return { batch, suspect: undefined, rejected: none, notFinite }
  const kept: Array<number> = []
  const rejected = new Map<Rejection, number>()
  let { last, suspect } = after
  let due = Math.max(last, after.expected)
  const fault = (time: number, next: number): Rejection | undefined => {
    if (!Number.isFinite(time)) return "not_finite"
    if (!isPointTime(time)) return "implausible_time"
    if (!(time > last)) return "out_of_order"
    if (due === -Infinity || time <= due + after.limit) return undefined
    if (time <= due + MAX_LEAD_S && (next > time || time > (suspect ?? Infinity))) return undefined
    suspect = time
    return "implausible_time"
  }
  for (let i = 0; i < batch.length; i++) {
    const time = times[i]!
    const reason = fault(time, times[i + 1] ?? Number.NaN)
    if (reason === undefined) {
      kept.push(i)
      suspect = undefined
      last = time
      due = Math.max(due, time)
    } else rejected.set(reason, (rejected.get(reason) ?? 0) + 1)
  }
  return { batch: batch.pick(kept), suspect, rejected, notFinite }
}
