/**
 * Loaded before a program (`node --import`). On SIGUSR2 it prints the delay of the event loop's timers since the last
 * request in ms: the maximum in 99 of 100 cases, and the maximum of all.
 */
import { monitorEventLoopDelay } from "node:perf_hooks"
import { isMainThread } from "node:worker_threads"

const EVERY_MS = 10

/** The histogram has the time from one timer to the next. */
const late = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - EVERY_MS).toFixed(1)

if (isMainThread) {
  const between = monitorEventLoopDelay({ resolution: EVERY_MS })
  between.enable()
  process.on("SIGUSR2", () => {
    console.log(`${late(between.percentile(99))} ${late(between.max)}`)
    between.reset()
  })
}
