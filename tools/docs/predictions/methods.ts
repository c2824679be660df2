/** The service's prediction and simple ones to compare it with, as distributions of the next lap at pace. */
import { PACE } from "../../../src/analysis/compare/comparable.ts"
import type { UsedLap } from "../../../src/analysis/predictions/usedLaps.ts"
import { intervalOf, walkThrough } from "../../../src/analysis/predictions/walk.ts"
import type { Case } from "./cases.ts"

export interface Answer {
  /** The predicted time, s. */
  readonly time: number
  /** The share of the distribution below a time. */
  readonly below: (time: number) => number
  /** Low and high end of the interval, s; only the service has one. */
  readonly interval?: readonly [low: number, high: number]
}

export type Method = (one: Case) => Answer

/** The range of a lap at pace by the known laps: all distributions end there, so that none is scored beyond. */
export const limits = ({ known }: Case): readonly [low: number, high: number] => {
  const best = Math.min(...known.map(({ lap }) => lap.lapTime))
  return [best / PACE, best * PACE]
}

export const service: Method = ({ before }) => {
  const next = walkThrough(before).next!
  return {
    time: next.time,
    below: (time) => next.distribution.below(time),
    interval: intervalOf(next)
  }
}

type Point = (known: ReadonlyArray<UsedLap>, missed: number) => number

/** Prior: an error of this share of the lap time, weighted like one observed error. */
const USUAL_ERROR = 0.003

/** A point forecast with the Laplace distribution whose mean error is that of its own past forecasts. */
const withItsErrors =
  (point: Point): Method =>
  (one) => {
    const { known, missed } = one
    const time = point(known, missed)
    let sum = USUAL_ERROR * time
    let count = 1
    for (let k = 1; k < known.length; k++, count++) {
      sum += Math.abs(known[k]!.lap.lapTime - point(known.slice(0, k), known[k]!.missed))
    }
    const laplace = (at: number) => {
      const half = 0.5 * Math.exp((-Math.abs(at - time) * count) / sum)
      return at < time ? half : 1 - half
    }
    const [low, high] = limits(one)
    const from = laplace(low)
    const to = laplace(high)
    return { time, below: (at) => (laplace(at) - from) / (to - from) }
  }

const times = (known: ReadonlyArray<UsedLap>) => known.map(({ lap }) => lap.lapTime)
const mean = (values: ReadonlyArray<number>) => values.reduce((sum, value) => sum + value, 0) / values.length

/** Each stint's laps: a stint begins anew after laps that were not at pace. */
const stints = (known: ReadonlyArray<UsedLap>): ReadonlyArray<ReadonlyArray<number>> => {
  const found: Array<Array<number>> = []
  known.forEach(({ lap, missed }, at) => {
    if (at === 0 || missed > 0) found.push([])
    found.at(-1)!.push(lap.lapTime)
  })
  return found
}

/** The share of a lap's distance from its stint's mean that the next lap keeps, by least squares over all stints. */
const firstOrder: Point = (known, missed) => {
  const last = known.at(-1)!.lap.lapTime
  // Nothing is known of a new stint.
  if (missed > 0) return last
  const all = stints(known)
  let above = 0
  let below = 0
  for (const stint of all) {
    const middle = mean(stint)
    for (let k = 1; k < stint.length; k++) {
      above += (stint[k]! - middle) * (stint[k - 1]! - middle)
      below += (stint[k - 1]! - middle) ** 2
    }
  }
  const kept = below > 0 ? Math.min(1, Math.max(0, above / below)) : 1
  const middle = mean(all.at(-1)!)
  return middle + kept * (last - middle)
}

export const methods: Readonly<Record<string, Method>> = {
  service,
  persistence: withItsErrors((known) => known.at(-1)!.lap.lapTime),
  "mean of three": withItsErrors((known) => mean(times(known.slice(-3)))),
  "AR(1)": withItsErrors(firstOrder)
}
