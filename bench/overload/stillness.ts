/**
 * Loaded into a service before its program (`--import`): the longest time for which its event loop stood still since the last
 * request, ms. SIGUSR2 requests it; the answer is a line of JSON on standard output (`Stillness`).
 */
import { monitorEventLoopDelay } from "node:perf_hooks"

export interface Stillness {
  /** By the clock. */
  readonly still: number
  /** Most CPU time of the process meanwhile: less than `still` if other processes had the machine's cores. */
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
