/** Asks a program that ingests how much it has stored, until everything is. */
import { setTimeout as sleep } from "node:timers/promises"
import { monotonic } from "./clock.ts"
import { quantiles } from "./figures.ts"

/** Each time costs the service a request. */
const LOOK_EVERY_MS = 10

const counted = [
  "points_received",
  "points_stored",
  "points_dropped",
  "points_rejected",
  "samples_received",
  "samples_stored",
  "samples_dropped",
  "samples_rejected"
] as const
type Counts = Readonly<Record<(typeof counted)[number], number>>

const countsOf = async (url: string): Promise<Counts> => {
  const { connections } = (await (await fetch(`${url}/api/v1/status`)).json()) as {
    readonly connections: ReadonlyArray<Counts>
  }
  const sum = (key: keyof Counts) => connections.reduce((total, counts) => total + counts[key], 0)
  return Object.fromEntries(counted.map((key) => [key, sum(key)])) as Counts
}

interface Look {
  readonly at: number
  readonly stored: number
}

/** Asks until all points and this many samples are stored. */
export const untilStored = async (
  url: string,
  points: number,
  samples: number
): Promise<ReadonlyArray<Look>> => {
  const looks: Array<Look> = []
  for (;;) {
    const counts = await countsOf(url)
    const lost =
      counts.points_dropped + counts.points_rejected + counts.samples_dropped + counts.samples_rejected
    if (lost > 0) throw new Error(`lost: ${JSON.stringify(counts)}`)
    looks.push({ at: monotonic(), stored: counts.points_stored })
    if (counts.points_stored === points && counts.samples_stored === samples) return looks
    await sleep(LOOK_EVERY_MS)
  }
}

/** The delay from when points were due until they were seen stored, ms; each look counts with its new points. */
export const durableAfter = (looks: ReadonlyArray<Look>, first: number, rate: number) => {
  const delays: Array<number> = []
  let before = 0
  for (const { at, stored } of looks) {
    const middle = (before + stored) / 2
    const weight = Math.round(((stored - before) / looks.at(-1)!.stored) * 10_000)
    for (let i = 0; i < weight; i++) delays.push((at - first - middle / rate) * 1000)
    before = stored
  }
  return quantiles(delays)
}
