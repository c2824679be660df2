/**
 * How far V8 lets the heap grow: little while the process has little to do, because other programs could use that memory, and
 * more while collections are frequent, because room makes them rarer.
 *
 * The young heap: V8 lets it grow to 32 MiB, in the process and in each of its threads, with the data that survives a
 * collection. It stays small here until collections are frequent.
 *
 * The whole heap: V8 collects it when it has grown by a share of what is alive. It chooses the share by how fast JavaScript
 * allocates, but buffers, which it leaves out there, count as growth. At a million points a second, it collected the whole
 * heap five to seven times a second on account of what sockets read, most of which was dead before the next young collection.
 *
 * V8 reads the flags whenever it could grow the heap. A new thread resets the young heap's, because there is one for the whole
 * process.
 */
import { constants, type PerformanceEntry, PerformanceObserver } from "node:perf_hooks"
import { setFlagsFromString } from "node:v8"

/** Young collections are counted in intervals. One car at 60 Hz causes 2 to 5 a second. With more than 10 a second, time matters. */
const MAX_COLLECTIONS = 50
const WITHIN_MS = 5000
/** A start causes 85 to 140, within its first second (measured). So many are not counted. */
const START_COLLECTIONS = 150
/** With at most so many in a minute, in a young heap that has grown, memory matters again. */
const MAX_QUIET_COLLECTIONS = 60
const QUIET_WITHIN_MS = 60_000
/** A collection of the whole heap takes as long as so many young ones: 5 to 10 ms for 1 (measured). */
const WHOLE_AS_YOUNG = 8

/** The factor by which V8 multiplies the young heap's size, and the growth of the whole heap in %; 0: as V8 chooses, up to 300. */
const small = { young: 1, whole: 0 }
const roomy = { young: 2, whole: 300 }

let growth = roomy

const setYoung = (): void => setFlagsFromString(`--semi-space-growth-factor=${growth.young}`)

const set = (to: typeof growth): void => {
  growth = to
  setYoung()
  setFlagsFromString(`--heap-growing-percent=${growth.whole}`)
}

/** Whether collections are frequent. The function returned takes each one: its time, ms, and whether it was of the whole heap. */
export const frequentCollections = (): ((at: number, isWhole: boolean) => boolean) => {
  let isFrequent = false
  let uncounted = START_COLLECTIONS
  let since = 0
  let count = 0
  return (at, isWhole) => {
    if (uncounted-- > 0) return false
    if (at - since > (isFrequent ? QUIET_WITHIN_MS : WITHIN_MS)) {
      if (count <= MAX_QUIET_COLLECTIONS) isFrequent = false
      since = at
      count = 0
    }
    count += isWhole ? WHOLE_AS_YOUNG : 1
    if (count > MAX_COLLECTIONS) isFrequent = true
    return isFrequent
  }
}

interface Collection {
  readonly detail: { readonly kind: number }
}

/** Called once in a process, before it loads its program. */
export const limitHeapGrowth = (): void => {
  set(small)
  const isFrequentWith = frequentCollections()
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { detail, startTime } = entry as PerformanceEntry & Collection
      const isWhole = detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR
      if (!isWhole && detail.kind !== constants.NODE_PERFORMANCE_GC_MINOR) continue
      const next = isFrequentWith(startTime, isWhole) ? roomy : small
      if (next !== growth) set(next)
    }
  }).observe({ entryTypes: ["gc"] })
}

/** Called after a thread was started. */
export const keepYoungHeapAsItIs = setYoung
