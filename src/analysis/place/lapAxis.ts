/** The times of a lap against distance along the reference's line. */
import { MAX_GAP_S } from "../../domain/lapLimits.ts"
import { lowerBound } from "../../domain/RowBatch.ts"
import type { Fault } from "../faults/fault.ts"
import { hasAbsent } from "../missing.ts"
import { byDriven, byPositions, type Placement } from "./placement.ts"
import type { SourcedLap } from "./projected.ts"
import type { ReferenceLine } from "./referenceLine.ts"
import type { ReportedLap } from "./reportedDistance.ts"
import { byReported } from "./reportedPlacement.ts"
import { orderedStretches, type UnsoundStretch } from "../compare/stretches.ts"

/** A lap's points as knots, before its ends are fixed to the line. */
export interface LapAxis {
  /** m along the line, strictly increasing; from before 0 to past `length` where there are points. */
  readonly distance: Float64Array
  /** Seconds since the lap's start_time. */
  readonly time: Float64Array
  /** m/s. */
  readonly speed: Float64Array
  /** m^2, of the distance. */
  readonly variance: Float64Array
  /** m to the left of the line. */
  readonly aside: Float64Array
  /** The mean squared change of speed in a second, m^2/s^3. */
  readonly unrest: number
  /** The ends of the line, m; without a line, the start and end of the lap's own way. */
  readonly from: number
  readonly to: number
  /**
   * When the positions cross the line (seconds since start_time), if they do; without a line, the lap's start and end.
   */
  readonly crossing: readonly [start: number, end: number]
  /** m from the lap's start. */
  readonly unsound: ReadonlyArray<UnsoundStretch>
  /** Whether the points lead from line to line at all. */
  readonly complete: boolean
  readonly faults: ReadonlyArray<Fault>
}

/** Positions further than this from the line when the lap begins or ends do not show its crossing, m. */
const OFF_LINE_M = 120
/** A lap's clock may differ from its official time by the two packets around it, s; a greater difference is a pause. */
const PAUSE_S = 0.5
/** Nor do positions that cross it this much before or after, s: no feed is so late. */
const OFF_LINE_S = 2
/** Points at one place for longer than this are a stop, which has a start and an end, s. */
const STOP_S = 0.5
/** Half the distance between a stop's start and end, m: almost nothing, but increasing. */
const STOP_M = 2e-7

interface Knots {
  readonly time: Float64Array
  readonly distance: Float64Array
  readonly speed: Float64Array
  readonly variance: Float64Array
  readonly aside: Float64Array
}

/**
 * Knots that never go back: the isotonic regression of distance over time (pool adjacent violators; Barlow et al.
 * 1972), so that a spike forward has no more effect than one back. A pool that lasts is a stop and keeps its two times.
 */
const monotone = (placed: Placement): Knots => {
  const known = hasAbsent(placed.distance)
    ? Int32Array.from(placed.distance.keys()).filter((i) => !Number.isNaN(placed.distance[i]!))
    : undefined
  const column = (values: Float64Array) =>
    known === undefined ? values : Float64Array.from(known, (i) => values[i]!)
  const [time, distance, speed] = [column(placed.time), column(placed.distance), column(placed.speed)]
  const [variance, aside] = [column(placed.variance), column(placed.aside)]
  const size = time.length
  let rising = true
  for (let i = 1; i < size && rising; i++) rising = distance[i]! - distance[i - 1]! > 3 * STOP_M
  if (rising) return { time, distance, speed, variance, aside }
  const sum = new Float64Array(size)
  const first = new Int32Array(size + 1)
  let pools = 0
  for (let i = 0; i < size; i++) {
    sum[pools] = distance[i]!
    first[pools] = i
    pools++
    first[pools] = i + 1
    while (
      pools > 1 &&
      sum[pools - 2]! / (first[pools - 1]! - first[pools - 2]!) >=
        sum[pools - 1]! / (first[pools]! - first[pools - 1]!) - 3 * STOP_M
    ) {
      sum[pools - 2] = sum[pools - 2]! + sum[pools - 1]!
      first[pools - 1] = first[pools]!
      pools--
    }
  }
  const knots = {
    time: new Float64Array(2 * pools),
    distance: new Float64Array(2 * pools),
    speed: new Float64Array(2 * pools),
    variance: new Float64Array(2 * pools),
    aside: new Float64Array(2 * pools)
  }
  let count = 0
  const add = (when: number, at: number, v: number, member: number): void => {
    knots.time[count] = when
    knots.distance[count] = at
    knots.speed[count] = v
    knots.variance[count] = variance[member]!
    knots.aside[count] = aside[member]!
    count++
  }
  for (let p = 0; p < pools; p++) {
    const members = first[p + 1]! - first[p]!
    const at = sum[p]! / members
    const begin = first[p]!
    const end = first[p + 1]! - 1
    if (time[end]! - time[begin]! > STOP_S) {
      add(time[begin]!, at - STOP_M, 0, begin)
      add(time[end]!, at + STOP_M, 0, end)
    } else {
      let when = 0
      let v = 0
      for (let i = begin; i <= end; i++) {
        when += time[i]!
        v += speed[i]!
      }
      add(when / members, at, v / members, (begin + end) >> 1)
    }
  }
  return {
    time: knots.time.subarray(0, count),
    distance: knots.distance.subarray(0, count),
    speed: knots.speed.subarray(0, count),
    variance: knots.variance.subarray(0, count),
    aside: knots.aside.subarray(0, count)
  }
}

/** The first index from 1 whose value is not below `at`, or the last. */
const after = (xs: Float64Array, at: number): number => lowerBound(xs, at, 1, xs.length - 1)

/**
 * Seconds at a distance: the cubic Hermite between the knots around it. Its slopes are their speeds (the pace of the
 * knots, divided by speed), kept within Fritsch and Carlson's bound, so that time never goes back. Past the ends the
 * speed there continues.
 */
export const timeAt = (
  { distance, speed, time }: Pick<Knots, "distance" | "speed" | "time">,
  at: number,
  k: number = after(distance, at)
): number => {
  if (distance.length < 2) return 0
  const j = k - 1
  const way = distance[k]! - distance[j]!
  const rise = time[k]! - time[j]!
  const f = (at - distance[j]!) / way
  const mean = (speed[j]! + speed[k]!) / 2
  const left = speed[j]! > 0 ? Math.min(3, mean / speed[j]!) : 1
  const right = speed[k]! > 0 ? Math.min(3, mean / speed[k]!) : 1
  if (f < 0) return time[j]! + f * rise * left
  if (f > 1) return time[k]! + (f - 1) * rise * right
  return time[j]! + rise * f * (left + f * (3 - 2 * left - right + f * (left + right - 2)))
}

/** m at a time; between knots the speed changes linearly, past the ends it continues. */
const distanceAt = ({ distance, speed, time }: Knots, when: number): number => {
  if (distance.length < 2) return 0
  const k = after(time, when)
  const j = k - 1
  if (when < time[j]!) return distance[j]! + (when - time[j]!) * speed[j]!
  if (when > time[k]!) return distance[k]! + (when - time[k]!) * speed[k]!
  const f = (when - time[j]!) / (time[k]! - time[j]!)
  const mean = (speed[j]! + speed[k]!) / 2
  const left = mean > 0 ? speed[j]! / mean : 1
  return distance[j]! + (distance[k]! - distance[j]!) * f * (left + f * (1 - left))
}

const metres = (value: number) => `${Math.round(Math.abs(value))} m`

/** The places that a simulator sends for a lap, on a line of that length, m. */
export interface ReportedOnLine {
  readonly lap: ReportedLap
  readonly length: number
}

/** Places a lap by its simulator's distance, else on the line, else, without a line, by its own integrated distance. */
export const lapAxis = (
  lap: SourcedLap,
  line: ReferenceLine | undefined,
  reported: ReportedOnLine | undefined
): LapAxis => {
  const duration = lap.lap.endTime - lap.lap.startTime
  const placedBy = reported === undefined ? "positions" : "lap_distance"
  const byThese = line === undefined ? byDriven(lap) : byPositions(lap, line)
  const placed = reported === undefined ? byThese : byReported(lap, reported.lap, byThese.faults)
  const knots = monotone(placed)
  const start = distanceAt(knots, 0)
  const end = distanceAt(knots, duration)
  const to = reported?.length ?? line?.length ?? end
  const from = reported === undefined && line === undefined ? start : 0
  const crossesAt = knots.time.length > 1 ? timeAt(knots, from) : Number.NaN
  const crossesAgain = knots.time.length > 1 ? timeAt(knots, to) : Number.NaN
  const begins = Math.abs(start - from) < OFF_LINE_M && Math.abs(crossesAt) < OFF_LINE_S
  const ends = Math.abs(end - to) < OFF_LINE_M && Math.abs(crossesAgain - duration) < OFF_LINE_S
  const { distance, time } = knots
  const last = time.length - 1
  const unsound: Array<UnsoundStretch> = []
  const add = (begin: number, until: number, reason: string, lacks: UnsoundStretch["lacks"]): void => {
    unsound.push({ from: begin - from, to: until - from, reason, lacks })
  }
  const official = lap.lap.lapTime
  const whole =
    last < 1
      ? "it has no points on the reference's line"
      : !begins
        ? `its ${placedBy} ${reported === undefined ? "begin" : "begins"} ${metres(start - from)} from the line`
        : !ends
          ? `its ${placedBy} ${reported === undefined ? "end" : "ends"} ${metres(end - to)} from the line`
          : official !== null && Math.abs(duration - official) > PAUSE_S
            ? `its points span ${duration.toFixed(3)} s, its lap time is ${official.toFixed(3)} s`
            : undefined
  if (whole !== undefined) add(from, to, whole, "lap")
  const hole = (a: number, b: number, ad: number, bd: number): void => {
    const missing = Math.min(b, duration) - Math.max(a, 0)
    if (missing > MAX_GAP_S && bd - ad > 3 * STOP_M) {
      add(Math.max(from, ad), Math.min(to, bd), `it has no points for ${missing.toFixed(2)} s`, "points")
    }
  }
  if (last >= 0) hole(0, time[0]!, from, distance[0]!)
  for (let k = 1; k <= last; k++) hole(time[k - 1]!, time[k]!, distance[k - 1]!, distance[k]!)
  if (last >= 0) hole(time[last]!, duration, distance[last]!, to)
  for (const one of placed.unsound) {
    if (one.to <= 0 || one.from >= duration || last < 1) continue
    add(distanceAt(knots, one.from), distanceAt(knots, one.to), one.reason, one.lacks)
  }
  return {
    ...knots,
    unrest: placed.unrest,
    from,
    to,
    crossing: [begins ? crossesAt : 0, ends ? crossesAgain : duration],
    unsound: orderedStretches(unsound, to - from),
    complete: whole === undefined,
    faults: placed.faults
  }
}
