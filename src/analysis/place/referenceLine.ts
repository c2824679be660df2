/** The line that a lap drove, as a closed row of vertices on which other laps are projected. */
import { lowerBound } from "../../domain/RowBatch.ts"
import type { LapData } from "./alignment.ts"
import { cornerOptions, evenly, signedCurvature } from "../corners/corners.ts"
import { wayBetween } from "../math/wayBetween.ts"

/**
 * Vertices of a line in driving order, with their distance from the start line (m) and unit tangents. Each end is
 * continued by the line's other end, so that points around the start line find their place.
 */
export interface ReferenceLine {
  readonly x: Float64Array
  readonly y: Float64Array
  readonly distance: Float64Array
  readonly tangentX: Float64Array
  readonly tangentY: Float64Array
  /** 1/m, positive to the left, with the smoothing that finds corners. */
  readonly bend: Float64Array
  readonly length: number
}

/** A place on the line. */
export interface Projection {
  /** m from the start line; below 0 before it, beyond `length` after it. */
  distance: number
  /** m from the line to the point, positive to the left. */
  aside: number
  /** The bend of the line there, 1/m, positive to the left. */
  bend: number
}

/**
 * Vertices are at least this far apart, m: at 2 m the chord lies 3 cm inside the tightest hairpin (15 m), and a
 * standing car's noise draws no line.
 */
const VERTEX_M = 2
/** The continuation past each end, m: 2 s of driving at 360 km/h, and some more for late positions. */
const CONTINUED_M = 300
/**
 * A line whose ends are further apart than this is not closed, m: a stage from one place to another continues straight.
 */
const OPEN_M = 150

/** No car steps back so far, m: then a glitch aside was taken for the way, and turned the line's heading. */
const BACK_M = 40

/**
 * A column's value at `time`: linear between the points around it; before the first and past the last point, along the
 * line through the nearest two.
 */
export const valueAt = (timestamps: Float64Array, column: Float64Array, time: number): number => {
  const k = Math.min(Math.max(1, lowerBound(timestamps, time)), timestamps.length - 1)
  const share = (time - timestamps[k - 1]!) / (timestamps[k]! - timestamps[k - 1]!)
  return column[k - 1]! + share * (column[k]! - column[k - 1]!)
}

interface Row {
  readonly x: Array<number>
  readonly y: Array<number>
}

/** The lap's positions from line to line that lead forward. */
const forward = ({ lap, points }: LapData): Row => {
  const t = points.timestamps
  const px = points.column("position_x")
  const py = points.column("position_y")
  const x = [valueAt(t, px, lap.startTime)]
  const y = [valueAt(t, py, lap.startTime)]
  /** The point of each vertex; the first vertex is computed. */
  const from = [-1]
  const wrong = new Uint8Array(t.length)
  for (let i = lowerBound(t, lap.startTime); i < t.length && t[i]! < lap.endTime; i++) {
    const last = x.length - 1
    const way = Math.hypot(px[i]! - x[last]!, py[i]! - y[last]!)
    if (wrong[i] === 1 || way < VERTEX_M) continue
    const isAheadOf = (k: number) =>
      k < 1 || (px[i]! - x[k]!) * (x[k]! - x[k - 1]!) + (py[i]! - y[k]!) * (y[k]! - y[k - 1]!) >= 0
    if (!isAheadOf(last)) {
      // A step back (late packets around the line, noise of a standing car) is no part of the line.
      if (way < BACK_M) continue
      // For a point so far behind it, the vertex itself is wrong: the line goes on from here without it.
      if (last > 1 && isAheadOf(last - 1)) {
        i = from.pop()!
        wrong[i] = 1
        x.pop()
        y.pop()
        continue
      }
    }
    x.push(px[i]!)
    y.push(py[i]!)
    from.push(i)
  }
  const endX = valueAt(t, px, lap.endTime)
  const endY = valueAt(t, py, lap.endTime)
  // The end is a vertex itself; vertices nearer to it than the spacing, or beyond it, are removed.
  while (x.length > 2) {
    const dx = endX - x.at(-1)!
    const dy = endY - y.at(-1)!
    const ahead = dx * (x.at(-1)! - x.at(-2)!) + dy * (y.at(-1)! - y.at(-2)!)
    if (Math.hypot(dx, dy) >= VERTEX_M && ahead > 0) break
    x.pop()
    y.pop()
  }
  x.push(endX)
  y.push(endY)
  return { x, y }
}

/** Near the ends of an open line the bend is set to zero, m: smoothing goes around from end to start. */
const STRAIGHT_ENDS_M = 60

/** The bend at each vertex, from the bend at equal steps around the line. */
const bendAlong = (
  { x, y }: Row,
  along: Float64Array,
  closed: boolean,
  distance: ReadonlyArray<number>
): Float64Array => {
  const length = along[along.length - 1]!
  const even = evenly(x, y, along, length)
  const bend = signedCurvature(even.x, even.y, even.step, cornerOptions.smoothing)
  return Float64Array.from(distance, (at) => {
    if (!closed && (at < STRAIGHT_ENDS_M || at > length - STRAIGHT_ENDS_M)) return 0
    const n = Math.round(at / even.step) % even.nodes
    return bend[n < 0 ? n + even.nodes : n]!
  })
}

/** The line of a lap. Its distance is the length of the chords from its start to its end. */
export const referenceLine = (lap: LapData): ReferenceLine => {
  const row = forward(lap)
  const own = row.x.length
  const along = new Float64Array(own)
  for (let k = 1; k < own; k++) {
    along[k] = along[k - 1]! + Math.hypot(row.x[k]! - row.x[k - 1]!, row.y[k]! - row.y[k - 1]!)
  }
  const length = along[own - 1]!
  const overX = row.x[own - 1]! - row.x[0]!
  const overY = row.y[own - 1]! - row.y[0]!
  const closed = Math.hypot(overX, overY) < OPEN_M && length > 2 * CONTINUED_M
  const x: Array<number> = []
  const y: Array<number> = []
  const distance: Array<number> = []
  const add = (ax: number, ay: number, at: number): void => {
    x.push(ax)
    y.push(ay)
    distance.push(at)
  }
  const straight = (k: number, j: number): void => {
    const way = along[j]! - along[k]!
    const share = CONTINUED_M / way
    const dx = row.x[j]! - row.x[k]!
    const dy = row.y[j]! - row.y[k]!
    if (k === 0) add(row.x[0]! - dx * share, row.y[0]! - dy * share, -CONTINUED_M)
    else add(row.x[j]! + dx * share, row.y[j]! + dy * share, length + CONTINUED_M)
  }
  if (closed) {
    for (let k = 0; k < own - 1; k++) {
      if (along[k]! > length - CONTINUED_M) add(row.x[k]! - overX, row.y[k]! - overY, along[k]! - length)
    }
  } else straight(0, 1)
  for (let k = 0; k < own; k++) add(row.x[k]!, row.y[k]!, along[k]!)
  if (closed) {
    for (let k = 1; k < own && along[k]! < CONTINUED_M; k++) {
      add(row.x[k]! + overX, row.y[k]! + overY, along[k]! + length)
    }
  } else straight(own - 2, own - 1)
  const size = x.length
  const tangentX = new Float64Array(size)
  const tangentY = new Float64Array(size)
  for (let k = 0; k < size; k++) {
    const a = Math.max(0, k - 1)
    const b = Math.min(size - 1, k + 1)
    const dx = x[b]! - x[a]!
    const dy = y[b]! - y[a]!
    const way = Math.hypot(dx, dy)
    tangentX[k] = dx / way
    tangentY[k] = dy / way
  }
  return {
    x: Float64Array.from(x),
    y: Float64Array.from(y),
    distance: Float64Array.from(distance),
    tangentX,
    tangentY,
    bend: bendAlong(row, along, closed, distance),
    length
  }
}

/** The vertex nearest to a point among those `from` to `to` (exclusive). */
export const nearestVertex = (
  line: ReferenceLine,
  x: number,
  y: number,
  from: number,
  to: number
): number => {
  let best = from
  let least = Number.POSITIVE_INFINITY
  for (let k = from; k < to; k++) {
    const dx = x - line.x[k]!
    const dy = y - line.y[k]!
    const square = dx * dx + dy * dy
    if (square < least) {
      least = square
      best = k
    }
  }
  return best
}

/**
 * The place of a point near a vertex: where the line's normal meets the point. Normals turn evenly from vertex to
 * vertex, so the place also moves steadily for a car beside the line. The foot of the perpendicular on the chords would
 * stand still at each vertex outside a bend, and jump inside of it.
 */
export const project = (line: ReferenceLine, x: number, y: number, near: number, into: Projection): void => {
  const last = line.x.length - 1
  const ahead = (k: number) => (x - line.x[k]!) * line.tangentX[k]! + (y - line.y[k]!) * line.tangentY[k]!
  let k = Math.min(near, last - 1)
  // The nearest vertex begins or ends the piece; a tight bend may need another step.
  for (let tries = 0; tries < 3 && k > 0 && ahead(k) < 0; tries++) k--
  for (let tries = 0; tries < 3 && k < last - 1 && ahead(k + 1) >= 0; tries++) k++
  const here = ahead(k)
  const there = ahead(k + 1)
  const share = here - there > 1e-9 ? Math.min(1.5, Math.max(-0.5, here / (here - there))) : 0
  const px = line.x[k]! + share * (line.x[k + 1]! - line.x[k]!)
  const py = line.y[k]! + share * (line.y[k + 1]! - line.y[k]!)
  into.distance = line.distance[k]! + share * (line.distance[k + 1]! - line.distance[k]!)
  const left = line.tangentX[k]! * (y - py) - line.tangentY[k]! * (x - px)
  const aside = wayBetween(px, py, x, y)
  into.aside = left < 0 ? -aside : aside
  into.bend = line.bend[share > 0.5 ? k + 1 : k]!
}
