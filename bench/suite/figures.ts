/** Figures of alternating runs. */
import { upperMedian } from "../../src/analysis/math/robust.ts"

export const setting = (name: string, fallback: number) => Number(process.env[name] ?? fallback)

/** The value of one of the runs; for an even count the greater of the middle two. */
export const median = (values: ReadonlyArray<number>): number => upperMedian(values)!

/** The median, the least and the greatest. */
export const spread = (values: ReadonlyArray<number>, digits: number): string =>
  `${median(values).toFixed(digits)} (${Math.min(...values).toFixed(digits)} to ${Math.max(...values).toFixed(digits)})`

/** Wall time and CPU time of this process for `work`, s. */
export const timed = async (work: () => Promise<void>) => {
  const cpu = process.cpuUsage()
  const start = performance.now()
  await work()
  const seconds = (performance.now() - start) / 1000
  const { system, user } = process.cpuUsage(cpu)
  return { seconds, cpuSeconds: (user + system) / 1e6 }
}

/** Takes values in any order; NaN for no values. */
export const quantiles = (values: ReadonlyArray<number>): { readonly p50: number; readonly p99: number } => {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (q: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99) }
}
