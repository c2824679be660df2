/** Metrics of the process itself, under the names of Prometheus' client libraries if these have one. */
import { performance } from "node:perf_hooks"
import { Context } from "effect"
import { type Family, gauge, labelledBy, total } from "./prometheus.ts"
import { lostLines } from "../platform/standardStreams.ts"

/** The name of this process, if the service has several. */
export class ProcessName extends Context.Reference<ProcessName>()("observability/ProcessName", {
  defaultValue: (): string | undefined => undefined
}) {}

/** Adds the label that separates a process's metrics from those of the others. */
export const labelledByProcess =
  (name: string | undefined) =>
  (families: ReadonlyArray<Family>): ReadonlyArray<Family> =>
    name === undefined ? families : families.map(labelledBy("process", name))

export const processFamilies = (): ReadonlyArray<Family> => {
  const { arrayBuffers, heapUsed, rss } = process.memoryUsage()
  const { system, user } = process.cpuUsage()
  const { active, idle } = performance.eventLoopUtilization()
  return [
    gauge("process_resident_memory_bytes", "Resident memory", rss),
    gauge("nodejs_heap_size_used_bytes", "JavaScript heap in use", heapUsed),
    gauge("nodejs_array_buffers_bytes", "Memory of array buffers, which hold the points", arrayBuffers),
    total("process_cpu_seconds_total", "CPU time, user and system", (user + system) / 1e6),
    gauge(
      "process_start_time_seconds",
      "When the process started, epoch seconds",
      performance.timeOrigin / 1000
    ),
    // The rates of these two show how busy the loop is: active / (active + idle). If the ratio is near 1, everything
    // waits.
    total("nodejs_eventloop_active_seconds_total", "Time that the event loop was busy", active / 1000),
    total(
      "nodejs_eventloop_idle_seconds_total",
      "Time that the event loop waited for something to do",
      idle / 1000
    ),
    total(
      "telemetry_log_lines_lost_total",
      "Lines that standard output or error did not take: full, gone or held",
      lostLines()
    )
  ]
}
