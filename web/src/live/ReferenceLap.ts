/**
 * A lap as a line to drive along: finds the place of a position on it, and when the lap was there. It is for a delta while
 * driving; the service's analysis, which has the whole lap, compares laps more exactly.
 */
import { TopRpm } from "./TopRpm.ts"
import type { Lap, Point } from "../types.ts"

/** Nearer points give no direction at a feed's noise. */
const MIN_STEP_M = 1
/** How far beyond the last place the next one is searched, m: farther than a car gets between two points. */
const WINDOW_M = 150
/** Points before the last place that are searched too, because positions scatter. */
const BACK = 5
/** A car farther from the line than this is not on it: it is in the pits, or on another circuit. */
const ASTRAY_M = 60

export class ReferenceLap {
  readonly lapTime: number
  readonly length: number
  /** Metres, and seconds and metres from the line, at each of the line's points. */
  readonly x: Float64Array
  readonly y: Float64Array
  readonly time: Float64Array
  readonly way: Float64Array
  /** The highest revolutions, for the scale of a gauge. */
  readonly topRpm: number
  /** When the lap ended its first and second sector, s from the line; empty if unknown. */
  readonly sectorEnds: ReadonlyArray<number>

  constructor(points: ReadonlyArray<Point>, { lap_time, sector1_time: s1, sector2_time: s2 }: DrivenLap) {
    const lapTime = lap_time ?? Number.NaN
    const kept: Array<Placed> = []
    for (const point of points) {
      if (!isPlaced(point)) continue
      const last = kept.at(-1)
      const far = last === undefined ? Number.POSITIVE_INFINITY : apart(last, point)
      if (far >= MIN_STEP_M) kept.push(point)
    }
    const first = points[0]?.timestamp ?? 0
    const span = (points.at(-1)?.timestamp ?? 0) - first
    // The first point lies up to an interval behind the line, the last as far before it: half of the missing part each.
    const early = Math.max(0, (lapTime - span) / 2)
    this.lapTime = lapTime
    this.sectorEnds = s1 === null || s2 === null ? [] : [s1, s1 + s2]
    this.x = Float64Array.from(kept, (point) => point.position_x)
    this.y = Float64Array.from(kept, (point) => point.position_y)
    this.time = Float64Array.from(kept, (point) => point.timestamp - first + early)
    this.way = new Float64Array(kept.length)
    for (let k = 1; k < kept.length; k++) this.way[k] = this.way[k - 1]! + apart(kept[k - 1]!, kept[k]!)
    this.length = this.way.at(-1) ?? 0
    const top = new TopRpm()
    for (const { rpm } of points) top.read(rpm ?? Number.NaN)
    this.topRpm = top.value
  }

  get usable(): boolean {
    return this.x.length > 20 && this.length > 100
  }

  /**
   * The place of a position, as an index with a fraction; NaN where it is not on the line. `from`: the last place, or
   * NaN to look everywhere.
   */
  locate(px: number, py: number, from: number): number {
    const n = this.x.length
    const everywhere = Number.isNaN(from)
    let best = Number.NaN
    let least = ASTRAY_M * ASTRAY_M
    const start = everywhere ? 0 : Math.floor(from)
    for (let step = 0, ahead = 0; step < n && ahead < WINDOW_M + 20; step++) {
      // From a little before the last place, and over the line.
      const k = (start + step - (everywhere ? 0 : BACK) + n) % n
      const next = (k + 1) % n
      const dx = this.x[next]! - this.x[k]!
      const dy = this.y[next]! - this.y[k]!
      const square = dx * dx + dy * dy
      if (!everywhere) ahead += Math.sqrt(square)
      const share =
        square === 0
          ? 0
          : Math.min(1, Math.max(0, ((px - this.x[k]!) * dx + (py - this.y[k]!) * dy) / square))
      const ax = this.x[k]! + share * dx - px
      const ay = this.y[k]! + share * dy - py
      const off = ax * ax + ay * ay
      if (off < least) {
        least = off
        best = k + share
      }
    }
    return best >= n ? 0 : best
  }

  /** Seconds from the line at a place. */
  timeAt(place: number): number {
    const k = Math.floor(place)
    const from = this.time[k]!
    const to = k + 1 < this.time.length ? this.time[k + 1]! : this.lapTime
    return from + (to - from) * (place - k)
  }
}

export type DrivenLap = Pick<Lap, "lap_time" | "sector1_time" | "sector2_time">

type Placed = Point & { readonly position_x: number; readonly position_y: number }

const isPlaced = (point: Point): point is Placed => point.position_x !== null && point.position_y !== null

const apart = (a: Placed, b: Placed) => Math.hypot(a.position_x - b.position_x, a.position_y - b.position_y)
