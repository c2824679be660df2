/**
 * Which received samples may be recorded. Only its time can make a sample refused. Any other value that is no finite number
 * becomes absent; it is counted if the source sent it.
 */
import { ABSENT, type SampleBatch } from "../domain/PointBatch.ts"
import { allInTime, leadAfter, MAX_LEAD_S, type Predecessor, type Rejection, timeFault } from "./admission.ts"

export interface SampleAdmission {
  readonly batch: SampleBatch
  readonly rejected: ReadonlyMap<Rejection, number>
  /** Values that were infinite, and are absent now. */
  readonly notFinite: number
}

const none: ReadonlyMap<Rejection, number> = new Map()

/**
 * Makes all values from the index `from` on that are not finite absent, with one bit pattern. Returns how many were infinite.
 */
const clear = (values: Float64Array, from: number): number => {
  let infinite = 0
  for (let i = from; i < values.length; i++) {
    const value = values[i]!
    // x * 0 is 0 for every finite x and NaN for the others.
    if (value * 0 === 0) continue
    if (!Number.isNaN(value)) infinite++
    values[i] = ABSENT
  }
  return infinite
}

/**
 * The samples whose times may follow `after` in their group. The times of `batch` are in epoch seconds, its first column is
 * "timestamp", and its values are changed in place. A batch without fault is returned itself.
 */
export const admitSamples = (batch: SampleBatch, after: Predecessor): SampleAdmission => {
  const times = batch.timestamps
  const notFinite = clear(batch.data, batch.length)
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
