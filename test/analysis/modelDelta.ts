/** Reported deltas of simulated laps compared with the model that drove them: the true delta at each place of the circuit. */
import { align, type LapData } from "../../src/analysis/place/alignment.ts"
import { compareTraced } from "../../src/analysis/compare/comparison.ts"
import { at } from "../../src/analysis/corners/cornerTimes.ts"
import type { SimulatedDrive } from "../../simulator/model/SimulatedDrive.ts"
import { LEAD } from "../../simulator/model/plan.ts"

/** A lap's reported delta to the fastest at one place: its error and its stated uncertainty. */
export interface Reported {
  /** m from the line, on the comparison's grid. */
  readonly distance: number
  readonly error: number
  readonly uncertainty: number
  /** Whether the place lies in a stretch that is not sound. */
  readonly unsound: boolean
  readonly lapId: number
}

/** The nodes of the circuit between two places that are compared: about 20 m. */
const EVERY = 20

/**
 * For laps of one drive, of which `clean` are as driven: the first of these gives the places; others may have faults. Laps'
 * ids are their numbers.
 */
export const reportedOf = (
  from: SimulatedDrive,
  laps: ReadonlyArray<LapData>,
  clean: ReadonlySet<number>,
  step = 2
): ReadonlyArray<Reported> => {
  const { grid, laps: placed } = align(laps, step)!
  const guide = placed.find(({ lap }) => clean.has(lap.id))!
  const own = from.trace(guide.lap.lapNumber).time
  const { closure, fastestLapId, traces } = compareTraced(laps, step)
  const fastest = from.trace(laps.find(({ lap }) => lap.id === fastestLapId)!.lap.lapNumber).time
  const places: Array<readonly [node: number, distance: number]> = []
  for (let n = 2 * EVERY, place = 1; n < from.options.circuit.nodes - EVERY; n += EVERY) {
    while (guide.time[place]! < own[LEAD + n]!) place++
    const rise = guide.time[place]! - guide.time[place - 1]!
    places.push([n, (place - 1 + (own[LEAD + n]! - guide.time[place - 1]!) / rise) * grid.step])
  }
  return traces.flatMap(({ lapId, timeDelta, timeDeltaUncertainty }) => {
    if (lapId === fastestLapId) return []
    const { time } = from.trace(laps.find(({ lap }) => lap.id === lapId)!.lap.lapNumber)
    const { unsound } = closure.find((one) => one.lapId === lapId)!
    // In a pause there is no delta.
    const known = places.filter(([, distance]) => !Number.isNaN(at(timeDelta, grid.step, distance)))
    return known.map(([node, distance]): Reported => ({
      distance,
      lapId,
      error: at(timeDelta, grid.step, distance) - (time[LEAD + node]! - fastest[LEAD + node]!),
      uncertainty: at(timeDeltaUncertainty, grid.step, distance),
      unsound: unsound.some((stretch) => distance >= stretch.from && distance <= stretch.to)
    }))
  })
}
