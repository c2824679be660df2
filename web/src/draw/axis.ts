/**
 * The axis of the plots: distance from the line, or time since the line. Both have as many steps as the laps' common grid has
 * nodes. Over time, laps are at different nodes at the same step.
 */
import type { Trace } from "../types.ts"

export interface Axis {
  readonly unit: "m" | "s"
  /** Increasing, from 0. */
  readonly values: ReadonlyArray<number>
  /** For each lap the node at each step, -1 after the end of the lap; undefined: the step itself. */
  readonly nodes: ReadonlyArray<Int32Array> | undefined
  /** The step at which a lap is at a node. */
  readonly stepOf: (lap: number, node: number) => number
}

const same = (_lap: number, node: number) => node

export const overDistance = ([first]: ReadonlyArray<Trace>): Axis => ({
  unit: "m",
  values: first!.distance,
  nodes: undefined,
  stepOf: same
})

/** Below this speed no time is computed from the speed, m/s. */
const MIN_SPEED = 1

/** A column whose gaps are bridged by straight lines, for places on the axis only: gaps are not drawn. */
export const bridged = (column: ReadonlyArray<number | null>): Float64Array => {
  const result = Float64Array.from(column, (value) => value ?? Number.NaN)
  for (let n = 0, before = -1; n <= result.length; n++) {
    if (n < result.length && Number.isNaN(result[n])) continue
    const left = result[before] ?? result[n] ?? 0
    const right = result[n] ?? left
    for (let k = before + 1; k < n; k++) result[k] = left + ((right - left) * (k - before)) / (n - before)
    before = n
  }
  return result
}

/** Seconds since the line at each node of the fastest lap, computed from its speed and scaled to its lap time if there is one. */
const timesOf = ({ distance, speed: reported }: Trace, lapTime: number | null): Float64Array => {
  const times = new Float64Array(distance.length)
  const speed = bridged(reported)
  for (let n = 1; n < times.length; n++) {
    const kmh = (speed[n]! + speed[n - 1]!) / 2
    times[n] = times[n - 1]! + (distance[n]! - distance[n - 1]!) / Math.max(MIN_SPEED, kmh / 3.6)
  }
  const scale = lapTime === null ? 1 : lapTime / times.at(-1)!
  return times.map((time) => time * scale)
}

/** The last node that each of the steps has passed. */
const nodesAt = (steps: ReadonlyArray<number>, times: Float64Array): Int32Array => {
  let node = 0
  const end = times.at(-1)!
  return Int32Array.from(steps, (time) => {
    if (time > end) return -1
    while (node < times.length - 1 && times[node + 1]! <= time) node++
    return node
  })
}

/** For each lap; undefined if the fastest lap reports no speed. */
export const lapTimes = (
  traces: ReadonlyArray<Trace>,
  fastestId: number,
  fastestTime: number | null
): ReadonlyArray<Float64Array> | undefined => {
  const fastest = traces.find(({ lap_id }) => lap_id === fastestId)
  if (fastest === undefined || !fastest.speed.some((kmh) => kmh !== null && kmh > 0)) return undefined
  const base = timesOf(fastest, fastestTime)
  return traces.map(({ time_delta }) => {
    const deltas = bridged(time_delta)
    return base.map((time, n) => time + deltas[n]!)
  })
}

export const overTime = (times: ReadonlyArray<Float64Array>): Axis => {
  const steps = times[0]!.length
  const longest = Math.max(...times.map((of) => of.at(-1)!))
  const values = Array.from({ length: steps }, (_, step) => (longest * step) / (steps - 1))
  const nodes = times.map((of) => nodesAt(values, of))
  return {
    unit: "s",
    values,
    nodes,
    stepOf: (lap, node) => Math.min(steps - 1, Math.round((times[lap]![node]! / longest) * (steps - 1)))
  }
}

/** A lap's column with a value for each step. */
export const along = (
  axis: Axis,
  lap: number,
  column: ReadonlyArray<number | null>
): ReadonlyArray<number | null> =>
  axis.nodes === undefined
    ? column
    : Array.from(axis.nodes[lap]!, (node) => (node < 0 ? null : (column[node] ?? null)))

/** The node of a lap at a step; undefined where the lap has ended. */
export const nodeAt = (axis: Axis, lap: number, step: number): number | undefined => {
  const node = axis.nodes === undefined ? step : axis.nodes[lap]![step]!
  return node < 0 ? undefined : node
}
