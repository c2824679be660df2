/**
 * Wheels that lock or spin in a lap, and not in the faster one at the same place, as causes of a loss. Both laps must report
 * how their wheels turn.
 */
import { lowerBound } from "../../domain/RowBatch.ts"
import type { Alignment, LapData, LapOnGrid } from "../place/alignment.ts"
import { beginsAt } from "../place/beginsAt.ts"
import {
  isLoose,
  LOCKED,
  mostSlip,
  NEAR_M,
  type SlipEvent,
  slipEvents,
  SPUN,
  USUAL_SHARE
} from "../wheels/slipEvents.ts"
import { type SlippingLap, slippingLaps } from "../wheels/slippingLaps.ts"
import { JOINED_M } from "./pedalCauses.ts"
import type { PossibleCause } from "./possibleCause.ts"
import { costsBetween, type SpeedLoss } from "./speedLoss.ts"

/** An event of a lap's wheels, between two nodes. */
export interface Slipped {
  readonly cause: "lock-up" | "wheelspin"
  /** In words, as the verb of a sentence whose subject is the lap. */
  readonly what: string
  readonly from: number
  readonly to: number
}

const KINDS = [
  {
    cause: "lock-up",
    limit: LOCKED,
    says: ({ begin, end, wheels }: SlipEvent, [from]: readonly [number, number]) =>
      `locks ${wheels} for ${(end - begin).toFixed(1)} s at ${Math.round(from)} m`
  },
  {
    cause: "wheelspin",
    limit: SPUN,
    says: ({ wheels }: SlipEvent, [from, to]: readonly [number, number]) =>
      `spins ${wheels} between ${Math.round(from)} m and ${Math.round(to)} m`
  }
] as const

/** Each lap with its own wheels: laps may be of different cars. */
const wheelsOf = ({ around = [], lap, points }: LapData): SlippingLap | undefined => {
  const [own] = slippingLaps([{ around, lap, points, column: (channel) => points.column(channel) }])
  return own === undefined || own.rows.length === 0 ? undefined : own
}

/** By lap of the alignment: the events in it that the faster lap does not have. None where one of the two shows no wheels. */
export const slippedBeside = (
  laps: ReadonlyArray<LapData>,
  alignment: Alignment,
  faster: LapOnGrid
): ReadonlyArray<ReadonlyArray<Slipped>> => {
  const { grid } = alignment
  const wheels = laps.map(wheelsOf)
  const other = wheels[alignment.laps.indexOf(faster)]
  const zero = beginsAt(faster, alignment)
  const passes = (node: number) => zero + faster.time[Math.min(Math.max(0, node), faster.time.length - 1)]!
  const near = Math.round(NEAR_M / grid.step)
  return alignment.laps.map((lap, l) => {
    const own = wheels[l]
    if (own === undefined || other === undefined || own === other) return []
    const begins = beginsAt(lap, alignment)
    const nodeAt = (time: number) =>
      Math.min(lap.time.length - 1, Math.max(0, lowerBound(lap.time, time - begins) - 1))
    return KINDS.flatMap(({ cause, limit, says }) =>
      isLoose([own, other], limit)
        ? []
        : slipEvents(own, limit).flatMap((event): ReadonlyArray<Slipped> => {
            const [from, to] = [nodeAt(event.begin), nodeAt(event.end)]
            const usual = mostSlip(other, passes(from - near), passes(to + near), limit.side)
            if (!(usual <= USUAL_SHARE * limit.slip)) return []
            return [{ cause, what: says(event, [from * grid.step, to * grid.step]), from, to }]
          })
    )
  })
}

export const slippedCause = (
  { cause, from, to, what }: Slipped,
  costs: number,
  step: number
): PossibleCause => ({
  cause,
  what,
  costs,
  where: [from * step, to * step]
})

/** A lock-up from the begin of the stretch to the lap's slowest node. */
export const lockedBefore = (
  slips: ReadonlyArray<Slipped>,
  { from: first }: SpeedLoss,
  slowest: number
): Slipped | undefined =>
  slips.find(({ cause, from }) => cause === "lock-up" && from >= first && from <= slowest)

/**
 * What an event within the stretch costs. Spinning wheels cost the speed that the lap does not gain meanwhile. Locked ones cost
 * what it lacks at its slowest node: it brakes less, and misses its line. `braking`: from this node on both laps brake, so
 * that a lap that only brakes earlier is not counted.
 */
export const wheelCause = (
  slipped: Slipped,
  loss: SpeedLoss,
  step: number,
  braking: number,
  slowest: number
): PossibleCause | undefined => {
  const { cause, from, to } = slipped
  if (from < loss.from || to > loss.to) return undefined
  const costs =
    cause === "lock-up"
      ? costsBetween(loss, Math.max(from, braking), Math.max(to, slowest))
      : costsBetween(loss, from, to + Math.round(JOINED_M / step))
  return slippedCause(slipped, costs, step)
}
