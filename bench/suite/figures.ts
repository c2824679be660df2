/** Figures of runs that alternate. */
import { upperMedian } from "../../src/analysis/robust.ts"

export const setting = (name: string, fallback: number) => Number(process.env[name] ?? fallback)

/** One of the runs, of an even count the greater of the middle two. */
export const median = (values: ReadonlyArray<number>): number => upperMedian(values)!

/** The median, and from the least to the most. */
export const spread = (values: ReadonlyArray<number>, digits: number): string =>
  `${median(values).toFixed(digits)} (${Math.min(...values).toFixed(digits)} to ${Math.max(...values).toFixed(digits)})`

/** Wall time and CPU time of this process that something takes, s. */
export const timed = async (work: () => Promise<void>) => {
  const cpu = process.cpuUsage()
  const start = performance.now()
  await work()
  const seconds = (performance.now() - start) / 1000
  const { system, user } = process.cpuUsage(cpu)
  return { seconds, cpuSeconds: (user + system) / 1e6 }
}

/** Of values in any order; NaN of none. */
export const quantiles = (values: ReadonlyArray<number>): { readonly p50: number; readonly p99: number } => {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (q: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99) }
}
