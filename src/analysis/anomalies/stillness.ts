/**
 * Decides whether an intact channel may stand still as this one does: hands and feet rest, and a wheel held straight
 * moves less than its sensor resolves. A frozen channel leaps when it comes back, because the true value has moved; or
 * the other laps had other values at those places.
 */
import type { Channel } from "../../domain/pointChannels.ts"
import { median, quantile } from "../math/robust.ts"
import type { LapEvidence, SessionEvidence } from "./evidence.ts"
import { MIN_OTHERS } from "./times.ts"

/** Consecutive points of a lap's channel with one value: the first and the last. */
export interface Hold {
  readonly from: number
  readonly to: number
  readonly seconds: number
}

/** Hands and feet; these are also columns of a lap on the grid. */
export type Control = Extract<Channel, "steering" | "throttle" | "brake">

/**
 * The channel rests at a value that the other laps hold in this share of their points: a stop that is not quite 0 or 1.
 */
const REST_SHARE = 0.05
/**
 * A leap is this many times as far as any step over as many points further on (or before): hands accelerate gradually.
 */
const LEAP_TIMES = 3
const STEPS_AROUND = 3
/** The smallest step of the channel, except for rounding noise: this share of its steps is smaller. */
const MIN_STEP = 0.01
/** A value is different when it lies further away than this share of the channel's range, without 1 % at either end. */
const ELSEWHERE = 0.015
const RARE = 0.01
const SAMPLED = 20_000

/** The range of the channel, and its smallest step, in its unit. */
interface Motion {
  readonly range: number
  readonly step: number
}

const motionOf = (laps: ReadonlyArray<LapEvidence>, channel: Control): Motion => {
  const total = laps.reduce((sum, { points }) => sum + points.length, 0)
  const every = Math.max(1, Math.floor(total / SAMPLED))
  const values: Array<number> = []
  const steps: Array<number> = []
  for (const { column } of laps) {
    const row = column(channel)
    for (let i = 1; i < row.length; i += every) {
      if (Number.isNaN(row[i]! + row[i - 1]!)) continue
      values.push(row[i]!)
      if (row[i] !== row[i - 1]) steps.push(Math.abs(row[i]! - row[i - 1]!))
    }
  }
  if (steps.length === 0) return { range: 0, step: 0 }
  return { range: quantile(values, 1 - RARE) - quantile(values, RARE), step: quantile(steps, MIN_STEP) }
}

/** Whether the channel enters or leaves the hold by a leap that its steps beyond do not lead to. */
const leaps = (column: Float64Array, { from, to }: Hold, least: number): boolean => {
  const leapt = (inside: number, way: 1 | -1): boolean => {
    const outside = inside + way
    if (!(outside >= 0 && outside < column.length)) return false
    let furthest = least
    for (let k = 1; k <= STEPS_AROUND; k++) {
      const step = Math.abs(column[outside + k * way]! - column[outside + (k - 1) * way]!)
      if (step > furthest) furthest = step
    }
    return Math.abs(column[outside]! - column[inside]!) > LEAP_TIMES * furthest
  }
  return leapt(from, -1) || leapt(to, 1)
}

const countOf = (values: Float64Array, wanted: number): number => {
  let count = 0
  for (let i = 0; i < values.length; i++) if (values[i] === wanted) count++
  return count
}

const sumOf = (values: ReadonlyArray<number>, but: number): number =>
  values.reduce((sum, value, l) => (l === but ? sum : sum + value), 0)

/** For long holds in a session: whether an intact channel would have stood as still. */
export const stillnessOf = ({ alignment, laps }: SessionEvidence, channel: Control) => {
  const known = new Map<number, ReadonlyArray<number>>()
  let motion: Motion | undefined

  /** How often the value occurs in each lap. */
  const countsOf = (value: number): ReadonlyArray<number> => {
    const counts = known.get(value) ?? laps.map(({ column }) => countOf(column(channel), value))
    known.set(value, counts)
    return counts
  }

  /** Whether the other laps rest at the value that the lap holds. */
  const isRest = (l: number, value: number): boolean => {
    const points = sumOf(
      laps.map((lap) => lap.points.length),
      l
    )
    return points > 0 && sumOf(countsOf(value), l) >= REST_SHARE * points
  }

  /** Whether the other laps at pace had other values at those places; undefined where there are too few. */
  const areElsewhere = (lap: LapEvidence, { from, to }: Hold, { range }: Motion): boolean | undefined => {
    const others = laps.flatMap(({ comparable, onGrid }) =>
      comparable && onGrid !== undefined && onGrid !== lap.onGrid && onGrid.complete ? [onGrid] : []
    )
    if (alignment === undefined || lap.onGrid === undefined || others.length < MIN_OTHERS) return undefined
    const { distance } = alignment.grid
    const t = lap.points.timestamps
    const held = lap.column(channel)[from]!
    const [begin, end] = [lap.distanceAt(t[from]!) ?? 0, lap.distanceAt(t[to]!) ?? 0]
    const away = others.map((other) => {
      let most = 0
      for (let k = 0; k < distance.length; k++) {
        if (distance[k]! >= begin && distance[k]! <= end) {
          const off = Math.abs(other[channel][k]! - held)
          if (off > most) most = off
        }
      }
      return most
    })
    return median(away) > ELSEWHERE * range
  }

  /** Whether an intact channel may hold its value so. */
  const isIntact = (l: number, hold: Hold): boolean => {
    motion ??= motionOf(laps, channel)
    const lap = laps[l]!
    return !leaps(lap.column(channel), hold, motion.step) && areElsewhere(lap, hold, motion) !== true
  }

  return { isRest, isIntact }
}
