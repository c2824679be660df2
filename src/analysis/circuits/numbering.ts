/** Numbers the corners of a line: by the circuit's own numbers where the circuit is known, else in the order found. */
import type { CornerComparison, LapComparison } from "../../domain/analysis/comparison.ts"
import type { CircuitDetails } from "../../domain/Circuit.ts"
import type { OfficialCorner } from "./known/KnownCircuit.ts"
import { onRing, type CornerLine, type FoundLine, matchCircuit, metBy } from "./matchCircuit.ts"

/** A corner of a line, before the laps' passes are added. */
export type NumberedCorner = Omit<CornerComparison, "passes">

/** The numbering of a line's corners. */
export interface Numbering {
  /** The circuit; null where it is unknown. */
  readonly circuit: LapComparison["circuit"]
  readonly corners: ReadonlyArray<NumberedCorner>
  /** The circuit's corners on the line, m from its begin, in order; empty where the circuit is unknown. */
  readonly known: ReadonlyArray<OfficialCorner>
}

const several = (values: ReadonlyArray<string | null>): string | null => {
  const names = [...new Set(values.filter((name) => name !== null))]
  return names.length === 0 ? null : names.join(", ")
}

/** The neighbours of a corner that is not one of the circuit's. */
const between = (apex: number, known: ReadonlyArray<OfficialCorner>): string => {
  const after = known.findIndex(({ distance }) => distance > apex)
  const next = known[after < 0 ? 0 : after]!
  const before = known.at((after < 0 ? known.length : after) - 1)!
  return `between ${before.number} and ${next.number}`
}

const numbered = (
  line: FoundLine,
  known: ReadonlyArray<OfficialCorner>,
  by: "official" | "edited"
): ReadonlyArray<NumberedCorner> => {
  const owners = known.map((corner) => metBy(corner, line))
  return line.corners.map((corner, index) => {
    const from = (distance: number) => onRing(distance - corner.apex + line.length / 2, line.length)
    const own = known
      .filter((_, k) => owners[k] === index)
      .toSorted((a, b) => from(a.distance) - from(b.distance))
    const [first] = own
    if (first === undefined) {
      const label = between(corner.apex, known)
      return { ...corner, number: null, label, name: null, numberedBy: "detected" }
    }
    const label = own.length === 1 ? `${first.number}` : `${first.number}-${own.at(-1)!.number}`
    return {
      ...corner,
      number: first.number,
      label,
      name: several(own.map(({ name }) => name)),
      numberedBy: by
    }
  })
}

const byDistance = (a: OfficialCorner, b: OfficialCorner) => a.distance - b.distance

/** Without sides, places are near some corner of most circuits, so such a line is matched with none. */
const hasSides = (line: FoundLine): line is CornerLine =>
  line.corners.every(({ direction }) => direction !== null)

/** `edited`: a user's own facts about the circuit; the user's corners take precedence over a known circuit's. */
export const numberCorners = (line: FoundLine, edited?: CircuitDetails): Numbering => {
  if (edited !== undefined && edited.corners.length > 0) {
    const known = edited.corners.toSorted(byDistance)
    const circuit = { name: edited.displayName, numberedBy: "edited", score: null, margin: null } as const
    return { circuit, corners: numbered(line, known, "edited"), known }
  }
  const match = hasSides(line) ? matchCircuit(line) : undefined
  if (match === undefined) {
    const corners = line.corners.map((corner): NumberedCorner => ({
      ...corner,
      label: `${corner.number}`,
      name: null,
      numberedBy: "detected"
    }))
    return { circuit: null, corners, known: [] }
  }
  const { margin, score } = match
  const known = match.corners.toSorted(byDistance)
  const name = edited?.displayName ?? match.circuit.name
  return {
    circuit: { name, numberedBy: "official", score, margin },
    corners: numbered(line, known, "official"),
    known
  }
}
