/** Each lap's pass through each corner, and the places of its losses: sections whose losses add up to the delta. */
import type { CornerComparison, CornerPass, LapComparison } from "../../domain/analysis/comparison.ts"
import { orNull } from "../../domain/RowBatch.ts"
import { alignedCorners } from "./alignedCorners.ts"
import type { Alignment, LapOnGrid } from "../place/alignment.ts"
import type { CircuitLayout } from "../../domain/CircuitLayout.ts"
import { type CircuitFacts, numberCorners, type NumberedCorner } from "../circuits/numbering.ts"
import { validLaps } from "../compare/comparable.ts"
import { EXPLAINS } from "../compare/possibleCause.ts"
import { speedLossOf } from "../compare/speedLoss.ts"
import { intervalAround, brakingOf, pointsOf, rangesOf } from "./cornerPoints.ts"

/**
 * A stretch of the lap, and the time that a lap lost on it to the fastest. `corner`: the corner it belongs to; null for
 * a straight that lost time although the lap left the corner before it no slower.
 */
export interface Section {
  readonly from: number
  readonly to: number
  readonly corner: NumberedCorner | null
  readonly lost: number
  /** Without the bends behind it that the laps only leave it through; absent if there are none. */
  readonly own?: { readonly to: number; readonly lost: number }
}

/** Nodes of a section. */
export const nodesOf = ({ from, to }: Section, step: number): readonly [from: number, to: number] => [
  Math.floor(from / step),
  Math.ceil(to / step) + 1
]

/** A corner that is left slower by more than this also owns the time lost on the straight after it, km/h. */
const SLOWER_KMH = 1

/** A column's value at a distance: linear between nodes. */
export const at = (column: Float64Array, step: number, distance: number): number => {
  const place = Math.min(Math.max(0, distance / step), column.length - 1)
  const n = Math.min(Math.floor(place), column.length - 2)
  return column[n]! + (place - n) * (column[n + 1]! - column[n]!)
}

/** Whether the lap was recorded at a distance: at both nodes around it. */
const isKnownAt = ({ known }: LapOnGrid, step: number, distance: number): boolean => {
  const place = Math.min(Math.max(0, distance / step), known.length - 1)
  return known[Math.floor(place)] === 1 && known[Math.ceil(place)] === 1
}

/** Whether the lap was recorded from one node to another. */
const isKnownFrom = ({ known }: LapOnGrid, from: number, to: number): boolean =>
  !known.subarray(from, to + 1).includes(0)

export interface CornerAnalysis {
  /** The circuit whose numbers the corners have; null where they are numbered as found. */
  readonly circuit: LapComparison["circuit"]
  /** The circuit's layouts with what these laps add to them; absent where they add nothing. */
  readonly layouts?: ReadonlyArray<CircuitLayout>
  readonly corners: ReadonlyArray<CornerComparison>
  /** One row per lap, in the alignment's order; each row's losses add up to the lap's delta at the line. */
  readonly sections: ReadonlyArray<ReadonlyArray<Section>>
}

/**
 * The corners, with each lap's pass through them, compared with `fastest`. The lap is cut where either of the two
 * brakes first for each corner. So a corner owns its braking, its bend and, if it was left slower, the straight after
 * it and the bends that both laps leave it through; every metre belongs to one section. `facts`: what is known of the circuit.
 */
export const analyseCorners = (
  alignment: Alignment,
  fastest: LapOnGrid,
  facts?: CircuitFacts
): CornerAnalysis => {
  const { grid, laps } = alignment
  const { length, step } = grid
  const last = grid.distance.length - 1
  const examples = validLaps(laps.map(({ lap }) => lap)).length
  const { circuit, corners: found, layouts } = numberCorners(alignedCorners(alignment), facts, examples)
  const ranges = rangesOf(found, alignment)
  const passes: Array<Array<CornerPass>> = found.map(() => [])
  const points = laps.map((lap) => {
    const braking = brakingOf(lap, step)
    let from = 0
    return ranges.map((range, c) => {
      const found = pointsOf(lap, braking, range, from, ranges[c + 1]?.entry ?? last, step)
      // Braking after the slowest place belongs to the next corner, and so does a slowest place at the very exit.
      from = found.slowest < range.exit - 1 ? Math.max(range.middle, found.slowest) : range.middle
      return found
    })
  })
  const own = points[laps.indexOf(fastest)]!
  const sections = laps.map((lap, l) => {
    const delta = (distance: number) => at(lap.time, step, distance) - at(fastest.time, step, distance)
    /**
     * Where a corner's section begins, m: at the first braking of the two laps, else half way from the corner before.
     */
    const begins = ranges.map((range, c) => {
      const before = c === 0 ? 0 : ranges[c - 1]!.middle * step
      const brakes = [points[l]![c]!.braking, own[c]!.braking].filter((point) => point !== null)
      const wanted =
        brakes.length > 0
          ? Math.min(...brakes) - step
          : ((c === 0 ? 0 : ranges[c - 1]!.exit) + range.entry) * (step / 2)
      return Math.min(Math.max(before, wanted), range.entry * step)
    })
    const row: Array<Section> = []
    const add = (from: number, to: number, corner: NumberedCorner | null): void => {
      if (to > from) row.push({ from, to, corner, lost: delta(to) - delta(from) })
    }
    /** A bend in which both laps still gain speed belongs to the section before, if most of its loss, or gain, is the speed at its begin. */
    const addExit = (from: number, to: number, corner: NumberedCorner): void => {
      const lost = delta(to) - delta(from)
      const before = row.at(-1)
      const [first, end] = [Math.round(from / step), Math.min(last, Math.round(to / step))]
      if (before !== undefined && speedLossOf(lap, fastest, first, end, step).arriving / lost >= EXPLAINS)
        row[row.length - 1] = { own: before, ...before, to, lost: before.lost + lost }
      else add(from, to, corner)
    }
    add(0, begins[0] ?? length, null)
    ranges.forEach(({ begin, corner, end, entry, exit }, c) => {
      const from = begins[c]!
      const to = begins[c + 1] ?? length
      const out = Math.min(exit * step, to)
      const slower = at(fastest.speed, step, out) - at(lap.speed, step, out)
      const inside = delta(out) - delta(from)
      const beyond = delta(to) - delta(out)
      // The straight after a corner belongs to the corner if its time follows from the exit speed, faster or slower.
      const carried = slower > SLOWER_KMH ? beyond > 0 : slower < -SLOWER_KMH && beyond < 0
      const isExit = [points[l]![c]!, own[c]!].every((one) => one.braking === null && one.slowest === entry)
      const until = carried ? to : out
      if (isExit) addExit(from, until, corner)
      else add(from, until, corner)
      add(until, to, null)
      const { braking, knowsBrake, knowsSpeed, slowest, throttle } = points[l]![c]!
      const isKnown = (distance: number) => isKnownAt(lap, step, distance)
      const areKnown = (...distances: ReadonlyArray<number>) => distances.every(isKnown)
      const speedOf = (node: number) => (lap.known[node] === 1 ? orNull(lap.speed[node]!) : null)
      const isThrough = isKnownFrom(lap, entry, exit)
      const brakes = knowsBrake && braking !== null && isKnown(braking) ? braking : null
      const opens = throttle !== null && isKnown(throttle) ? throttle : null
      passes[c]!.push({
        lapId: lap.lap.id,
        entrySpeed: speedOf(entry),
        apexSpeed: isKnown(corner.apex) ? orNull(at(lap.speed, step, corner.apex)) : null,
        exitSpeed: speedOf(exit),
        minimumSpeed: isThrough ? orNull(lap.speed[slowest]!) : null,
        minimumSpeedAt: isThrough && knowsSpeed ? slowest * step : null,
        brakingPoint: brakes,
        brakingInterval: brakes === null ? null : intervalAround(lap, brakes, step),
        throttlePoint: opens,
        throttleInterval: opens === null ? null : intervalAround(lap, opens, step),
        time: areKnown(begin, end) ? at(lap.time, step, end) - at(lap.time, step, begin) : null,
        timeLost:
          areKnown(from, until) && isKnownAt(fastest, step, from) && isKnownAt(fastest, step, until)
            ? carried
              ? inside + beyond
              : inside
            : null
      })
    })
    return row
  })
  return {
    circuit,
    ...(layouts === undefined ? {} : { layouts }),
    corners: found.map((corner, c) => ({ ...corner, passes: passes[c]! })),
    sections
  }
}
