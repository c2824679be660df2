/**
 * Loaded into a service before its program (`--import`): how long its event loop stood still at most since the last question,
 * ms. SIGUSR2 asks, a line on standard output answers.
 */
import { monitorEventLoopDelay } from "node:perf_hooks"

const RESOLUTION_MS = 5

const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
delays.enable()
process.on("SIGUSR2", () => {
  console.log(String(delays.max / 1e6 - RESOLUTION_MS))
  delays.reset()
})
