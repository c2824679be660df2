/** A circuit as it is told: its corners, whose numbers they have, and why. */
import type { CircuitDetails } from "../../domain/Circuit.ts"
import { align, type LapData } from "../alignment.ts"
import { alignedCorners } from "../alignedCorners.ts"
import type { Direction } from "../corners.ts"
import { knownCircuits } from "./knownCircuits.ts"
import { type FoundBy, type NumberedBy, numberCorners } from "./numbering.ts"

export interface DescribedCorner {
  /** Null for a corner that was found and is none of the circuit's own. */
  readonly number: number | null
  readonly label: string
  readonly name: string | null
  /** Null where only speeds showed it. */
  readonly direction: Direction | null
  /** m from the line: of the apex. */
  readonly distance: number
  readonly numbered_by: NumberedBy
  /** Null where it is told, by the circuit's map or by a user. */
  readonly found_by: FoundBy | null
}

/** The known circuit that the line was found to be. */
export interface MatchedCircuit {
  readonly name: string
  /** m, as published. */
  readonly length: number
  readonly driven: "clockwise" | "anticlockwise" | "figure of eight"
  /** Where numbers, directions and distances come from. */
  readonly source: string
  readonly score: number
  readonly margin: number
}

export interface CircuitDescription {
  /** As its sessions have it. */
  readonly name: string
  readonly display_name: string
  readonly numbered_by: NumberedBy
  /** Of the lap that was looked at, m; null where none had to be, or can be. */
  readonly length: number | null
  readonly match: MatchedCircuit | null
  readonly corners: ReadonlyArray<DescribedCorner>
}

/** A circuit whose corners a user has given. */
export const editedCircuit = (name: string, details: CircuitDetails): CircuitDescription => ({
  name,
  display_name: details.display_name,
  numbered_by: "edited",
  length: null,
  match: null,
  corners: details.corners
    .toSorted((a, b) => a.distance - b.distance)
    .map((corner) => ({ ...corner, label: `${corner.number}`, numbered_by: "edited", found_by: null }))
})

/** A circuit as its laps show it, which may be none; `details` have at most a name to display. */
export const foundCircuit = (
  name: string,
  laps: ReadonlyArray<LapData>,
  details?: CircuitDetails
): CircuitDescription => {
  const alignment = align(laps)
  const unknown = {
    name,
    display_name: details?.display_name ?? name,
    numbered_by: "detected",
    length: null,
    match: null,
    corners: []
  } as const
  if (alignment === undefined) return unknown
  const line = alignedCorners(alignment)
  const { circuit, corners, known } = numberCorners(line)
  const found = corners
    .filter(({ numbered_by }) => numbered_by === "detected")
    .map(({ apex, direction, found_by, label, number }): DescribedCorner => ({
      number,
      label,
      name: null,
      direction,
      distance: apex,
      numbered_by: "detected",
      found_by
    }))
  if (circuit === null) return { ...unknown, length: line.length, corners: found }
  const official = known.map((corner): DescribedCorner => ({
    ...corner,
    label: `${corner.number}`,
    numbered_by: "official",
    found_by: null
  }))
  const { driven, length, source } = knownCircuits.find((one) => one.name === circuit.name)!
  return {
    name,
    display_name: details?.display_name ?? circuit.name,
    numbered_by: "official",
    length: line.length,
    match: { name: circuit.name, length, driven, source, score: circuit.score!, margin: circuit.margin! },
    corners: [...official, ...found].toSorted((a, b) => a.distance - b.distance)
  }
}
