/** Corners found without positions, compared with those that the same laps show with positions. */
import type { CornerComparison, CornerPass } from "../../src/domain/analysis/comparison.ts"
import { align, type LapData } from "../../src/analysis/place/alignment.ts"
import { alignedCorners } from "../../src/analysis/corners/alignedCorners.ts"
import { onRing } from "../../src/analysis/circuits/matchCircuit.ts"
import { numberCorners } from "../../src/analysis/circuits/numbering.ts"
import { analyseCorners } from "../../src/analysis/corners/cornerTimes.ts"
import { median } from "../../src/analysis/math/robust.ts"
import { speedCorners } from "../../src/analysis/corners/speedCorners.ts"

/** A corner slows if its entry is so much faster than its slowest place, in the median of the laps, km/h. */
const SLOWED_KMH = 10
/** A slowest place still belongs to a corner at so many metres outside of its bend. */
const BESIDE_M = 25

/** m between two places of a ring. */
const apart = (a: number, b: number, length: number): number =>
  Math.abs(onRing(a - b + length / 2, length) - length / 2)

/** A corner that slows, by its label, and where it was found without positions: m along the reference's line. */
interface Wanted {
  readonly label: string
  /** The median slowest place of the laps by their positions, and the middle of the bend. */
  readonly slowest: number
  readonly apex: number
  /** The nearest corner found in it; undefined if there is none. */
  readonly found: number | undefined
}

export interface HeldCorners {
  readonly wanted: ReadonlyArray<Wanted>
  readonly found: ReadonlyArray<number>
  /** Found places that are in no corner by positions. */
  readonly wrong: ReadonlyArray<number>
  /** m from each found corner to the nearest of the circuit's table; none if the circuit is not known. */
  readonly fromTable: ReadonlyArray<number>
}

const middle = ({ passes }: CornerComparison, of: (pass: CornerPass) => number): number =>
  median(passes.map(of))

const slows = (pass: CornerPass): number => pass.entrySpeed! - pass.minimumSpeed!

/** `blind`: the same laps without their positions. */
export const heldCorners = (laps: ReadonlyArray<LapData>, blind: ReadonlyArray<LapData>): HeldCorners => {
  const seen = align(laps)!
  const unseen = align(blind)!
  const { length } = seen.grid
  const { corners } = analyseCorners(seen, seen.reference)
  const { known, numberedBy } = numberCorners(alignedCorners(seen))
  const found = speedCorners(unseen).map(({ apex }) => (apex * length) / unseen.grid.length)
  const isIn = ({ entry, exit }: CornerComparison, place: number) =>
    onRing(place - entry + BESIDE_M, length) <= onRing(exit - entry, length) + 2 * BESIDE_M
  return {
    wanted: corners
      .filter((corner) => middle(corner, slows) >= SLOWED_KMH)
      .map((corner) => {
        const slowest = middle(corner, (pass) => pass.minimumSpeedAt!)
        const own = found.filter((place) => isIn(corner, place))
        const [nearest] = own.toSorted((a, b) => apart(a, slowest, length) - apart(b, slowest, length))
        return { label: corner.label, slowest, apex: corner.apex, found: nearest }
      }),
    found,
    wrong: found.filter((place) => !corners.some((corner) => isIn(corner, place))),
    fromTable:
      numberedBy === "detected"
        ? []
        : found.map((place) => Math.min(...known.map(({ distance }) => apart(place, distance, length))))
  }
}
