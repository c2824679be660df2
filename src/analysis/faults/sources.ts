/** The two sources of a lap's way over time, its positions and its speed, and the faults found in them. */
import type { PointBatch } from "../../domain/RowBatch.ts"
import { hasPositions, hasSpeed } from "../place/tells.ts"
import type { Fault } from "./fault.ts"

export interface Sources {
  /** Epoch s, increasing. */
  readonly t: Float64Array
  /** m. */
  readonly x: Float64Array
  readonly y: Float64Array
  /** m/s, 0 or more. */
  readonly v: Float64Array
  readonly rpm: Float64Array
  readonly hasPositions: boolean
  readonly hasSpeed: boolean
  /** 1 where the point's position, or speed, cannot be believed. */
  readonly placeWrong: Uint8Array
  readonly speedWrong: Uint8Array
  readonly faults: Array<Fault>
}

/** The flags of a batch before any check. An absent value cannot be used, but is no fault. */
export const unjudged = (points: PointBatch): Sources => {
  const size = points.length
  const x = points.column("position_x")
  const y = points.column("position_y")
  const v = points.column("speed").map((speed) => Math.max(0, speed) / 3.6)
  const placeWrong = new Uint8Array(size)
  const speedWrong = new Uint8Array(size)
  for (let i = 0; i < size; i++) {
    if (Number.isNaN(x[i]! + y[i]!)) placeWrong[i] = 1
    if (Number.isNaN(v[i]!)) speedWrong[i] = 1
  }
  return {
    t: points.timestamps,
    x,
    y,
    v,
    rpm: points.column("rpm"),
    hasPositions: hasPositions(points),
    hasSpeed: hasSpeed(points),
    placeWrong,
    speedWrong,
    faults: []
  }
}
