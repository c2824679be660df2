/** A lap that turns the wheel later into a corner than the faster lap does. */
import type { NumberedCorner } from "../circuits/numbering.ts"
import { type Interval, intervalAround } from "../corners/cornerPoints.ts"
import type { Direction } from "../../domain/analysis/comparison.ts"
import type { LapOnGrid } from "../place/alignment.ts"
import { before, METRES, type PossibleCause } from "./possibleCause.ts"
import type { SpeedLoss } from "./speedLoss.ts"

/** A lap has turned in when its wheel is this share of the way to the least of both laps' peaks. */
const TURNED = 0.5
/** Laps whose peaks differ by more than this factor steer otherwise, or are in cars whose wheels are not alike. */
const ALIKE = 1.5

/** A lap that turns in later runs this much further to the outside, m, until this far beyond its turn-in, m. */
const OUTSIDE_M = 0.3
const BEYOND_M = 20

interface TurnIn {
  readonly at: number
  readonly between: Interval
}

/** The node where a lap steers most to one side between two nodes. */
const peakOf = (steering: Float64Array, side: number, from: number, to: number): number => {
  let peak = from
  for (let n = from; n <= to; n++) if (side * steering[n]! > side * steering[peak]!) peak = n
  return peak
}

/** Where the wheel first passes the level; undefined where it does from the begin, or never. */
const turnInOf = (
  lap: LapOnGrid,
  side: number,
  level: number,
  from: number,
  to: number,
  step: number
): TurnIn | undefined => {
  if (!(side * lap.steering[from]! < level)) return undefined
  let n = from
  while (n <= to && !(side * lap.steering[n]! >= level)) n++
  if (n > to) return undefined
  const [a, b] = [side * lap.steering[n - 1]!, side * lap.steering[n]!]
  const at = step * (n - 1 + (level - a) / (b - a))
  return { at, between: intervalAround(lap, at, step) }
}

/** Whether positions, where there are any, show the lap further and further outside between two nodes. */
const isRefuted = (
  { aside }: LapOnGrid,
  { aside: other }: LapOnGrid,
  direction: Direction | null,
  from: number,
  to: number
): boolean => {
  const left = aside[to]! - other[to]! - (aside[from]! - other[from]!)
  return direction !== null && (direction === "right" ? left : -left) < OUTSIDE_M
}

/** A late turn-in, as a sentence says it. */
export interface LateTurnIn extends Pick<PossibleCause, "what" | "where"> {
  readonly cause: "late turn-in"
  /** How many times as far as the faster lap it turns the wheel then: about as much tighter is its arc. */
  readonly tighter: number
}

/** Between the begin of the loss and the corner's exit. */
export const lateTurnIn = (
  lap: LapOnGrid,
  faster: LapOnGrid,
  loss: SpeedLoss,
  step: number,
  { direction, exit }: Pick<NumberedCorner, "direction" | "exit">
): LateTurnIn | undefined => {
  const { from } = loss
  const to = Math.min(Math.round(exit / step), loss.to)
  const right = peakOf(faster.steering, 1, from, to)
  const left = peakOf(faster.steering, -1, from, to)
  const side = faster.steering[right]! > -faster.steering[left]! ? 1 : -1
  const peak = side * faster.steering[side > 0 ? right : left]!
  const own = side * lap.steering[peakOf(lap.steering, side, from, to)]!
  if (!(peak > 0 && own > 0 && Math.max(peak, own) <= ALIKE * Math.min(peak, own))) return undefined
  const level = TURNED * Math.min(peak, own)
  const early = turnInOf(faster, side, level, from, to, step)
  const late = turnInOf(lap, side, level, from, to, step)
  if (early === undefined || late === undefined) return undefined
  const later = before(early.between, late.between)
  const first = Math.floor(early.at / step)
  const beyond = Math.min(loss.to, Math.round((late.at + BEYOND_M) / step))
  if (!(later > METRES) || isRefuted(lap, faster, direction, first, beyond)) return undefined
  return {
    cause: "late turn-in",
    what: `turns in ${Math.round(late.at) - Math.round(early.at)} m later (${Math.round(late.at)} m, faster lap: ${Math.round(early.at)} m)`,
    where: [early.at, late.at],
    tighter: own / peak
  }
}
