/**
 * Limits the growth of V8's heap while the process has little to do, because other programs could use that memory.
 *
 * The young heap: V8 lets it grow to 32 MiB, in the process and in each of its threads, with the data that survives a
 * collection. Here it stays small until collections are frequent, because room makes them rarer. With one car the
 * service holds 140 MiB with this and 195 without (Node 26.10).
 *
 * Unused buffers: V8 collects the heap only when something is allocated. A process that was busy and has nothing more
 * to do keeps the buffers that it no longer uses: 176 MiB after 80 downloads had been closed. So the whole heap is
 * collected once.
 *
 * V8 reads the flags whenever it could grow the heap. A new thread resets the young heap's flag, which is one for the
 * whole process.
 */
import { constants, type PerformanceEntry, PerformanceObserver } from "node:perf_hooks"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

/** Collections are counted in intervals. */
const WITHIN_MS = 5000
const QUIET_WITHIN_MS = 60_000

/**
 * More than MOST collections within WITHIN_MS are frequent. In a heap that has grown, at most QUIET within
 * QUIET_WITHIN_MS are no longer frequent. A collection covers 1 MiB and takes 1 ms: one car at 60 Hz causes 2 to 5 a
 * second, a start 85 to 140 in its first second (measured).
 */
const MOST = 150
const QUIET = 60

/** The factor by which V8 multiplies the young heap's size. */
const YOUNG_STAYS = 1
const YOUNG_DOUBLES = 2

let youngFactor = YOUNG_DOUBLES

const setYoung = (factor: number): void => {
  youngFactor = factor
  setFlagsFromString(`--semi-space-growth-factor=${factor}`)
}

/** Returns a function that takes the time of each young collection, ms, and says whether collections are frequent. */
export const frequentCollections = (): ((at: number) => boolean) => {
  let isFrequent = false
  let since = 0
  let count = 0
  return (at) => {
    if (at - since > (isFrequent ? QUIET_WITHIN_MS : WITHIN_MS)) {
      if (count <= QUIET) isFrequent = false
      since = at
      count = 0
    }
    if (++count > MOST) isFrequent = true
    return isFrequent
  }
}

/** The time between two looks. A busy process collects the whole heap more often by itself. */
const LOOK_MS = 60_000
/** This many bytes of buffers are worth a collection of the whole heap, which takes 30 to 60 ms. */
const LEFT_BEHIND = 32 * 1024 * 1024

/** V8's own function. A flag gives it to contexts that are made while it is set. */
const collectorOfV8 = (): (() => void) => {
  setFlagsFromString("--expose-gc")
  const collect = runInNewContext("gc") as () => void
  setFlagsFromString("--no-expose-gc")
  return collect
}

const bytesOfBuffers = () => process.memoryUsage().arrayBuffers

/**
 * Looks at the heap every `everyMs`, until it is stopped. Collects the whole heap if it was not collected since the
 * last look, and has LEFT_BEHIND more bytes of buffers than after its last collection. `collected` is to be called
 * after each collection of the whole heap.
 */
export const collectLeftBehind = (
  everyMs: number
): { readonly collected: () => void; readonly stop: () => void } => {
  const collect = collectorOfV8()
  let left = 0
  let wasCollected = false
  const look = () => {
    if (!wasCollected && bytesOfBuffers() > left + LEFT_BEHIND) collect()
    wasCollected = false
  }
  const looking = setInterval(look, everyMs).unref()
  return {
    collected: () => {
      left = bytesOfBuffers()
      wasCollected = true
    },
    stop: () => clearInterval(looking)
  }
}

interface Collection {
  readonly detail: { readonly kind: number }
}

/** To be called once in a process, before it loads its program. */
export const limitHeapGrowth = (): void => {
  setYoung(YOUNG_STAYS)
  const isFrequent = frequentCollections()
  const { collected } = collectLeftBehind(LOOK_MS)
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { detail, startTime } = entry as PerformanceEntry & Collection
      if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) collected()
      if (detail.kind !== constants.NODE_PERFORMANCE_GC_MINOR) continue
      const factor = isFrequent(startTime) ? YOUNG_DOUBLES : YOUNG_STAYS
      if (factor !== youngFactor) setYoung(factor)
    }
  }).observe({ entryTypes: ["gc"] })
}

/** To be called after a thread was started. */
export const keepYoungHeapAsItIs = (): void => setYoung(youngFactor)
