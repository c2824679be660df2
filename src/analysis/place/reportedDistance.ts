/**
 * Places laps by their simulator's own `lap_distance`: metres along the circuit's line, which are the same for all laps
 * whatever line they drove. Not every source means that by the name: some send the distance that the car drove since
 * the line, which differs between laps, and some reset it elsewhere. A distance that fails the checks here is ignored,
 * and the laps are placed as if it were not reported.
 */
import { lowerBound, type PointBatch } from "../../domain/RowBatch.ts"
import type { LapData } from "./alignment.ts"
import { LAP_DISTANCE } from "../compare/channelTraces.ts"
import { usableSpeed } from "../faults/usableSpeed.ts"
import { PRECISE_M, roughness } from "./fusion.ts"
import type { SourcedLap } from "./projected.ts"
import { median, quantile } from "../math/robust.ts"

/** A lap's own distance, without the steps back to 0 at the line. */
export interface ReportedLap {
  /** Epoch s, increasing. */
  readonly times: Float64Array
  /** m from the line where the lap begins: below 0 before it, over the circuit's length behind the lap. */
  readonly distance: Float64Array
}

export interface ReportedDistances {
  /** m from line to line. */
  readonly length: number
  /** In the order of the laps. */
  readonly laps: ReadonlyArray<ReportedLap>
}

/** Between samples further apart than this, s, the car's place is unknown: 15 m/s^2 of braking are 0.17 m off. */
const MAX_STEP_S = 0.3
/** A lap counts as reported when samples are that near to each other for this share of its time. */
const MIN_TOLD = 0.5
/** The line must be crossed within this of the lap's start and end, s. */
const NEAR_LINE_S = 2
/** A car that spins or is pushed goes back by no more in a lap, m. */
const MAX_BACK_M = 40
/** No lap is shorter, m. */
const MIN_LENGTH_M = 50
/**
 * Lengths of one circuit's line differ by the error of the samples' clock at the line, 0.05 s for an arrival clock at
 * 70 m/s. Lengths of driven ways differ as much as the lines, 0.9 % in 30 laps of Bahrain.
 */
const LENGTH_M = 3.5
const LENGTH_SHARE = 5e-4
/** This share of the lengths must agree; a pause at the line spoils one. */
const AGREEING = 0.75
/**
 * Where nine in ten places lie this near to the distance driven by the speed, m, the source sends the car's own way.
 */
const OWN_WAY_M = 1.5
const NINE_IN_TEN = 0.9

const samplesOf = ({ around = [] }: LapData) =>
  around.find(({ batch }) => batch.channels.includes(LAP_DISTANCE))?.batch

/** m a second from sample to sample. */
const slope = (t: Float64Array, d: Float64Array, k: number): number =>
  k > 0 && k < t.length ? (d[k]! - d[k - 1]!) / (t[k]! - t[k - 1]!) : Number.NaN

interface Unwrapped extends ReportedLap {
  /** The circuit's length in m, from each crossing of the line. */
  readonly lengths: ReadonlyArray<number>
  /** The end of the samples of the lap before, and the start of those of the lap after. */
  readonly first: number
  readonly last: number
  /** m at the lap's end, where it has samples nearby. */
  readonly end: number
}

/** Undefined where the distance does not lead through the lap. */
const unwrapped = (data: LapData): Unwrapped | undefined => {
  const samples = samplesOf(data)
  if (samples === undefined) return undefined
  const { endTime, startTime } = data.lap
  const reported = samples.column(LAP_DISTANCE)
  const all = samples.timestamps
  const index: Array<number> = []
  const from = lowerBound(all, startTime - NEAR_LINE_S)
  const until = lowerBound(all, endTime + NEAR_LINE_S)
  for (let i = from; i < until; i++) if (!Number.isNaN(reported[i]!)) index.push(i)
  const t = Float64Array.from(index, (i) => all[i]!)
  const d = Float64Array.from(index, (i) => reported[i]!)
  let most = 0
  let seconds = 0
  for (let k = 0; k < t.length; k++) {
    if (t[k]! < startTime || t[k]! >= endTime) continue
    if (d[k]! > most) most = d[k]!
    if (k > 0 && t[k]! - t[k - 1]! <= MAX_STEP_S) seconds += t[k]! - t[k - 1]!
  }
  if (most < MIN_LENGTH_M || seconds < MIN_TOLD * (endTime - startTime)) return undefined
  let first = 0
  let last = t.length
  let furthest = -Infinity
  const lengths: Array<number> = []
  for (let k = 1; k < t.length; k++) {
    const fall = d[k - 1]! - d[k]!
    furthest = Math.max(furthest, d[k - 1]!)
    if (fall <= most / 2) {
      if (furthest - d[k]! > MAX_BACK_M) return undefined
      continue
    }
    furthest = -Infinity
    const step = t[k]! - t[k - 1]!
    if (Math.abs(t[k]! - startTime) <= NEAR_LINE_S && first === 0) first = k
    else if (Math.abs(t[k]! - endTime) <= NEAR_LINE_S && last === t.length) last = k
    else return undefined
    const [before, after] = [slope(t, d, k - 1), slope(t, d, k + 1)]
    if (step <= MAX_STEP_S && before >= 0 && after >= 0) lengths.push(fall + (step * (before + after)) / 2)
  }
  const final = last - 1
  const rest = endTime - t[final]!
  const end = Math.abs(rest) <= MAX_STEP_S ? d[final]! + Math.max(0, slope(t, d, final)) * rest : Number.NaN
  return { times: t, distance: d, lengths, first, last, end }
}

/**
 * How places lie relative to the distance driven by the speed, scaled to the same length, m: nine in ten are nearer
 * than each of these.
 */
interface OwnWay {
  readonly off: number
  /** To the straight between their neighbours: noise. */
  readonly scatter: number
}

/** Undefined where no speed is reported. */
const ownWay = ({ sources }: SourcedLap, { distance, times }: ReportedLap): OwnWay | undefined => {
  if (!sources.hasSpeed) return undefined
  const speed = usableSpeed(sources)
  const { t } = sources
  const way = new Float64Array(times.length)
  let i = 1
  let driven = 0
  for (let k = 0; k < times.length; k++) {
    while (i < t.length - 1 && t[i]! <= times[k]!) {
      driven += ((speed[i - 1]! + speed[i]!) / 2) * (t[i]! - t[i - 1]!)
      i++
    }
    const step = times[k]! - t[i - 1]!
    const share = step / (t[i]! - t[i - 1]!)
    way[k] = driven + step * (speed[i - 1]! + (share / 2) * (speed[i]! - speed[i - 1]!))
  }
  const last = times.length - 1
  const scale = (distance[last]! - distance[0]!) / (way[last]! - way[0]!)
  const off = way.map((one, k) => distance[k]! - distance[0]! - scale * (one - way[0]!))
  const middle = median([...off])
  const apart = off.map((one) => Math.abs(one - middle))
  return { off: quantile(apart, NINE_IN_TEN), scatter: roughness(times, off) }
}

/**
 * The distances of all laps on one line. Undefined where one lap has none, where the laps do not agree on the length,
 * and where the distance is coarse and positions, which are better, exist (`hasPositions`).
 */
export const reportedDistances = (
  laps: ReadonlyArray<SourcedLap>,
  hasPositions: boolean
): ReportedDistances | undefined => {
  const own: Array<Unwrapped> = []
  for (const lap of laps) {
    const found = lap.around === undefined ? undefined : unwrapped(lap)
    if (found === undefined) return undefined
    own.push(found)
  }
  const crossed = own.flatMap(({ lengths }) => lengths)
  // A stage has no line to cross again.
  const lengths = crossed.length > 0 ? crossed : own.map(({ end }) => end).filter((end) => end > 0)
  if (lengths.length === 0) return undefined
  const length = median(lengths)
  const most = Math.max(LENGTH_M, LENGTH_SHARE * length)
  const agreeing = lengths.filter((one) => Math.abs(one - length) <= most).length
  if (length < MIN_LENGTH_M || agreeing < AGREEING * lengths.length) return undefined
  const reported = own.map(({ distance, first, last, times }): ReportedLap => ({
    times,
    distance: distance.map((at, k) => (k < first ? at - length : k >= last ? at + length : at))
  }))
  const ways = laps.flatMap((lap, l) => ownWay(lap, reported[l]!) ?? [])
  const isOwnWay = ways.length > 0 && median(ways.map(({ off }) => off)) < OWN_WAY_M
  const isCoarse = ways.length > 0 && median(ways.map(({ scatter }) => scatter)) >= PRECISE_M
  return isOwnWay || (isCoarse && hasPositions) ? undefined : { length, laps: reported }
}

/** m at each of the points' times; NaN where no samples are near. */
export const reportedAt = ({ distance, times }: ReportedLap, t: PointBatch["timestamps"]): Float64Array => {
  let k = 0
  return t.map((time) => {
    while (k < times.length && times[k]! < time) k++
    if (times[k] === time) return distance[k]!
    const step = times[k]! - times[k - 1]!
    const share = (time - times[k - 1]!) / step
    return step <= MAX_STEP_S ? distance[k - 1]! + share * (distance[k]! - distance[k - 1]!) : Number.NaN
  })
}
