/**
 * Finds the known circuit that a line follows, by its length and its sequence of corners: the side to which each turns,
 * and the distances between them. Names are never used, and it does not matter where the line begins.
 */
import type { PositionCorner } from "../corners/corners.ts"
import type { SpeedCorner } from "../corners/speedCorners.ts"
import type { KnownCircuit, OfficialCorner } from "./known/KnownCircuit.ts"
import { knownCircuits } from "./knownCircuits.ts"

/** A line with the corners found on it; distances in m. */
export interface FoundLine {
  readonly length: number
  readonly corners: ReadonlyArray<PositionCorner> | ReadonlyArray<SpeedCorner>
}

/** A line whose corners have sides. */
export interface CornerLine extends FoundLine {
  readonly corners: ReadonlyArray<PositionCorner>
}

/** Without sides, places are near some corner of most circuits, so such a line is matched with no known circuit. */
export const hasSides = (line: FoundLine): line is CornerLine =>
  line.corners.every(({ direction }) => direction !== null)

/** A corner of a circuit; `direction`: null where its side is unknown. */
interface Place {
  readonly number: number | null
  readonly direction: PositionCorner["direction"] | null
  /** m */
  readonly distance: number
}

export interface Match {
  readonly circuit: KnownCircuit
  /** 0 to 1: the share of the line's corners and of the circuit's that match. */
  readonly score: number
  /** By how much the score exceeds that of any other circuit as long as the line; the score where there is none. */
  readonly margin: number
  /** The official corners on the line: distances in m from where the line begins. */
  readonly corners: ReadonlyArray<OfficialCorner>
}

/** A driven line is up to some 2 % shorter than the circuit's middle; published lengths are good to 0.2 %. */
const LENGTH_DIFFERS = 0.03
/**
 * An official corner that lies this far outside a found one, m, no longer matches it: half of the distance within
 * chicanes. Between the found one's ends it matches fully.
 */
const MET_WITHIN_M = 50
/**
 * A bend of at least this angle counts as a whole corner, rad. Slighter bends count less: some laps show them and
 * others do not.
 */
const WHOLE_CORNER = Math.PI / 4
/** A bend shows no more official corners than this, or an oval would show most of a circuit's. */
const MOST_IN_ONE = 3
/**
 * The score, the lesser of its two shares, and the least lead, from which a circuit counts as recognised. Real laps and
 * lines score 0.86 to 1.00 with shares of 0.77 or more, and lead by 0.20 or more; mirrored, backward and random lines
 * score at most 0.81, and those of them above 0.75 have a share of 0.62 (docs/analysis/method.md, Circuits).
 */
const MIN_SCORE = 0.8
const MIN_SHARE = 0.7
const MIN_MARGIN = 0.1
/** The least lead over another layout of the same site, of any length: more than one corner's part of the score. */
const MIN_LAYOUT_MARGIN = 0.04
/** Scores are sums in another order: those that differ by less are the same. */
const SAME_SCORE = 1e-9

/** `value` on a ring, from 0 to `length`. */
export const onRing = (value: number, length: number): number =>
  value >= 0 && value < length ? value : ((value % length) + length) % length

/** m between two places, around the line. */
const apart = (a: number, b: number, length: number): number =>
  Math.abs(onRing(a - b + length / 2, length) - length / 2)

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

/**
 * The found corner that an official one belongs to: the nearest with the same direction, if that is known. -1 where
 * none is near.
 */
export const metBy = (
  { direction, distance }: Place,
  { corners, length }: FoundLine,
  within = MET_WITHIN_M
): number => {
  let nearest = -1
  let least = within
  corners.forEach((corner, index) => {
    if (corner.direction !== null && direction !== null && corner.direction !== direction) return
    const away = outside(corner, distance, length)
    if (away >= least) return
    const aside = apart(distance, corner.apex, length)
    // Where two corners overlap and both contain the place, the nearer apex decides.
    const size = away + aside * 1e-6
    if (size < least) {
      least = size
      nearest = index
    }
  })
  return nearest
}

/** A circuit's corners on a line of another length that begins `shift` m before the circuit's. */
export const placed = <Corner extends Place>(
  { corners, length }: { readonly length: number; readonly corners: ReadonlyArray<Corner> },
  line: number,
  shift: number
): ReadonlyArray<Corner> =>
  corners.map((corner) => ({
    ...corner,
    distance: onRing((corner.distance * line) / length + shift, line)
  }))

const radians = (degrees: number) => (degrees * Math.PI) / 180

const weightOf = ({ angle }: FoundLine["corners"][number]) =>
  angle === null ? 1 : Math.min(1, angle / WHOLE_CORNER)

interface Fit {
  /** The mean of two shares: of the line's turning that official corners explain, and of the official corners shown. */
  readonly score: number
  /** The lesser of the two: a line of few corners has most of them explained by any circuit of many. */
  readonly least: number
  /** How far the official corners lie from the apexes of the found ones, m in sum. */
  readonly aside: number
}

/** How well corners that lie on the line match it. `sharp`: as a known circuit has it. */
export const fitOf = (
  official: ReadonlyArray<Place>,
  line: FoundLine,
  sharp: KnownCircuit["sharp"] = {}
): Fit => {
  const met = new Map<number, number>()
  let shown = 0
  let aside = 0
  for (const corner of official) {
    const by = metBy(corner, line)
    const own = met.get(by) ?? 0
    if (by < 0 || own === MOST_IN_ONE) continue
    const found = line.corners[by]!
    if (corner.number !== null && (found.angle ?? Infinity) < radians(sharp[corner.number] ?? 0)) continue
    met.set(by, own + 1)
    shown += 1 - outside(found, corner.distance, line.length) / MET_WITHIN_M
    aside += apart(corner.distance, found.apex, line.length)
  }
  let explained = 0
  let all = 0
  line.corners.forEach((corner, index) => {
    const weight = weightOf(corner)
    all += weight
    if (met.has(index)) explained += weight
  })
  const shares = [
    all === 0 ? 0 : explained / all,
    official.length === 0 ? 0 : shown / official.length
  ] as const
  return { score: (shares[0] + shares[1]) / 2, least: Math.min(...shares), aside }
}

interface Placed extends Fit {
  readonly corners: ReadonlyArray<OfficialCorner>
}

/** The best fit of the circuit on the line: each of its corners is tried on each of the line's. */
const best = (circuit: KnownCircuit, line: CornerLine): Placed => {
  let found: Placed = { score: 0, least: 0, aside: 0, corners: [] }
  for (const corner of line.corners) {
    for (const official of circuit.corners) {
      if (official.direction !== corner.direction) continue
      const shift = corner.apex - (official.distance * line.length) / circuit.length
      const corners = placed(circuit, line.length, shift)
      const fit = fitOf(corners, line, circuit.sharp)
      const isSame = Math.abs(fit.score - found.score) < SAME_SCORE
      if (isSame ? fit.aside < found.aside : fit.score > found.score) found = { ...fit, corners }
    }
  }
  return found
}

export const isAsLong = ({ length }: { readonly length: number }, line: FoundLine): boolean =>
  Math.abs(line.length / length - 1) <= LENGTH_DIFFERS

const siteOf = ({ name, site }: KnownCircuit): string => site ?? name

type Ranked = Placed & { readonly circuit: KnownCircuit }

const ranked = (line: CornerLine, circuits: ReadonlyArray<KnownCircuit>): ReadonlyArray<Ranked> =>
  circuits.map((circuit) => ({ circuit, ...best(circuit, line) })).toSorted((a, b) => b.score - a.score)

/** The best fit of each circuit that is as long as the line; the best first. */
export const rankedCircuits = (
  line: CornerLine,
  circuits: ReadonlyArray<KnownCircuit> = knownCircuits
): ReadonlyArray<Ranked> =>
  ranked(
    line,
    circuits.filter((circuit) => isAsLong(circuit, line))
  )

/** The circuit that the line certainly follows; undefined where there is none, or two are possible. */
export const matchCircuit = (
  line: CornerLine,
  circuits: ReadonlyArray<KnownCircuit> = knownCircuits
): Match | undefined => {
  const [first, ...others] = rankedCircuits(line, circuits)
  if (first === undefined || first.score < MIN_SCORE || first.least < MIN_SHARE) return undefined
  const isLayout = (circuit: KnownCircuit) => siteOf(circuit) === siteOf(first.circuit)
  const layouts = circuits.filter((circuit) => isLayout(circuit) && !isAsLong(circuit, line))
  let margin = first.score
  for (const { circuit, score } of [...others, ...ranked(line, layouts)]) {
    const lead = first.score - score
    if (lead < (isLayout(circuit) ? MIN_LAYOUT_MARGIN : MIN_MARGIN)) return undefined
    margin = Math.min(margin, lead)
  }
  return { circuit: first.circuit, score: first.score, margin, corners: first.corners }
}
