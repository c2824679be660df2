/**
 * Which known circuit a line is, by its length and the sequence of its corners: to which side each turns, and how far
 * it is from the others. Never by a name. Where the line begins does not matter.
 */
import type { PositionCorner } from "../corners.ts"
import type { SpeedCorner } from "../speedCorners.ts"
import { type KnownCircuit, knownCircuits, type OfficialCorner } from "./knownCircuits.ts"

/** A line with what was found on it; distances in m. */
export interface FoundLine {
  readonly length: number
  readonly corners: ReadonlyArray<PositionCorner> | ReadonlyArray<SpeedCorner>
}

/** A line as its corners tell it. */
export interface CornerLine extends FoundLine {
  readonly corners: ReadonlyArray<PositionCorner>
}

export interface Match {
  readonly circuit: KnownCircuit
  /** 0 to 1: how much of the line's corners and of the circuit's are the same. */
  readonly score: number
  /** By how much that is more than any other circuit's score, were it as long as the line. */
  readonly margin: number
  /** The official corners on the line: distances in m from where the line begins. */
  readonly corners: ReadonlyArray<OfficialCorner>
}

/** A driven line is up to some 2 % shorter than the circuit's middle; published lengths are good to 0.2 %. */
const LENGTH_DIFFERS = 0.03
/**
 * An official corner this far outside of a found one, m, is not met by it: half of what chicanes are apart. It is met
 * wholly between the found one's ends.
 */
const MET_WITHIN_M = 50
/** A bend of this angle counts as a whole corner, rad; slighter ones, which one lap shows and the other not, less. */
const WHOLE_CORNER = Math.PI / 4
/**
 * A score from which on it is the circuit, and its least lead. Real laps and centre lines score 0.84 to 1.00 and lead by
 * 0.16 or more; lines as long as a circuit with corners at random score at most 0.72 (docs/analysis.md, Circuits).
 */
const MIN_SCORE = 0.8
const MIN_MARGIN = 0.1

/** `value` on a ring, from 0 to `length`. */
export const onRing = (value: number, length: number): number => ((value % length) + length) % length

/** How far `place` lies outside of a corner's ends, m, around the line; 0 inside. */
export const outside = (
  { entry, exit }: Pick<PositionCorner, "entry" | "exit">,
  place: number,
  length: number
): number => {
  const after = onRing(place - entry, length)
  const size = onRing(exit - entry, length)
  return after <= size ? 0 : Math.min(after - size, length - after)
}

/** The found corner that an official one belongs to: of its direction, if that is known, the nearest. -1 where none is near. */
export const metBy = (
  { direction, distance }: OfficialCorner,
  { corners, length }: FoundLine,
  within = MET_WITHIN_M
): number => {
  let nearest = -1
  let least = within
  corners.forEach((corner, index) => {
    if (corner.direction !== null && corner.direction !== direction) return
    const away = outside(corner, distance, length)
    const aside = Math.abs(onRing(distance - corner.apex + length / 2, length) - length / 2)
    // Within two corners' ends (bends that overlap) the nearer apex decides.
    const size = away + aside * 1e-6
    if (size < least) {
      least = size
      nearest = index
    }
  })
  return nearest
}

/** The circuit's corners on a line of another length that begins `shift` m before the circuit's. */
const placed = (
  { corners, length }: KnownCircuit,
  line: number,
  shift: number
): ReadonlyArray<OfficialCorner> =>
  corners.map((corner) => ({
    ...corner,
    distance: onRing((corner.distance * line) / length + shift, line)
  }))

const weightOf = ({ angle }: PositionCorner) => Math.min(1, angle / WHOLE_CORNER)

/** The share of the line's turning that official corners explain, and of those that the line shows; their mean. */
const scoreOf = (official: ReadonlyArray<OfficialCorner>, line: CornerLine): number => {
  const met = new Set<number>()
  let shown = 0
  for (const corner of official) {
    const by = metBy(corner, line)
    if (by < 0) continue
    met.add(by)
    shown += 1 - outside(line.corners[by]!, corner.distance, line.length) / MET_WITHIN_M
  }
  let explained = 0
  let all = 0
  line.corners.forEach((corner, index) => {
    const weight = weightOf(corner)
    all += weight
    if (met.has(index)) explained += weight
  })
  return all === 0 ? 0 : (explained / all + shown / official.length) / 2
}

interface Placed {
  readonly score: number
  readonly corners: ReadonlyArray<OfficialCorner>
}

/** The circuit laid on the line as well as it goes: each of its corners is tried on each of the line's. */
const best = (circuit: KnownCircuit, line: CornerLine): Placed => {
  let found: Placed = { score: 0, corners: [] }
  for (const corner of line.corners) {
    for (const official of circuit.corners) {
      if (official.direction !== corner.direction) continue
      const shift = corner.apex - (official.distance * line.length) / circuit.length
      const corners = placed(circuit, line.length, shift)
      const score = scoreOf(corners, line)
      if (score > found.score) found = { score, corners }
    }
  }
  return found
}

/** Each circuit as well as it goes with the line, were it as long; the best first. */
export const rankedCircuits = (
  line: CornerLine,
  circuits: ReadonlyArray<KnownCircuit> = knownCircuits
): ReadonlyArray<Placed & { readonly circuit: KnownCircuit }> =>
  circuits.map((circuit) => ({ circuit, ...best(circuit, line) })).toSorted((a, b) => b.score - a.score)

/** The circuit that the line is beyond doubt; undefined where none is, or two might be. */
export const matchCircuit = (
  line: CornerLine,
  circuits: ReadonlyArray<KnownCircuit> = knownCircuits
): Match | undefined => {
  const isAsLong = ({ length }: KnownCircuit) => Math.abs(line.length / length - 1) <= LENGTH_DIFFERS
  if (!circuits.some(isAsLong)) return undefined
  const [first, second] = rankedCircuits(line, circuits)
  if (first === undefined || !isAsLong(first.circuit)) return undefined
  const margin = first.score - (second?.score ?? 0)
  return first.score < MIN_SCORE || margin < MIN_MARGIN ? undefined : { ...first, margin }
}
