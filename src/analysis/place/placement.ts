/** The place of each point of a lap along a line. */
import { lowerBound } from "../../domain/RowBatch.ts"
import { type Disagreement, judge } from "./agreement.ts"
import type { LapData } from "./alignment.ts"
import { betweenHoles, type Fault } from "../faults/fault.ts"
import type { Sources } from "../faults/sources.ts"
import { usableSpeed } from "../faults/usableSpeed.ts"
import { type Drive, fuse, unrest } from "./fusion.ts"
import { isOwnLine } from "./ownWay.ts"
import { reportedBy } from "./reportedWay.ts"
import { projected, type SourcedLap, type Unsound } from "./projected.ts"
import type { ReferenceLine } from "./referenceLine.ts"

/** Points of a lap whose place was found: seconds since the lap began, m along the line, and the speed, m/s. */
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

/** No road is wider, m: for cars so far apart, "abreast" has no clear meaning. */
const ASIDE_M = 25
/** Positions so far apart show little about movement across the road, s. */
const ACROSS_S = 0.4
/** A car that advances along the line by less than this share of its way has spun, or follows another line. */
const MIN_ALONG = 0.5
/** Inside of a bend the line's metres shrink; no car is so far inside that they shrink by more than this share. */
const MIN_SHRINK = 0.5

/** Distance by the car's own speed at each point, trapezoids, m. */
export const odometer = (t: Float64Array, speed: Float64Array): Float64Array => {
  const result = new Float64Array(t.length)
  for (let i = 1; i < t.length; i++) {
    result[i] = result[i - 1]! + ((speed[i - 1]! + speed[i]!) / 2) * (t[i]! - t[i - 1]!)
  }
  return result
}

export const since = ({ lap }: LapData, t: Float64Array): Float64Array =>
  t.map((time) => time - lap.startTime)

export const unsoundBy = ({ lap }: LapData, faults: ReadonlyArray<Fault>): ReadonlyArray<Unsound> =>
  faults.map(({ from, source, to, what }) => ({
    from: from - lap.startTime,
    to: to - lap.startTime,
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

/** Fills unknown values (where `place` is NaN) from those beside them. */
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
 * Metres along the line that the car drives by its speed. On the inside of a bend it passes more of the line's metres
 * than its own; a car that goes across the road passes fewer. For a lane at the side `d` of a line of curvature `k`:
 * ds = v cos(psi) / (1 - k d) dt.
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

/** Stretches further than ASIDE_M from the line. */
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

/** The sources, marked with the faults that their disagreement shows. */
export const blamed = (
  sources: Sources,
  time: Float64Array,
  kept: Int32Array,
  found: ReadonlyArray<Disagreement>
): Sources => {
  const placeWrong = sources.placeWrong.slice()
  const speedWrong = sources.speedWrong.slice()
  for (const { blame, from, to } of found) {
    for (let k = lowerBound(time, from); k < time.length && time[k]! <= to; k++) {
      if (blame === "positions" || blame === "distance" || blame === "points") placeWrong[kept[k]!] = 1
      if (blame !== "positions" && blame !== "distance") speedWrong[kept[k]!] = 1
    }
  }
  return { ...sources, placeWrong, speedWrong }
}

/** `placedBy`: the source of places that disagrees with the speed. */
export const faultBy = (
  { blame, from, open, shift, to }: Disagreement,
  t: Float64Array,
  start: number,
  placedBy = "positions"
): Fault => {
  const metres = Math.abs(shift)
  const fault = {
    source: blame,
    from: start + from,
    to: start + to,
    what: `${placedBy} and speed disagree by ${metres.toFixed(0)} m`,
    doubt: 0
  }
  if (!open) return fault
  const [first, last] = betweenHoles(t, Math.min(t.length - 1, lowerBound(t, fault.from)))
  return { ...fault, from: t[first]!, to: Math.max(fault.to, t[last]!), doubt: metres }
}

/** Where it is unknown which of the places are wrong, all may be. */
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

/** The points' places on a line: from both sources where they agree, else from the sound one. */
export const byPositions = (lap: SourcedLap, line: ReferenceLine): Placement => {
  const start = lap.lap.startTime
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
  const reportedOf = (one: Drive) => {
    const reported = lap.sources.hasSpeed ? reportedBy(time, place, one.driven, one.speed) : undefined
    return reported && { ...reported, ...judge({ ...one, offset: reported.offset }) }
  }
  let driven = drive(lap.sources, usable)
  let reported = reportedOf(driven)
  const found = (reported?.found ?? []).filter((one) => !isOwnLine(lap.sources, usable, start, one))
  if (found.length > 0) {
    const sources = blamed(lap.sources, time, kept, found)
    driven = drive(sources, usableSpeed(sources))
    reported = reportedOf(driven)
  }
  const faults = [...lap.sources.faults, ...found.map((one) => faultBy(one, lap.sources.t, start))]
  const { distance, variance } = fuse(driven, reported)
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
