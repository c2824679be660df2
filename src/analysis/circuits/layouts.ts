/**
 * The layouts of a circuit on a line: those that the catalog keeps, and those that the line shows first. Kept numbers
 * stay with their places; later lines only add to them.
 */
import type { CircuitLayout, LayoutCorner } from "../../domain/CircuitLayout.ts"
import { knownCircuits } from "./knownCircuits.ts"
import {
  fitOf,
  type FoundLine,
  hasSides,
  isAsLong,
  matchCircuit,
  metBy,
  onRing,
  placed
} from "./matchCircuit.ts"

/**
 * The least score of a line on a kept layout, which begins where the line begins. It is less than for a circuit that is
 * recognised among all wherever a line begins, because the name is the same: laps that miss some corners, or that have
 * no positions, are on the layout, too.
 */
const MIN_FIT = 0.5

const inOrder = (corners: ReadonlyArray<LayoutCorner>): ReadonlyArray<LayoutCorner> =>
  corners.toSorted((a, b) => a.distance - b.distance)

/** Official or users' corners. */
export const numberedByMap = (
  corners: ReadonlyArray<Pick<LayoutCorner, "name" | "direction" | "distance"> & { readonly number: number }>
): ReadonlyArray<LayoutCorner> =>
  inOrder(corners.map((corner) => ({ ...corner, label: `${corner.number}`, foundBy: null })))

const isKnown = ({ official }: CircuitLayout) =>
  official === null || knownCircuits.some(({ name }) => name === official.name)

/** The layout as it lies on a line of another length. */
const onLine = (layout: CircuitLayout, line: FoundLine) =>
  layout.length === line.length ? layout.corners : inOrder(placed(layout, line.length, 0))

/** A kept layout, its index, and its corners on the line. */
export interface KeptLayout {
  readonly layout: CircuitLayout
  readonly index: number
  readonly corners: ReadonlyArray<LayoutCorner>
}

/** The kept layout that the line follows best, of those that may be; undefined where it follows none. */
export const keptLayout = (
  line: FoundLine,
  layouts: ReadonlyArray<CircuitLayout>,
  mayBe: (layout: CircuitLayout) => boolean
): KeptLayout | undefined => {
  let best: KeptLayout | undefined
  let highest = 0
  layouts.forEach((layout, index) => {
    if (!isAsLong(layout, line) || !isKnown(layout) || !mayBe(layout)) return
    const corners = onLine(layout, line)
    const { score } = fitOf(corners, line)
    if (score < MIN_FIT || score <= highest) return
    highest = score
    best = { layout, index, corners }
  })
  return best
}

/** The known circuit that the line certainly follows; undefined where there is none. `laps`: how many show the line. */
export const officialLayout = (line: FoundLine, laps: number): CircuitLayout | undefined => {
  const match = hasSides(line) ? matchCircuit(line) : undefined
  return (
    match && {
      length: line.length,
      laps,
      official: { name: match.circuit.name, score: match.score, margin: match.margin },
      corners: numberedByMap(match.corners)
    }
  )
}

/** The line's own corners, numbered in order. */
export const detectedLayout = (line: FoundLine, laps: number): CircuitLayout => ({
  length: line.length,
  laps,
  official: null,
  corners: line.corners.map(({ apex, direction, foundBy }, i) => ({
    number: i + 1,
    label: `${i + 1}`,
    name: null,
    direction,
    distance: apex,
    foundBy
  }))
})

/** m from one place to another along the ring, the shorter way; negative against the way. */
const along = (from: number, to: number, length: number) =>
  onRing(to - from + length / 2, length) - length / 2

/** A label for a corner that comes after the one with the number: `3a`, or the first letter that is free. */
const lettered = (number: number, taken: ReadonlySet<string>): string => {
  for (let letter = 0; ; letter++) {
    const label = `${number}${String.fromCharCode("a".charCodeAt(0) + letter)}`
    if (!taken.has(label)) return label
  }
}

/**
 * The kept layout with the corners of a line of more laps: places become the mean over the laps, and corners that are
 * new have the number before with a letter.
 */
export const refinedLayout = (
  { corners, layout }: KeptLayout,
  line: FoundLine,
  laps: number
): CircuitLayout => {
  const { length } = line
  const owners = corners.map((corner) => metBy(corner, line))
  const refined = corners.map((corner, k): LayoutCorner => {
    const owner = owners[k]!
    // A bend that covers several kept corners shows the place of none of them.
    const isOwn = owner >= 0 && owners.filter((other) => other === owner).length === 1
    const moved = isOwn ? along(corner.distance, line.corners[owner]!.apex, length) : 0
    return { ...corner, distance: onRing(corner.distance + (moved * laps) / (laps + layout.laps), length) }
  })
  const numbered = refined.filter(({ number }) => number !== null)
  const taken = new Set(refined.map(({ label }) => label))
  line.corners.forEach(({ apex, direction, foundBy }, index) => {
    if (owners.includes(index)) return
    const since = ({ distance }: LayoutCorner) => onRing(apex - distance, length)
    const before = numbered.reduce((a, b) => (since(b) < since(a) ? b : a))
    const label = lettered(before.number!, taken)
    taken.add(label)
    refined.push({ number: null, label, name: null, direction, distance: apex, foundBy })
  })
  return { length, laps, official: null, corners: inOrder(refined) }
}
