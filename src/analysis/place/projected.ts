/** The places of a lap's points along a line, by their positions alone. */
import { lowerBound } from "../../domain/RowBatch.ts"
import type { LapData } from "./alignment.ts"
import type { FaultSource } from "../faults/fault.ts"
import type { Sources } from "../faults/sources.ts"
import { nearestVertex, project, type Projection, type ReferenceLine } from "./referenceLine.ts"

/** A lap with its sources judged. */
export interface SourcedLap extends LapData {
  readonly sources: Sources
  /** s: of the points' times, by a noisy clock. */
  readonly clockDeviation: number
}

/** An unreliable stretch of time, s since the lap began. */
export interface Unsound {
  readonly from: number
  readonly to: number
  readonly reason: string
  readonly lacks: FaultSource
}

/**
 * Positions that are not displaced may step back this far, m, and may be this far ahead of the place that the speed
 * allows.
 */
const SLACK_M = 40
/** The first point is searched this far around its expected place, m: F1's positions are up to 1 s late. */
const FIRST_M = 160
/** Further aside than any pit lane is from its straight, m: the car is not on this road. */
const LOST_M = 60
/** Places of the points by their positions alone, in rows for the points that are kept. */
export interface KeptRows {
  /** The index of each point. */
  readonly index: Int32Array
  /** m along the line; NaN where the position is wrong. */
  readonly place: Float64Array
  readonly aside: Float64Array
  /** The bend of the line there, 1/m. */
  readonly bend: Float64Array
  readonly count: number
  readonly unsound: Array<Unsound>
}

/** Each point's place on the line, searched in a window that moves forward with the car. */
export const projected = (lap: SourcedLap, line: ReferenceLine, speed: Float64Array): KeptRows => {
  const { placeWrong, speedWrong, t, x, y } = lap.sources
  const vertices = line.x.length
  const found: Projection = { distance: 0, aside: 0, bend: 0 }
  const index = new Int32Array(t.length)
  const place = new Float64Array(t.length)
  const aside = new Float64Array(t.length)
  const bend = new Float64Array(t.length)
  const unsound: Array<Unsound> = []
  let count = 0
  let from = 0
  /** The last point with a known place, its place, and the time since which the car was far from the line. */
  let last = -1
  let at = 0
  let lostAt = Number.NaN
  for (let i = 0; i < t.length; i++) {
    if (placeWrong[i] === 1) {
      // Neither source is usable at such a point.
      if (speedWrong[i] === 1 && lap.sources.hasSpeed) continue
      index[count] = i
      place[count] = Number.NaN
      count++
      continue
    }
    let to = vertices
    if (last < 0) {
      // Near the line if the lap is whole; otherwise anywhere.
      const ahead = Math.max(0, lap.lap.startTime - t[i]!) * speed[i]!
      to = lowerBound(line.distance, FIRST_M - ahead)
      const vertex = nearestVertex(line, x[i]!, y[i]!, 0, to)
      if (Math.hypot(x[i]! - line.x[vertex]!, y[i]! - line.y[vertex]!) > LOST_M) to = vertices
    } else {
      const driven = Math.max(speed[i]!, speed[last]!) * (t[i]! - t[last]!)
      while (from < vertices - 2 && line.distance[from + 1]! < at - SLACK_M) from++
      while (from > 0 && line.distance[from]! > at - SLACK_M) from--
      to = from + 1
      // One vertex more than the window: F1's are 20 m apart.
      while (to < vertices - 1 && line.distance[to]! <= at + driven * 1.5 + SLACK_M) to++
      to++
    }
    project(line, x[i]!, y[i]!, nearestVertex(line, x[i]!, y[i]!, from, to), found)
    if (Math.abs(found.aside) > LOST_M) {
      // Off the road, or lost: the search goes on, and its window grows with the time since the last known place.
      if (Number.isNaN(lostAt)) lostAt = last < 0 ? t[0]! : t[last]!
      continue
    }
    if (!Number.isNaN(lostAt)) {
      unsound.push(lost(lap, lostAt, t[i]!))
      lostAt = Number.NaN
    }
    index[count] = i
    place[count] = found.distance
    aside[count] = found.aside
    bend[count] = found.bend
    count++
    last = i
    at = found.distance
  }
  if (!Number.isNaN(lostAt)) unsound.push(lost(lap, lostAt, t[t.length - 1]!))
  return { index, place, aside, bend, count, unsound }
}

const lost = ({ lap }: LapData, from: number, to: number): Unsound => ({
  from: from - lap.startTime,
  to: to - lap.startTime,
  reason: `its positions leave the reference's line by more than ${LOST_M} m`,
  lacks: "points"
})
