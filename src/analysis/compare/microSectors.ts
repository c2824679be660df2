/**
 * Cuts laps into many equal distances. Shows where each lap is fast, and the sum of the best pieces.
 *
 * The sum of the best pieces alone is a lap that no driver can drive: a piece that was fast because the lap entered it
 * fast cannot follow one that left slowly. `feasibleBest` therefore joins pieces of two laps only where both passed the
 * joint at the same speed.
 */
import { algorithmVersion } from "../algorithmVersion.ts"
import type { Alignment, LapOnGrid } from "../place/alignment.ts"
import type { SessionMicroSectors } from "../../domain/analysis/microSectors.ts"
import type { OfLaps } from "../../domain/analysis/parts.ts"
import { toMicros } from "../../domain/Time.ts"
import { feasibleBest } from "./feasibleBest.ts"
import { touches } from "./stretches.ts"
import { mainReason } from "./trust.ts"

export type MicroSectors = Omit<OfLaps<SessionMicroSectors>, "missingChannels">

/**
 * Short enough to separate the entry of a corner from its exit, long enough that timing noise stays small beside it.
 */
const ABOUT_M = 50
/** The laps whose pieces may be used: timed and valid, the fastest first. */
const timedLaps = (alignment: Alignment): ReadonlyArray<LapOnGrid> =>
  alignment.laps
    .filter(({ lap }) => lap.valid && lap.lapTime !== null)
    .sort((a, b) => a.lap.lapTime! - b.lap.lapTime! || a.lap.id - b.lap.id)

/** Seconds in each piece; Infinity where a piece is not sound, so that it is never used. */
const timesOf = (
  { lap, time, unsound }: LapOnGrid,
  nodes: ReadonlyArray<number>,
  distance: Float64Array
): ReadonlyArray<number> => {
  // The clock of the points and the official time differ by a sample or so: the official one is right.
  const scale = lap.lapTime! / time.at(-1)!
  return nodes.slice(1).map((node, k) => {
    const from = nodes[k]!
    return touches(unsound, distance[from]!, distance[node]!) ? Infinity : (time[node]! - time[from]!) * scale
  })
}

const orNull = (time: number): number | null => (time < Infinity ? toMicros(time) : null)

/** Undefined where no piece of a valid lap is sound. `pieces`: their number; about 50 m each by default. */
export const microSectors = (
  alignment: Alignment,
  pieces: number = Math.max(3, Math.round(alignment.grid.length / ABOUT_M))
): MicroSectors | undefined => {
  const { distance } = alignment.grid
  const last = distance.length - 1
  if (pieces < 1 || pieces > last) return undefined
  const nodes = Array.from({ length: pieces + 1 }, (_, k) => Math.round((k * last) / pieces))
  const donors: Array<LapOnGrid> = []
  const times: Array<ReadonlyArray<number>> = []
  const leftOut: Array<MicroSectors["leftOut"][number]> = []
  for (const lap of timedLaps(alignment)) {
    const row = timesOf(lap, nodes, distance)
    if (row.some((time) => time < Infinity)) {
      donors.push(lap)
      times.push(row)
    } else leftOut.push({ lapId: lap.lap.id, reason: mainReason(lap.unsound)! })
  }
  if (donors.length === 0) return undefined
  const best = nodes.slice(1).map((_, k) => {
    let lap = 0
    for (let d = 1; d < donors.length; d++) if (times[d]![k]! < times[lap]![k]!) lap = d
    return { lapId: donors[lap]!.lap.id, time: times[lap]![k]! }
  })
  return {
    algorithmVersion,
    bounds: nodes.map((node) => toMicros(distance[node]!)),
    laps: donors.map(({ lap }, d) => ({ lapId: lap.id, times: times[d]!.map(orNull) })),
    leftOut,
    best: best.map(({ lapId, time }) => (time < Infinity ? { lapId, time: toMicros(time) } : null)),
    theoreticalBest: orNull(best.reduce((sum, { time }) => sum + time, 0)),
    ...feasibleBest({ grid: alignment.grid, donors, times, nodes })
  }
}
