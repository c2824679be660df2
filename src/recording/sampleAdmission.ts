/**
 * Which received samples may be recorded. Of a sample only the time refuses it; any other value that is no finite number becomes
 * absent, and is counted where it was sent.
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

/** Makes all that is not finite absent, of one bit pattern, from the index `from` on; returns how many values were infinite. */
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
 * The samples whose times can be those that come `after` the others of their group. `batch` is on the epoch's clock, its first
 * column is "timestamp", and its values are changed in place. A batch without fault is returned itself.
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
