/** A circuit as answers describe it: its corners, the source of their numbers, and the reason for that source. */
import type { CircuitDescription } from "../../domain/analysis/circuit.ts"
import type { CircuitDetails } from "../../domain/Circuit.ts"
import { align, type LapData } from "../place/alignment.ts"
import { alignedCorners } from "../corners/alignedCorners.ts"
import { knownCircuits } from "./knownCircuits.ts"
import { numberCorners } from "./numbering.ts"

type DescribedCorner = CircuitDescription["corners"][number]

/** A circuit whose corners a user has given. */
export const editedCircuit = (name: string, details: CircuitDetails): CircuitDescription => ({
  name,
  displayName: details.displayName,
  numberedBy: "edited",
  length: null,
  match: null,
  corners: details.corners
    .toSorted((a, b) => a.distance - b.distance)
    .map((corner) => ({ ...corner, label: `${corner.number}`, numberedBy: "edited", foundBy: null }))
})

/** A circuit as its laps show it, perhaps without corners; `details` have at most a name to display. */
export const foundCircuit = (
  name: string,
  laps: ReadonlyArray<LapData>,
  details?: CircuitDetails
): CircuitDescription => {
  const alignment = align(laps)
  const unknown = {
    name,
    displayName: details?.displayName ?? name,
    numberedBy: "detected",
    length: null,
    match: null,
    corners: []
  } as const
  if (alignment === undefined) return unknown
  const line = alignedCorners(alignment)
  const { circuit, corners, known } = numberCorners(line)
  const found = corners
    .filter(({ numberedBy }) => numberedBy === "detected")
    .map(({ apex, direction, foundBy, label, number }): DescribedCorner => ({
      number,
      label,
      name: null,
      direction,
      distance: apex,
      numberedBy: "detected",
      foundBy
    }))
  if (circuit === null) return { ...unknown, length: line.length, corners: found }
  const official = known.map((corner): DescribedCorner => ({
    ...corner,
    label: `${corner.number}`,
    numberedBy: "official",
    foundBy: null
  }))
  const { driven, length, source } = knownCircuits.find((one) => one.name === circuit.name)!
  return {
    name,
    displayName: details?.displayName ?? circuit.name,
    numberedBy: "official",
    length: line.length,
    match: { name: circuit.name, length, driven, source, score: circuit.score!, margin: circuit.margin! },
    corners: [...official, ...found].toSorted((a, b) => a.distance - b.distance)
  }
}
