/** A circuit as answers describe it: its corners, the source of their numbers, and the reason for that source. */
import type { CircuitDescription } from "../../domain/analysis/circuit.ts"
import type { CircuitDetails } from "../../domain/Circuit.ts"
import type { CircuitLayout } from "../../domain/CircuitLayout.ts"
import { align, type LapData } from "../place/alignment.ts"
import { alignedCorners } from "../corners/alignedCorners.ts"
import { knownCircuits } from "./knownCircuits.ts"
import { numberedByMap } from "./layouts.ts"
import { type CircuitFacts, type NumberedCorner, numberCorners } from "./numbering.ts"

type DescribedCorner = CircuitDescription["corners"][number]

/** A circuit whose corners a user has given. */
export const editedCircuit = (name: string, details: CircuitDetails): CircuitDescription => ({
  name,
  displayName: details.displayName,
  numberedBy: "edited",
  length: null,
  match: null,
  corners: numberedByMap(details.corners).map((corner) => ({ ...corner, numberedBy: "edited" }))
})

/** A circuit as its laps show it. */
export interface FoundCircuit {
  /** Perhaps without corners. */
  readonly description: CircuitDescription
  /** The circuit's layouts with what these laps add to them; absent where they add nothing. */
  readonly layouts?: ReadonlyArray<CircuitLayout>
}

const matchOf = ({ margin, name, score }: NonNullable<CircuitLayout["official"]>) => {
  const { driven, length, source } = knownCircuits.find((one) => one.name === name)!
  return { name, length, driven, source, score, margin }
}

const described = ({ apex, direction, foundBy, label }: NumberedCorner): DescribedCorner => ({
  number: null,
  label,
  name: null,
  direction,
  distance: apex,
  numberedBy: "detected",
  foundBy
})

/** `laps`: examples of the circuit; the user's details among the facts have at most a name to display. */
export const foundCircuit = (
  name: string,
  laps: ReadonlyArray<LapData>,
  facts?: CircuitFacts
): FoundCircuit => {
  const alignment = align(laps)
  const unknown = {
    name,
    displayName: facts?.details?.displayName ?? name,
    numberedBy: "detected",
    length: null,
    match: null,
    corners: []
  } as const
  if (alignment === undefined) return { description: unknown }
  const line = alignedCorners(alignment)
  const { known, layouts, numberedBy, official, others } = numberCorners(line, facts, laps.length)
  const corners = known.map((corner): DescribedCorner => ({ ...corner, numberedBy }))
  return {
    description: {
      name,
      displayName: facts?.details?.displayName ?? official?.name ?? name,
      numberedBy,
      length: line.length,
      match: official && matchOf(official),
      corners: [...corners, ...others.map(described)].toSorted((a, b) => a.distance - b.distance)
    },
    ...(layouts === undefined ? {} : { layouts })
  }
}
