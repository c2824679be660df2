/**
 * A best lap that could be driven, and its uncertainty. The minimum of many noisy times is too low, so the time found
 * for the shortest drive does not estimate the time that it takes. Therefore each measurement is split into two with
 * independent noise: noise of the laps' own size is added to one and subtracted from the other (data fission: Rasines
 * and Young, Biometrika 2023; Leiner et al., JASA 2023). The drive is chosen with one half and timed with the other,
 * many times.
 */
import type { Grid, LapOnGrid } from "../place/alignment.ts"
import type { SessionMicroSectors } from "../../domain/analysis/microSectors.ts"
import { toMicros } from "../../domain/Time.ts"
import { jointCosts, shortestDrive, timeOfDrive } from "./drives.ts"
import { bells } from "../math/noise.ts"
import { median, sorted } from "../math/robust.ts"
import { ROAD_ANGLE, slownessOf } from "./trust.ts"

type FeasibleBest = NonNullable<SessionMicroSectors["feasibleBest"]>
type Joint = FeasibleBest["joints"][number]

/** With the reason where there is none. */
export type Feasible =
  | { readonly feasibleBest: FeasibleBest; readonly feasibleBestReason: null }
  | { readonly feasibleBest: null; readonly feasibleBestReason: string }

const none = (feasibleBestReason: string): Feasible => ({ feasibleBest: null, feasibleBestReason })

/** Number of draws; the interval leaves out a twentieth of them. */
const DRAWS = 200
const TAIL = 0.05

/** The same laps always give the same draws. */
const SEED = 0x5eed

interface Cut {
  readonly grid: Grid
  /** The fastest first. */
  readonly donors: ReadonlyArray<LapOnGrid>
  /** Seconds in each piece; Infinity where a piece is not sound. */
  readonly times: ReadonlyArray<ReadonlyArray<number>>
  /** The start and end of the pieces. */
  readonly nodes: ReadonlyArray<number>
}

/**
 * Times plus `sign` times the noise of one draw. Each lap's clock is off at each node by its own deviation. All laps
 * are off by the unknown angle of the road's normal, times how far aside they are. Nothing is off at the line.
 */
const perturbed = ({
  donors,
  grid,
  nodes,
  times
}: Cut): ((
  draw: number
) => readonly [plus: ReadonlyArray<Float64Array>, minus: ReadonlyArray<Float64Array>]) => {
  const slowness = slownessOf(donors[0]!, grid.step)
  const pieces = nodes.length - 1
  return (draw) => {
    const random = bells(SEED + draw)
    const angles = Float64Array.from(nodes, () => ROAD_ANGLE * random())
    const plus: Array<Float64Array> = []
    const minus: Array<Float64Array> = []
    donors.forEach(({ aside, deviation }, d) => {
      const row = times[d]!
      const [up, down] = [new Float64Array(pieces), new Float64Array(pieces)]
      let before = 0
      for (let k = 0; k < pieces; k++) {
        const node = nodes[k + 1]!
        const own = deviation[node]! * random()
        const off = k + 1 === pieces ? 0 : own + angles[k + 1]! * aside[node]! * slowness[node]!
        up[k] = row[k]! + (off - before)
        down[k] = row[k]! - (off - before)
        before = off
      }
      plus.push(up)
      minus.push(down)
    })
    return [plus, minus]
  }
}

/** The best lap, and as many of the others as there are, drawn with replacement; in order. */
const drawnLaps = (count: number, draw: number): ReadonlyArray<number> => {
  const random = bells(SEED + DRAWS + draw, 1)
  const taken = new Set([0])
  for (let i = 1; i < count; i++) taken.add(1 + Math.floor(random.uniform() * (count - 1)))
  return [...taken].sort((a, b) => a - b)
}

const seconds = (time: number): string => `${time.toFixed(3)} s`

const jointsOf = ({ donors, grid, nodes }: Cut, laps: Int32Array): ReadonlyArray<Joint> => {
  const joints: Array<Joint> = []
  for (let k = 1; k < laps.length; k++) {
    const [before, after] = [donors[laps[k - 1]!]!, donors[laps[k]!]!]
    if (before === after) continue
    const node = nodes[k]!
    joints.push({
      distance: toMicros(grid.distance[node]!),
      fromLapId: before.lap.id,
      toLapId: after.lap.id,
      speedDifference: toMicros(after.speed[node]! - before.speed[node]!)
    })
  }
  return joints
}

/** Why a drive uses nothing of a lap. */
const reasonOf = (row: ReadonlyArray<number>, joinable: boolean): string => {
  if (!joinable) return "its speed meets that of no other lap"
  const unsound = row.filter((time) => time === Infinity).length
  const some =
    unsound === 0 ? "no piece of it" : `of its ${row.length} pieces ${unsound} are not sound, and no other`
  return `${some} shortens the drive`
}

const unusedIn = (
  { donors, times }: Cut,
  costs: Float64Array,
  used: ReadonlySet<number>
): FeasibleBest["unused"] => {
  const count = donors.length
  const meets = new Uint8Array(count)
  for (let i = 0; i < costs.length; i++) {
    if (costs[i]! < Infinity) meets[i % count] = meets[Math.trunc(i / count) % count] = 1
  }
  return donors.flatMap(({ lap }, d) =>
    used.has(d) ? [] : [{ lapId: lap.id, reason: reasonOf(times[d]!, meets[d] === 1) }]
  )
}

/** Null where the noise exceeds the gain on the best lap that is sound all around. */
export const feasibleBest = (cut: Cut): Feasible => {
  const { donors, times } = cut
  const costs = jointCosts(donors, cut.nodes)
  const all = [...donors.keys()]
  const found = shortestDrive(times, costs, all)
  if (found === undefined)
    return none("No drive leads around: somewhere no lap is sound, or none can be joined")
  const best = Math.min(...donors.map(({ lap }) => lap.lapTime!))
  const used = new Set(found.laps)
  if (used.size === 1 && found.time >= best - 1e-6) {
    const why = donors.length === 1 ? "there is no other lap" : "no piece of another lap shortens it"
    return none(`The best lap gains nothing: ${why}`)
  }
  const noisy = perturbed(cut)
  const timed: Array<number> = []
  const redrawn: Array<number> = []
  for (let draw = 0; draw < DRAWS; draw++) {
    const [plus, minus] = noisy(draw)
    const honest = (taken: ReadonlyArray<number>): number => {
      const drive = shortestDrive(plus, costs, taken)
      return drive === undefined ? Infinity : timeOfDrive(drive.laps, minus, costs)
    }
    timed.push(honest(all))
    redrawn.push(honest(drawnLaps(donors.length, draw)))
  }
  const time = Math.max(found.time, median(timed))
  // Nearest ranks, without interpolation: for laps that cannot be joined a draw is infinite.
  const low = Math.min(found.time, sorted(timed)[TAIL * DRAWS]!)
  const high = Math.max(time, sorted(redrawn)[DRAWS - 1 - TAIL * DRAWS]!)
  // Compared as reported: a gain under a microsecond is none.
  if (!(toMicros(high) < toMicros(best))) {
    const gain = best - found.time
    return none(
      gain <= 0
        ? `The drive that is left is ${seconds(-gain)} slower than the best lap: pieces of that are not sound`
        : `Noise exceeds the gain: the pieces add up to ${seconds(gain)} less than the best lap, of which ` +
            `${seconds(Math.max(0, best - time))} are left without noise, and none are sure`
    )
  }
  return {
    feasibleBest: {
      time: toMicros(time),
      interval: [toMicros(low), toMicros(high)],
      piecesTime: toMicros(found.time),
      joints: jointsOf(cut, found.laps),
      lapIds: donors.flatMap(({ lap }, d) => (used.has(d) ? [lap.id] : [])),
      unused: unusedIn(cut, costs, used)
    },
    feasibleBestReason: null
  }
}
