/**
 * Channels of other groups at the nodes of a lap's grid: continuous ones linear in time between two samples, angles the
 * shorter way round, steps and flags as of the time.
 *
 * Absent is never a value: a trace is absent before a channel's first sample, and between a sample with a value and one
 * without. After the last sample its value holds. Channels that start over at the line are never interpolated across
 * it.
 */
import type { ChannelKind } from "../../domain/Dictionary.ts"
import type { RecordedLap } from "../../domain/Lap.ts"
import { ABSENT, type RowBatch } from "../../domain/RowBatch.ts"
import type { Alignment, LapData, LapOnGrid } from "../place/alignment.ts"
import { beginsAt } from "../place/beginsAt.ts"

/** Samples of one group around a lap. Traced samples reach from the last before the lap to the first behind it. */
export interface SamplesAround {
  /** "timestamp", and then channels. */
  readonly batch: RowBatch
  /** The kind of each channel. */
  readonly kinds: ReadonlyArray<ChannelKind>
}

/** A lap, with the samples for its traces. */
export interface TracedLap extends LapData {
  /** Whether the comparison computes its `lap_distance`, because no source reports one. */
  readonly isPlaced?: boolean
}

/** By channel; null for a channel that the lap's session lacks. */
export type ChannelTraces = Readonly<Record<string, Float64Array | null>>

export const LAP_DISTANCE = "lap_distance"

/** Channels that count within one lap and start over at the line. */
const STARTING_OVER: ReadonlySet<string> = new Set([
  LAP_DISTANCE,
  "lap_fraction",
  "lap_time_so_far",
  "ers_deployed",
  "ers_harvested"
])

/** No car drives half a lap in so small a share of the lap's time. */
const LEAP_SHARE = 1 / 20

/** Whether the line lies between two samples, by their time or by their values. */
const crossing = ({ endTime, startTime }: RecordedLap, values: Float64Array) => {
  let most = 0
  for (const value of values) if (value > most) most = value
  const leapWithin = LEAP_SHARE * (endTime - startTime)
  return (t0: number, t1: number, a: number, b: number): boolean =>
    (t0 < startTime && startTime < t1) ||
    (t0 < endTime && endTime < t1) ||
    a - b > most / 2 ||
    (b - a > most / 2 && t1 - t0 < leapWithin)
}

const between: Readonly<Record<ChannelKind, ((a: number, b: number, share: number) => number) | undefined>> =
  {
    continuous: (a, b, share) => a + share * (b - a),
    angle: (a, b, share) => {
      const turn = b - a
      return a + share * (turn - 360 * Math.round(turn / 360))
    },
    step: undefined,
    flag: undefined
  }

/** Values at `nodes`, which do not decrease; all times are epoch seconds. */
export const valuesAt = (
  nodes: Float64Array,
  times: Float64Array,
  values: Float64Array,
  kind: ChannelKind,
  isAcross?: (t0: number, t1: number, a: number, b: number) => boolean
): Float64Array => {
  const resample = between[kind]
  const result = new Float64Array(nodes.length)
  for (let n = 0, k = -1; n < nodes.length; n++) {
    const time = nodes[n]!
    while (k + 1 < times.length && times[k + 1]! <= time) k++
    const a = k < 0 ? ABSENT : values[k]!
    const t0 = times[k]!
    let value = a
    if (resample !== undefined && k >= 0 && k + 1 < times.length && time > t0) {
      const t1 = times[k + 1]!
      const b = values[k + 1]!
      value = isAcross?.(t0, t1, a, b) === true ? ABSENT : resample(a, b, (time - t0) / (t1 - t0))
    }
    result[n] = kind === "angle" ? value - 360 * Math.floor(value / 360) : value
  }
  return result
}

/** `wanted`: names of channels, in the order of the answer. */
export const channelTraces = (
  { around = [], isPlaced = false, lap }: TracedLap,
  onGrid: LapOnGrid,
  alignment: Alignment,
  wanted: ReadonlyArray<string>
): ChannelTraces => {
  const { grid } = alignment
  const zero = beginsAt(onGrid, alignment)
  const nodes = onGrid.time.map((time) => zero + time)
  const trace = (name: string): Float64Array | null => {
    const from = around.find(({ batch }) => batch.channels.includes(name))
    if (from === undefined) return name === LAP_DISTANCE && isPlaced ? grid.distance : null
    const { batch, kinds } = from
    const values = batch.column(name)
    const isAcross = STARTING_OVER.has(name) ? crossing(lap, values) : undefined
    return valuesAt(nodes, batch.timestamps, values, kinds[batch.channels.indexOf(name) - 1]!, isAcross)
  }
  return Object.fromEntries(wanted.map((name) => [name, trace(name)]))
}
