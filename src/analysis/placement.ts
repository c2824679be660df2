/** Where each point of a lap lies along a line, point by point. */
import { lowerBound } from "../domain/PointBatch.ts"
import { type Disagreement, judge, toldBy } from "./agreement.ts"
import type { LapData } from "./alignment.ts"
import { betweenHoles, type Fault, type FaultSource } from "./faults/fault.ts"
import type { Sources } from "./faults/sources.ts"
import { usableSpeed } from "./faults/usableSpeed.ts"
import { type Drive, fuse, unrest } from "./fusion.ts"
import { nearestVertex, project, type Projection, type ReferenceLine } from "./referenceLine.ts"

/** A lap with its sources judged. */
export interface SourcedLap extends LapData {
  readonly sources: Sources
}

/** A stretch of time that is not to be relied on, s since the lap began. */
export interface Unsound {
  readonly from: number
  readonly to: number
  readonly reason: string
  readonly lacks: FaultSource
}

/**
 * Points of a lap that found their place: seconds since the lap began, m along the line, and the speed, m/s.
 */
export interface Placement {
  readonly time: Float64Array
  readonly distance: Float64Array
  readonly speed: Float64Array
  /** m to the left of the line. */
  readonly aside: Float64Array
  /** m^2, of `distance`. */
  readonly variance: Float64Array
  /** The mean squared change of speed in a second, m^2/s^3. */
  readonly unrest: number
  readonly faults: ReadonlyArray<Fault>
  readonly unsound: ReadonlyArray<Unsound>
}

/** Positions may step back this far without being elsewhere, and be ahead of what the speed allows, m. */
const SLACK_M = 40
/** The first point is looked for this far around where it should be, m: F1's positions are up to 1 s late. */
const FIRST_M = 160
/** Farther aside than any pit lane runs from its straight, m: not on this road. */
const LOST_M = 60
/** Wider is no road, m: where cars so far apart are abreast is anybody's guess. */
const ASIDE_M = 25
/** Positions so far apart say little of how the car moved across the road, s. */
const ACROSS_S = 0.4
/** A car that goes along the line by less than this share of its way has spun, or the line is not its own. */
const MIN_ALONG = 0.5
/** Inside of a bend the line's own metres shrink; by more than this share nobody drives. */
const MIN_SHRINK = 0.5

/** Distance by the car's own speed at each point, trapezoids, m. */
const odometer = (t: Float64Array, speed: Float64Array): Float64Array => {
  const result = new Float64Array(t.length)
  for (let i = 1; i < t.length; i++) {
    result[i] = result[i - 1]! + ((speed[i - 1]! + speed[i]!) / 2) * (t[i]! - t[i - 1]!)
  }
  return result
}

const since = ({ lap }: LapData, t: Float64Array): Float64Array => t.map((time) => time - lap.start_time)

const unsoundBy = ({ lap }: LapData, faults: ReadonlyArray<Fault>): ReadonlyArray<Unsound> =>
  faults.map(({ from, source, to, what }) => ({
    from: from - lap.start_time,
    to: to - lap.start_time,
    reason: `its ${what}`,
    lacks: source
  }))

/** For feeds without positions: distance integrated from speed. */
export const byDriven = (lap: SourcedLap): Placement => {
  const { sources } = lap
  const speed = usableSpeed(sources)
  return {
    time: since(lap, sources.t),
    distance: odometer(sources.t, speed),
    speed,
    aside: new Float64Array(speed.length),
    variance: new Float64Array(speed.length),
    unrest: unrest(sources.t, speed),
    faults: sources.faults,
    unsound: unsoundBy(lap, sources.faults)
  }
}

/** What was found of the points by their positions alone; rows of those that are kept. */
interface Rows {
  /** Of the points. */
  readonly index: Int32Array
  /** m along the line; NaN where the position is wrong. */
  readonly place: Float64Array
  readonly aside: Float64Array
  /** 1/m, of the line there. */
  readonly bend: Float64Array
  readonly count: number
  readonly unsound: Array<Unsound>
}

/** Each point's place on the line, looked for in a window that moves forward with the car. */
const projected = (lap: SourcedLap, line: ReferenceLine, speed: Float64Array): Rows => {
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
  /** The last point whose place is known, its place, and since when the car was far from the line. */
  let last = -1
  let at = 0
  let lostAt = Number.NaN
  for (let i = 0; i < t.length; i++) {
    if (placeWrong[i] === 1) {
      // Neither source tells anything of such a point.
      if (speedWrong[i] === 1 && lap.sources.hasSpeed) continue
      index[count] = i
      place[count] = Number.NaN
      count++
      continue
    }
    let to = vertices
    if (last < 0) {
      // Near the line if the lap is a whole one; anywhere if it is not.
      const ahead = Math.max(0, lap.lap.start_time - t[i]!) * speed[i]!
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
      // Off the road, or lost: wait; the window grows with the time since the last place.
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
  from: from - lap.start_time,
  to: to - lap.start_time,
  reason: `its positions leave the reference's line by more than ${LOST_M} m`,
  lacks: "points"
})

/** Values that are not known (`place` is NaN there) by those beside them. */
const filled = (values: Float64Array, place: Float64Array): Float64Array => {
  const count = place.length
  const result = values.subarray(0, count)
  for (let i = 0; i < count; i++) {
    if (!Number.isNaN(place[i]!)) continue
    let after = i
    while (after < count && Number.isNaN(place[after]!)) after++
    const [left, right] = [result[i - 1] ?? result[after] ?? 0, result[after] ?? result[i - 1] ?? 0]
    for (let k = i; k < after; k++) result[k] = left + ((right - left) * (k - i + 1)) / (after - i + 1)
    i = after
  }
  return result
}

/**
 * Metres that the speed drives along the line: a car inside of a bend passes more of the line's metres than its own, one that
 * goes across the road fewer. For a lane at the side `d` of a line of curvature `k`, ds = v cos(psi) / (1 - k d) dt.
 */
const drivenAlong = (
  time: Float64Array,
  speed: Float64Array,
  aside: Float64Array,
  bend: Float64Array
): Float64Array => {
  const driven = new Float64Array(time.length)
  const own = odometer(time, speed)
  for (let i = 1, back = 0; i < time.length; i++) {
    while (back < i - 1 && time[i]! - time[back + 1]! >= ACROSS_S) back++
    const way = own[i]! - own[back]!
    const across = way > 0 ? (aside[i]! - aside[back]!) / way : 0
    const along = across * across < 1 ? Math.max(MIN_ALONG, Math.sqrt(1 - across * across)) : MIN_ALONG
    const inside = (bend[i]! * aside[i]! + bend[i - 1]! * aside[i - 1]!) / 2
    const shrink = 1 - Math.min(MIN_SHRINK, Math.max(-MIN_SHRINK, inside))
    driven[i] = driven[i - 1]! + ((own[i]! - own[i - 1]!) * along) / shrink
  }
  return driven
}

/** Stretches of over ASIDE_M from the line. */
const wide = (time: Float64Array, aside: Float64Array): ReadonlyArray<Unsound> => {
  const found: Array<Unsound> = []
  for (let i = 0; i < time.length; i++) {
    if (!(Math.abs(aside[i]!) > ASIDE_M)) continue
    let to = i
    while (to + 1 < time.length && Math.abs(aside[to + 1]!) > ASIDE_M) to++
    found.push({
      from: time[Math.max(0, i - 1)]!,
      to: time[Math.min(time.length - 1, to + 1)]!,
      reason: `its positions are over ${ASIDE_M} m from the reference's line`,
      lacks: "positions"
    })
    i = to
  }
  return found
}

/** The sources with what their disagreement shows to be wrong. */
const blamed = (
  sources: Sources,
  time: Float64Array,
  kept: Int32Array,
  found: ReadonlyArray<Disagreement>
): Sources => {
  const placeWrong = sources.placeWrong.slice()
  const speedWrong = sources.speedWrong.slice()
  for (const { blame, from, to } of found) {
    for (let k = lowerBound(time, from); k < time.length && time[k]! <= to; k++) {
      if (blame === "positions" || blame === "points") placeWrong[kept[k]!] = 1
      if (blame !== "positions") speedWrong[kept[k]!] = 1
    }
  }
  return { ...sources, placeWrong, speedWrong }
}

const faultBy = ({ blame, from, open, shift, to }: Disagreement, t: Float64Array, start: number): Fault => {
  const metres = Math.abs(shift)
  const fault = {
    source: blame,
    from: start + from,
    to: start + to,
    what: `positions and speed disagree by ${metres.toFixed(0)} m`,
    doubt: 0
  }
  if (!open) return fault
  const [first, last] = betweenHoles(t, Math.min(t.length - 1, lowerBound(t, fault.from)))
  return { ...fault, from: t[first]!, to: Math.max(fault.to, t[last]!), doubt: metres }
}

/** Where nobody knows which of the places are wrong, all may be. */
const doubted = (
  variance: Float64Array,
  time: Float64Array,
  start: number,
  faults: ReadonlyArray<Fault>
): Float64Array => {
  const doubts = faults.filter(({ doubt }) => doubt > 0)
  if (doubts.length === 0) return variance
  return variance.map((one, i) =>
    doubts.reduce(
      (sum, { doubt, from, to }) =>
        time[i]! >= from - start && time[i]! <= to - start ? sum + doubt * doubt : sum,
      one
    )
  )
}

/** The points' places on a line, by both sources where they agree, else by the one that is sound. */
export const byPositions = (lap: SourcedLap, line: ReferenceLine): Placement => {
  const start = lap.lap.start_time
  const usable = usableSpeed(lap.sources)
  const rows = projected(lap, line, usable)
  const kept = rows.index.subarray(0, rows.count)
  const time = new Float64Array(rows.count)
  for (let k = 0; k < rows.count; k++) time[k] = lap.sources.t[kept[k]!]! - start
  const place = rows.place.slice(0, rows.count)
  const aside = filled(rows.aside, place)
  const bend = filled(rows.bend, place)
  const drive = (sources: Sources, speeds: Float64Array): Drive => {
    const speed = new Float64Array(rows.count)
    const speedWrong = new Uint8Array(rows.count)
    for (let k = 0; k < rows.count; k++) {
      const i = kept[k]!
      speed[k] = speeds[i]!
      speedWrong[k] = sources.speedWrong[i]!
      if (sources.placeWrong[i] === 1) place[k] = Number.NaN
    }
    const driven = drivenAlong(time, speed, aside, bend)
    return { time, place, driven, speed, speedWrong, unrest: unrest(time, speed) }
  }
  const toldOf = (one: Drive) => {
    const told = lap.sources.hasSpeed ? toldBy(time, place, one.driven, one.speed) : undefined
    return told && { ...told, ...judge({ ...one, offset: told.offset }) }
  }
  let driven = drive(lap.sources, usable)
  let told = toldOf(driven)
  const found = told?.found ?? []
  if (found.length > 0) {
    const sources = blamed(lap.sources, time, kept, found)
    driven = drive(sources, usableSpeed(sources))
    told = toldOf(driven)
  }
  const faults = [...lap.sources.faults, ...found.map((one) => faultBy(one, lap.sources.t, start))]
  const { distance, variance } = fuse(driven, told)
  return {
    distance,
    variance: doubted(variance, time, start, faults),
    time,
    speed: driven.speed,
    aside,
    unrest: driven.unrest,
    faults,
    unsound: [...unsoundBy(lap, faults), ...rows.unsound, ...wide(time, aside)]
  }
}
