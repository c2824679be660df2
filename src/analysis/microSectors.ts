/**
 * A lap cut into many equal distances: where each lap is fast, and what the best pieces add up to.
 *
 * The sum of the best pieces alone promises what nobody can drive: a piece that was fast because the lap entered it
 * fast cannot follow one that left slowly. `feasible_best` therefore joins pieces of two laps only where both
 * passed the joint at the same speed: the shortest path over (piece, lap), found by dynamic programming (Bellman 1957).
 */
import { algorithm_version } from "./algorithmVersion.ts"
import type { Alignment, LapOnGrid } from "./alignment.ts"
import { toMicros } from "./comparable.ts"
import { touches } from "./stretches.ts"
import { mainReason } from "./trust.ts"

/** Where the drive goes over from one lap to another. */
export interface Joint {
  /** m from the line. */
  readonly distance: number
  readonly from_lap_id: number
  readonly to_lap_id: number
  /** km/h by which the lap that takes over was faster. */
  readonly speed_difference: number
}

export interface MicroSectors {
  readonly algorithm_version: string
  /** m from the line: the bounds of the pieces, one more than there are pieces. */
  readonly bounds: ReadonlyArray<number>
  /** Seconds in each piece, null where the lap's data are not sound; all of a lap's add up to its official time. */
  readonly laps: ReadonlyArray<{ readonly lap_id: number; readonly times: ReadonlyArray<number | null> }>
  /** Valid timed laps of which no piece is sound, the fastest first, each with the reason of its longest unsound stretch. */
  readonly left_out: ReadonlyArray<{ readonly lap_id: number; readonly reason: string }>
  /** Null where no lap is sound. */
  readonly best: ReadonlyArray<{ readonly lap_id: number; readonly time: number } | null>
  /** The sum of the best, s: a bound that no lap can beat, and none can reach. Null where one of them is. */
  readonly theoretical_best: number | null
  /** A lap that could have been driven; it lies between the sum above and the best lap. Null where none leads around. */
  readonly feasible_best: { readonly time: number; readonly joints: ReadonlyArray<Joint> } | null
}

/** Short enough to tell the entry of a corner from its exit, long enough that timing noise stays small beside it. */
const ABOUT_M = 50
/**
 * Laps may be joined where their speeds differ by this at most, km/h. To make up for 2 km/h (0.56 m/s) at an easy
 * 3 m/s^2 takes 0.19 s, in which 0.05 m are lost: 2.6 ms at 20 m/s, under 1 ms on a straight; that is also charged.
 */
export const JOINT_KMH = 2
const ACCELERATION = 3

/** What it costs to arrive slower than the lap that takes over, s: (dv)^2 / (2 a v), with m/s. */
const jointCost = (difference: number, speed: number): number => {
  const short = Math.max(0, difference) / 3.6
  return (short * short) / (2 * ACCELERATION * Math.max(1, speed / 3.6))
}

/** Laps that may be taken apart: timed and valid, the fastest first. */
const timedLaps = (alignment: Alignment): ReadonlyArray<LapOnGrid> =>
  alignment.laps
    .filter(({ lap }) => lap.valid && lap.lap_time !== null)
    .sort((a, b) => a.lap.lap_time! - b.lap.lap_time! || a.lap.id - b.lap.id)

/** Seconds in each piece; Infinity where one is not sound: nobody would take it. */
const timesOf = (
  { lap, time, unsound }: LapOnGrid,
  nodes: ReadonlyArray<number>,
  distance: Float64Array
): ReadonlyArray<number> => {
  // The clock of the points and the official time differ by a sample or so: the official one is right.
  const scale = lap.lap_time! / time.at(-1)!
  return nodes.slice(1).map((node, k) => {
    const from = nodes[k]!
    return touches(unsound, distance[from]!, distance[node]!) ? Infinity : (time[node]! - time[from]!) * scale
  })
}

const orNull = (time: number): number | null => (time < Infinity ? toMicros(time) : null)

/** Undefined where no piece of a valid lap is sound. `pieces`: how many; about 50 m each by default. */
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
  const left_out: Array<MicroSectors["left_out"][number]> = []
  for (const lap of timedLaps(alignment)) {
    const row = timesOf(lap, nodes, distance)
    if (row.some((time) => time < Infinity)) {
      donors.push(lap)
      times.push(row)
    } else left_out.push({ lap_id: lap.lap.id, reason: mainReason(lap.unsound)! })
  }
  if (donors.length === 0) return undefined
  const best = nodes.slice(1).map((_, k) => {
    let lap = 0
    for (let d = 1; d < donors.length; d++) if (times[d]![k]! < times[lap]![k]!) lap = d
    return { lap_id: donors[lap]!.lap.id, time: times[lap]![k]! }
  })
  return {
    algorithm_version,
    bounds: nodes.map((node) => toMicros(distance[node]!)),
    laps: donors.map(({ lap }, d) => ({ lap_id: lap.id, times: times[d]!.map(orNull) })),
    left_out,
    best: best.map(({ lap_id, time }) => (time < Infinity ? { lap_id, time: toMicros(time) } : null)),
    theoretical_best: orNull(best.reduce((sum, { time }) => sum + time, 0)),
    feasible_best: feasible(donors, times, nodes, distance)
  }
}

const feasible = (
  donors: ReadonlyArray<LapOnGrid>,
  times: ReadonlyArray<ReadonlyArray<number>>,
  nodes: ReadonlyArray<number>,
  distance: Float64Array
): MicroSectors["feasible_best"] => {
  const pieces = nodes.length - 1
  /** The least time to the end of piece k in lap d, and the lap of the piece before. */
  let least = times.map((row) => row[0]!)
  const came: Array<Int32Array> = []
  for (let k = 1; k < pieces; k++) {
    const node = nodes[k]!
    const from = Int32Array.from(donors, (_, d) => d)
    const next = donors.map((donor, d) => {
      let reached = least[d]!
      for (let other = 0; other < donors.length; other++) {
        const before = donors[other]!.speed[node]!
        const difference = donor.speed[node]! - before
        // A feed that tells no speed tells nothing of a joint either.
        const known = before > 0 && donor.speed[node]! > 0
        if (other === d || !known || Math.abs(difference) > JOINT_KMH) continue
        const time = least[other]! + jointCost(difference, donor.speed[node]!)
        // A joint that gains nothing is none: less than a microsecond is noise.
        if (time < reached - 1e-6) {
          reached = time
          from[d] = other
        }
      }
      return reached + times[d]![k]!
    })
    came.push(from)
    least = next
  }
  let lap = 0
  for (let d = 1; d < donors.length; d++) if (least[d]! < least[lap]! - 1e-6) lap = d
  if (!(least[lap]! < Infinity)) return null
  const time = toMicros(least[lap]!)
  const joints: Array<Joint> = []
  for (let k = pieces - 1; k > 0; k--) {
    const before = came[k - 1]![lap]!
    if (before === lap) continue
    const node = nodes[k]!
    joints.unshift({
      distance: toMicros(distance[node]!),
      from_lap_id: donors[before]!.lap.id,
      to_lap_id: donors[lap]!.lap.id,
      speed_difference: toMicros(donors[lap]!.speed[node]! - donors[before]!.speed[node]!)
    })
    lap = before
  }
  return { time, joints }
}
