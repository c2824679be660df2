/**
 * Which received samples may be recorded. Only its time can make a sample refused. Any other value that is no finite number,
 * or larger than its unit allows, becomes absent; it is counted if the source sent it.
 */
import type { ChannelGroup } from "../domain/Dictionary.ts"
import { ABSENT, type SampleBatch } from "../domain/PointBatch.ts"
import { allInTime, leadAfter, MAX_LEAD_S, type Predecessor, type Rejection, timeFault } from "./admission.ts"

export interface SampleAdmission {
  readonly batch: SampleBatch
  readonly rejected: ReadonlyMap<Rejection, number>
  /** Values that were infinite or too large, and are absent now. */
  readonly notFinite: number
}

const none: ReadonlyMap<Rejection, number> = new Map()

/** Makes values of a column that are no number, or larger than `max`, absent. Returns how many were too large. */
const clear = (data: Float64Array, from: number, to: number, max: number): number => {
  let cleared = 0
  for (let i = from; i < to; i++) {
    if (Math.abs(data[i]!) <= max) continue
    if (!Number.isNaN(data[i])) cleared++
    data[i] = ABSENT
  }
  return cleared
}

/**
 * The samples whose times may follow `after` in their group. The times of `batch` are in epoch seconds, its columns are those
 * of the group, and its values are changed in place. A batch without fault is returned itself.
 */
export const admitSamples = (
  { maxima }: ChannelGroup,
  batch: SampleBatch,
  after: Predecessor
): SampleAdmission => {
  const times = batch.timestamps
  let notFinite = 0
  for (let c = 0; c < maxima.length; c++) {
    const from = (c + 1) * batch.length
    notFinite += clear(batch.data, from, from + batch.length, maxima[c]!)
  }
  if (allInTime(after, times)) return { batch, rejected: none, notFinite }
  const kept: Array<number> = []
  const rejected = new Map<Rejection, number>()
  let { last } = after
  let lead = leadAfter(after)
  for (let i = 0; i < batch.length; i++) {
    const time = times[i]!
    const reason = timeFault(time, last, lead)
    if (reason === undefined) {
      kept.push(i)
      last = time
      lead = MAX_LEAD_S
    } else rejected.set(reason, (rejected.get(reason) ?? 0) + 1)
  }
  return { batch: batch.pick(kept), rejected, notFinite }
}
