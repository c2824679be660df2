/**
 * Corrects a lap whose points have the times of their arrival: the delays of a network, a burst of packets that waited.
 *
 * The simulator's own distance and the speed know the time that passed from sample to sample better than such a clock: way
 * over speed. What the clock adds to that is its noise, and a slow change, because the car's own line is longer or shorter
 * than the circuit's. The slow change is found by local regression (Cleveland 1979), the noise is what is left. A delay is never
 * negative, so late samples count less than early ones: the times come near the floor of the delays.
 */
import { lowerBound, RowBatch } from "../../domain/RowBatch.ts"
import type { LapData } from "./alignment.ts"
import { LAP_DISTANCE } from "../compare/channelTraces.ts"
import { MAD_TO_SIGMA, roughQuantile } from "../math/robust.ts"

/** One sample in a hundred of an arrival clock is off by more, or a burst by so much; a simulator's clock by a tenth of it, s. */
const NOISY_S = 0.003
const OFTEN = 0.01
const BURST_S = 0.02
/** Slower, a small error of the way is a large one of the time, m/s. */
const SLOW_MS = 5
/** Samples further apart are not joined by way over speed, s and m. */
const MAX_STEP_S = 0.5
const MAX_STEP_M = 50
/** The regression reaches this far to either side, s: longer than a burst, and most of a corner's change is a straight. */
const REACH_S = 1
/** Delays also wander more slowly than that, and then look like another line: they show against a line of this reach, s. */
const WANDER_S = 4
const PASSES = 3
/** A sample later than so many deviations counts less (Huber 1964). */
const HUBER = 1.5
const LEAST_STEP_S = 1e-6

export interface SteadyLap extends LapData {
  /** s, the standard deviation of the points' times; 0 for a clock without noise. */
  readonly clockDeviation: number
}

/** Each sample's speed, m/s, by the points around it. */
const speedsAt = (points: LapData["points"], times: Float64Array): Float64Array => {
  const t = points.timestamps
  const speed = points.column("speed")
  return times.map((time) => {
    const k = Math.min(Math.max(1, lowerBound(t, time)), t.length - 1)
    if (t[k] === time || t.length < 2) return speed[k]! / 3.6
    const share = Math.min(1, Math.max(0, (time - t[k - 1]!) / (t[k]! - t[k - 1]!)))
    return (speed[k - 1]! + share * (speed[k]! - speed[k - 1]!)) / 3.6
  })
}

/**
 * The time that passed at each sample by way over speed, s; over a hole, and where the car hardly moves, by the clock. Over the line,
 * where the distance starts over, the step before counts again.
 */
const passed = (t: Float64Array, d: Float64Array, speed: Float64Array): Float64Array => {
  const steps = new Float64Array(t.length)
  const byWay = new Uint8Array(t.length)
  let clock = 0
  let way = 0
  for (let k = 1; k < t.length; k++) {
    const step = t[k]! - t[k - 1]!
    const mean = (speed[k - 1]! + speed[k]!) / 2
    const went = d[k]! - d[k - 1]!
    steps[k] = step
    if (step > MAX_STEP_S || mean <= SLOW_MS || went > MAX_STEP_M) continue
    if (went > 0) steps[k] = went / mean
    else if (byWay[k - 1] === 1) steps[k] = steps[k - 1]!
    else continue
    byWay[k] = 1
    clock += step
    way += steps[k]!
  }
  const scale = way > 0 ? clock / way : 1
  let sum = 0
  return steps.map((step, k) => (sum += byWay[k] === 1 ? scale * step : step))
}

/** Whether values leave the straight between their neighbours, often or far. */
const isNoisy = (x: Float64Array, values: Float64Array): boolean => {
  let often = 0
  for (let k = 1; k + 1 < x.length; k++) {
    const share = (x[k]! - x[k - 1]!) / (x[k + 1]! - x[k - 1]!)
    const off = Math.abs(values[k]! - values[k - 1]! - share * (values[k + 1]! - values[k - 1]!))
    if (off > BURST_S) return true
    if (off > NOISY_S) often++
  }
  return often > OFTEN * x.length
}

/** The value at `at` of the line through the values within `reach` of it, weighted by nearness (tricube) and `weight`. */
const localLine = (
  at: number,
  reach: number,
  { from, to }: { readonly from: number; readonly to: number },
  {
    values,
    weight,
    x
  }: { readonly x: Float64Array; readonly values: Float64Array; readonly weight: Float64Array }
): number => {
  let [w, wx, wy, wxx, wxy] = [0, 0, 0, 0, 0]
  for (let i = from; i < to; i++) {
    const away = (x[i]! - at) / reach
    const near = (1 - Math.abs(away) ** 3) ** 3 * weight[i]!
    w += near
    wx += near * away
    wy += near * values[i]!
    wxx += near * away * away
    wxy += near * away * values[i]!
  }
  const spread = w * wxx - wx * wx
  return spread > 1e-9 * w * w ? (wxx * wy - wx * wxy) / spread : w > 0 ? wy / w : Number.NaN
}

/**
 * The value at each place of a robust local line through `values`; values above it count less than those below. The line is found
 * every tenth of its reach, and is straight in between: it costs no more for a faster feed.
 */
const lower = (x: Float64Array, values: Float64Array, reach: number): Float64Array => {
  const size = x.length
  const step = reach / 10
  const nodes = new Float64Array(Math.floor((x[size - 1]! - x[0]!) / step) + 2)
  const line = new Float64Array(size)
  const weight = new Float64Array(size).fill(1)
  const rests = new Float64Array(size)
  for (let pass = 0; pass < PASSES; pass++) {
    for (let n = 0, from = 0, to = 0; n < nodes.length; n++) {
      const at = x[0]! + n * step
      while (from < size && at - x[from]! >= reach) from++
      while (to < size && x[to]! - at < reach) to++
      nodes[n] = localLine(at, reach, { from, to }, { x, values, weight })
      // In a hole longer than the reach there is no line; it goes on from where it was.
      if (Number.isNaN(nodes[n]!)) nodes[n] = nodes[n - 1] ?? values[0]!
    }
    let early = 0
    for (let k = 0; k < size; k++) {
      const place = (x[k]! - x[0]!) / step
      const n = Math.min(nodes.length - 2, Math.floor(place))
      line[k] = nodes[n]! + (place - n) * (nodes[n + 1]! - nodes[n]!)
      const rest = values[k]! - line[k]!
      if (rest < 0) rests[early++] = -rest
    }
    const most = HUBER * MAD_TO_SIGMA * roughQuantile(rests, 0.5, early)
    for (let k = 0; k < size; k++) {
      const rest = values[k]! - line[k]!
      weight[k] = rest > most ? most / rest : 1
    }
  }
  return line
}

/** The lap with better times, where its own are noisy and `lap_distance` and speed show it; else as it is. */
export const steadied = (data: LapData): SteadyLap => {
  const unchanged = { ...data, clockDeviation: 0 }
  const group = data.around?.find(({ batch }) => batch.channels.includes(LAP_DISTANCE))
  if (group === undefined || data.points.length < 2) return unchanged
  const all = group.batch.timestamps
  const distances = group.batch.column(LAP_DISTANCE)
  const speeds = speedsAt(data.points, all)
  const known = Int32Array.from(all.keys()).filter((k) => !Number.isNaN(distances[k]! + speeds[k]!))
  if (known.length < 3) return unchanged
  const t = Float64Array.from(known, (k) => all[k]!)
  const own = passed(
    t,
    Float64Array.from(known, (k) => distances[k]!),
    Float64Array.from(known, (k) => speeds[k]!)
  )
  const late = t.map((time, k) => time - t[0]! - own[k]!)
  if (!isNoisy(own, late)) return unchanged
  const line = lower(own, late, REACH_S)
  const slow = lower(own, late, WANDER_S)
  const deviation =
    MAD_TO_SIGMA *
    roughQuantile(
      line.map((one, k) => Math.abs(one - slow[k]!)),
      0.5
    )
  const off = late.map((one, k) => one - line[k]!)
  const corrected = <Name extends string>(batch: RowBatch<Name>): RowBatch<Name> => {
    const copy = new RowBatch(batch.length, batch.data.slice(), batch.channels)
    const times = copy.timestamps
    let last = -Infinity
    for (let i = 0, k = 0; i < times.length; i++) {
      const time = times[i]!
      while (k < t.length - 1 && t[k + 1]! <= time) k++
      const next = Math.min(k + 1, t.length - 1)
      const share = next > k ? Math.min(1, Math.max(0, (time - t[k]!) / (t[next]! - t[k]!))) : 0
      last = Math.max(last + LEAST_STEP_S, time - off[k]! - share * (off[next]! - off[k]!))
      times[i] = last
    }
    return copy
  }
  return {
    ...data,
    points: corrected(data.points),
    around: data.around!.map((one) => (one === group ? { ...one, batch: corrected(one.batch) } : one)),
    clockDeviation: deviation
  }
}
