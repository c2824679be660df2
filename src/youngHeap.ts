/**
 * How much memory V8 takes for what is young. It lets that grow to 32 MiB, of the process and of each of its threads, with whatever
 * survives a collection, also where a process has little to do: then it is memory that somebody else could use. Here it
 * stays at the 1 MiB that it begins with until collections are frequent, which is when more room makes them cheaper.
 *
 * V8 reads the flag each time that it could grow. A new thread resets it, since it is one for the process.
 */
import { constants, type PerformanceEntry, PerformanceObserver } from "node:perf_hooks"
import { setFlagsFromString } from "node:v8"

/**
 * Young collections, each of 1 MiB and some 1 ms, in so many milliseconds: with more, time is worth more than memory. One car at 60 Hz
 * causes a few a second; a start some eighty in all.
 */
const MAX_COLLECTIONS = 150
const WITHIN_MS = 5000

/** What V8 multiplies its size with. */
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

/** Of a process, once, before it loads what it is. */
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
      // V8 takes it back by itself, when it collects everything and little is made.
      set(DOUBLES)
      observer.disconnect()
      return
    }
  })
  observer.observe({ entryTypes: ["gc"] })
}

/** After a thread was started. */
export const keepYoungHeapAsItIs = (): void => set(factor)
