/**
 * How the time that a lap loses on a stretch follows from its speeds: exactly, and place by place.
 *
 * With v and u the speeds of the lap and of the faster one, and E = (u² - v²) / 2, the lost time is the sum of
 * (1/v - 1/u) ds = E · 2 / (u v (u + v)) ds. E changes from node to node, and each change has an effect until the stretch
 * ends. So the loss is the sum of what the lap loses because it arrives slower, and of what each change of speed costs.
 */
import type { LapOnGrid } from "../place/alignment.ts"

/** Slower speeds have no cause in a pedal, m/s: the car spins, or stands. */
const SLOWEST = 1

export interface SpeedLoss {
  /** The first and the last node of the stretch. */
  readonly from: number
  readonly to: number
  /** s: the cost of the lower speed at the first node. */
  readonly arriving: number
  /** s, by node from `from` on: the cost of what the speeds do between the node and the next one. */
  readonly costs: Float64Array
  /** s: the sum of both. */
  readonly total: number
}

/** m/s. */
const metric = (speed: Float64Array, node: number) => Math.max(SLOWEST, speed[node]! / 3.6)

/** `step`: m between nodes. */
export const speedLossOf = (
  lap: LapOnGrid,
  faster: LapOnGrid,
  from: number,
  to: number,
  step: number
): SpeedLoss => {
  const costs = new Float64Array(Math.max(0, to - from))
  const deficit = (n: number) => (metric(faster.speed, n) ** 2 - metric(lap.speed, n) ** 2) / 2
  /** s for each unit of E at a node. */
  const weight = (n: number) => {
    const v = metric(lap.speed, n)
    const u = metric(faster.speed, n)
    return ((n === from || n === to ? 1 : 2) * step) / (u * v * (u + v))
  }
  let behind = 0
  let total = 0
  for (let n = to - 1; n >= from; n--) {
    behind += weight(n + 1)
    costs[n - from] = (deficit(n + 1) - deficit(n)) * behind
    total += costs[n - from]!
  }
  const arriving = to > from ? deficit(from) * (behind + weight(from)) : 0
  return { from, to, arriving, costs, total: total + arriving }
}

/** s: the costs of what the speeds do between two nodes of the stretch. */
export const costsBetween = ({ costs, from: first }: SpeedLoss, from: number, to: number): number => {
  let all = 0
  for (let n = Math.max(from, first); n < Math.min(to, first + costs.length); n++) all += costs[n - first]!
  return all
}
