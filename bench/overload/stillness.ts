/**
 * Loaded into a service before its program (`--import`): how long its event loop stood still at most since the last question,
 * ms. SIGUSR2 asks, a line of JSON on standard output answers (`Stillness`).
 */
import { monitorEventLoopDelay } from "node:perf_hooks"

export interface Stillness {
  /** As the clock has it. */
  readonly still: number
  /** The CPU that the process took meanwhile at most: less than `still` where another had the machine's cores. */
  readonly busy: number
}

const RESOLUTION_MS = 5

const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
delays.enable()

let busy = 0
let before = process.cpuUsage()
setInterval(() => {
  const now = process.cpuUsage()
  busy = Math.max(busy, (now.user - before.user + now.system - before.system) / 1000)
  before = now
}, RESOLUTION_MS).unref()

process.on("SIGUSR2", () => {
  const stillness: Stillness = { still: delays.max / 1e6 - RESOLUTION_MS, busy }
  console.log(JSON.stringify(stillness))
  delays.reset()
  busy = 0
})
