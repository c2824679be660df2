/**
 * Points over a longer time than the feed keeps: from the store, thinned to about one for each pixel, and then from the feed
 * at the same spacing.
 */
import { api } from "../api.ts"
import type { Point } from "../types.ts"
import { columns, type LivePoint, Ring, take, unknownPoint } from "./Ring.ts"
import { Stint } from "./Stint.ts"

/** Points that are loaded for a stretch: some for each pixel of a strip. */
const LOADED = 2000
/** Points that are kept: the loaded ones, and as many live ones after them. */
const KEPT = 2 * LOADED
/** Thins a session to its ends: only its bounds and number of points are needed. */
const ENDS_ONLY = 1_000_000

export interface Bounds {
  /** Of the session's first and last point. */
  readonly start: number
  readonly end: number
  /** Points a second. */
  readonly rate: number
}

export class TraceHistory {
  readonly ring = new Ring(KEPT, columns)
  readonly stint = new Stint()
  readonly bounds: Bounds
  readonly #spacing: number

  constructor(points: ReadonlyArray<Point>, bounds: Bounds, seconds: number) {
    this.bounds = bounds
    this.#spacing = seconds / LOADED
    for (const point of points) this.#keep(take(point, unknownPoint()))
  }

  /** Takes a live point, if it is far enough from the last one. */
  push(point: Readonly<LivePoint>): void {
    if (point.timestamp - this.latest >= this.#spacing) this.#keep(point)
  }

  /** Takes what the feed has had since, until `to`: the store is a second behind it, or more. */
  catchUp(feed: Ring, to = Number.POSITIVE_INFINITY): void {
    for (let k = feed.from(this.latest); k < feed.length && feed.at("timestamp", k) <= to; k++) {
      this.push(feed.pointAt(k))
    }
  }

  /** The time of the newest point; -Infinity for none. */
  get latest(): number {
    const { length } = this.ring
    return length === 0 ? Number.NEGATIVE_INFINITY : this.ring.at("timestamp", length - 1)
  }

  /** Live points have pushed out loaded ones: a stretch of growing length is to be loaded again. */
  get isFull(): boolean {
    return this.ring.length === this.ring.capacity
  }

  #keep(point: Readonly<LivePoint>): void {
    this.ring.push(point)
    this.stint.read(point.timestamp, point.speed)
  }
}

/** Loads `seconds` that end at `to`; left out, the end of the session; Infinity is all of it. Undefined for no points. */
export const loadHistory = async (
  sessionId: number,
  seconds: number,
  to?: number
): Promise<TraceHistory | undefined> => {
  const ends = await api.range(sessionId, undefined, ENDS_ONLY)
  if (ends.start_time === null || ends.end_time === null) return undefined
  const [start, end] = [ends.start_time, ends.end_time]
  const bounds = { start, end, rate: ends.total_points / Math.max(1, end - start) }
  const last = Math.min(to ?? end, end)
  const first = Math.max(start, last - seconds)
  const length = Math.max(1, last - first)
  const stride = Math.max(1, Math.ceil((bounds.rate * length) / LOADED))
  const { points } = await api.range(sessionId, first, stride, to === undefined ? undefined : last)
  return new TraceHistory(points, bounds, length)
}
