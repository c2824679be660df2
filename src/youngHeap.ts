/**
 * Limits V8's young heap. V8 lets it grow to 32 MiB, in the process and in each of its threads, with the data that survives a
 * collection, even if a process has little to do; other programs could use that memory. This module keeps it at the initial 1
 * MiB until collections are frequent, when more room makes them cheaper.
 *
 * V8 reads the flag whenever it could grow the heap. A new thread resets the flag, because there is one for the whole
 * process.
 */
import { constants, type PerformanceEntry, PerformanceObserver } from "node:perf_hooks"
import { setFlagsFromString } from "node:v8"

/**
 * Young collections, each of 1 MiB and some 1 ms, in the interval below. With more of them, time matters more than memory.
 * One car at 60 Hz causes a few a second; a start some eighty in all.
 */
const MAX_COLLECTIONS = 150
const WITHIN_MS = 5000

/** The factor by which V8 multiplies the size; 1 keeps it. */
const STAYS = 1
const DOUBLES = 2

interface Collection {
  readonly detail: { readonly kind: number }
}

let factor = DOUBLES

const set = (by: number): void => {
  factor = by
  setFlagsFromString(`--semi-space-growth-factor=${by}`)
}

/** Called once in a process, before it loads its program. */
export const keepYoungHeapSmall = (): void => {
  set(STAYS)
  let since = performance.now()
  let collections = 0
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { detail, startTime } = entry as PerformanceEntry & Collection
      if (detail.kind !== constants.NODE_PERFORMANCE_GC_MINOR) continue
      if (startTime - since > WITHIN_MS) {
        since = startTime
        collections = 0
      }
      if (++collections <= MAX_COLLECTIONS) continue
      // V8 shrinks the heap again by itself, when it collects everything and little is allocated.
      set(DOUBLES)
      observer.disconnect()
      return
    }
  })
  observer.observe({ entryTypes: ["gc"] })
}

/** Called after a thread was started. */
export const keepYoungHeapAsItIs = (): void => set(factor)
