/**
 * Loaded before a program (`node --import`): on SIGUSR2 it prints by how many ms timers of the event loop were late since it was asked
 * last, at most in 99 of 100 cases and at most at all.
 */
import { monitorEventLoopDelay } from "node:perf_hooks"
import { isMainThread } from "node:worker_threads"

const EVERY_MS = 10

/** What is told is the time from one timer to the next. */
const late = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - EVERY_MS).toFixed(1)

if (isMainThread) {
  const between = monitorEventLoopDelay({ resolution: EVERY_MS })
  between.enable()
  process.on("SIGUSR2", () => {
    console.log(`${late(between.percentile(99))} ${late(between.max)}`)
    between.reset()
  })
}
