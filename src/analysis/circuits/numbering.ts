/**
 * Numbers the corners of a line: by the user's numbers, else by the circuit's own where the circuit is known, else by
 * those that the circuit's laps were given first. A place keeps its number whichever laps are compared.
 */
import type { CornerComparison, LapComparison } from "../../domain/analysis/comparison.ts"
import type { CircuitDetails } from "../../domain/Circuit.ts"
import type { CircuitLayout, LayoutCorner } from "../../domain/CircuitLayout.ts"
import { detectedLayout, keptLayout, numberedByMap, officialLayout, refinedLayout } from "./layouts.ts"
import { type FoundLine, metBy, onRing } from "./matchCircuit.ts"

/** A corner of a line, before the laps' passes are added. */
export type NumberedCorner = Omit<CornerComparison, "passes">

/** What is known of the circuit that a line is on. */
export interface CircuitFacts {
  /** A user's own details. */
  readonly details?: CircuitDetails | undefined
  /** The layouts that other laps showed. */
  readonly layouts: ReadonlyArray<CircuitLayout>
}

export const nothingKnown: CircuitFacts = { layouts: [] }

/** The numbering of a line's corners. */
export interface Numbering {
  /** The circuit; null where corners have only the numbers found. */
  readonly circuit: LapComparison["circuit"]
  /** The known circuit that the line follows. */
  readonly official: CircuitLayout["official"]
  readonly numberedBy: NumberedCorner["numberedBy"]
  /** The line's corners, in order. */
  readonly corners: ReadonlyArray<NumberedCorner>
  /** The circuit's corners on the line, in order, whether or not the line shows them. */
  readonly known: ReadonlyArray<LayoutCorner>
  /** The line's corners that are none of the circuit's. */
  readonly others: ReadonlyArray<NumberedCorner>
  /** The circuit's layouts with what the line adds to them; absent where it adds nothing. */
  readonly layouts?: ReadonlyArray<CircuitLayout>
}

const several = (values: ReadonlyArray<string | null>): string | null => {
  const names = [...new Set(values.filter((name) => name !== null))]
  return names.length === 0 ? null : names.join(", ")
}

/** The neighbours of a corner that is not one of the circuit's. */
const between = (apex: number, known: ReadonlyArray<LayoutCorner>): string => {
  const after = known.findIndex(({ distance }) => distance > apex)
  const next = known[after < 0 ? 0 : after]!
  const before = known.at((after < 0 ? known.length : after) - 1)!
  return `between ${before.label} and ${next.label}`
}

const numbered = (
  line: FoundLine,
  known: ReadonlyArray<LayoutCorner>,
  by: NumberedCorner["numberedBy"]
): Pick<Numbering, "numberedBy" | "known" | "corners" | "others"> => {
  const owners = known.map((corner) => metBy(corner, line))
  const others: Array<NumberedCorner> = []
  const corners = line.corners.map((corner, index): NumberedCorner => {
    const from = (distance: number) => onRing(distance - corner.apex + line.length / 2, line.length)
    const own = known
      .filter((_, k) => owners[k] === index)
      .toSorted((a, b) => from(a.distance) - from(b.distance))
    const [first] = own
    if (first === undefined) {
      const label = between(corner.apex, known)
      const other = { ...corner, number: null, label, name: null, numberedBy: "detected" } as const
      others.push(other)
      return other
    }
    return {
      ...corner,
      number: first.number,
      label: own.length === 1 ? first.label : `${first.label}-${own.at(-1)!.label}`,
      name: several(own.map(({ name }) => name)),
      numberedBy: by
    }
  })
  return { numberedBy: by, known, corners, others }
}

/**
 * A user's corners take precedence over a known circuit's. `examples`: the number of laps that show the line and may
 * become the circuit's layout; with 0 the line adds nothing to the layouts.
 */
export const numberCorners = (line: FoundLine, facts = nothingKnown, examples = 0): Numbering => {
  const { details, layouts } = facts
  if (details !== undefined && details.corners.length > 0) {
    const circuit = { name: details.displayName, numberedBy: "edited", score: null, margin: null } as const
    return { circuit, official: null, ...numbered(line, numberedByMap(details.corners), "edited") }
  }
  const recognized = officialLayout(line, examples)
  const name = recognized?.official?.name
  const kept =
    keptLayout(line, layouts, ({ official }) => name === undefined || official?.name === name) ??
    keptLayout(line, layouts, ({ official }) => official === null)
  const added = () => {
    if (kept === undefined) return recognized ?? detectedLayout(line, examples)
    if (kept.layout.official !== null) return undefined
    return recognized ?? (examples > kept.layout.laps ? refinedLayout(kept, line, examples) : undefined)
  }
  const shown = added()
  const { official } = shown ?? kept!.layout
  const adds = shown !== undefined && examples > 0 && line.corners.length > 0
  const all = kept === undefined ? [...layouts, shown!] : layouts.with(kept.index, shown ?? kept.layout)
  return {
    circuit: official && { ...official, name: details?.displayName ?? official.name, numberedBy: "official" },
    official,
    ...numbered(line, shown?.corners ?? kept!.corners, official === null ? "detected" : "official"),
    ...(adds ? { layouts: all } : {})
  }
}
