/**
 * How lap times change from lap to lap: a regression on the lap's number whose level and trend may change, and on which
 * no single lap has much influence.
 *
 * A lap time is a level plus scatter. From lap to lap the level moves by the trend, and by a random step. Each lap has
 * three explanations, weighted by how well they foresaw it. It is an ordinary lap. It is an outlier (a mistake,
 * traffic, an in-lap), which shows nothing about the level. Or the level has jumped (tyres, fuel, another programme),
 * and starts anew with this lap. If one lap does not decide between them, later laps do: the likeliest sequences of
 * explanations are kept (multi-process dynamic linear models: Harrison & Stevens, Bayesian forecasting, 1976; West &
 * Harrison, Bayesian Forecasting and Dynamic Models, 2nd ed. 1997, chapter 12).
 *
 * Scatter, movement of the level and share of outliers are unknown. The model runs for a grid of them. Each candidate has
 * the weight that its forecasts have earned, recent ones more than old ones (dynamic model averaging: Raftery, Karny &
 * Ettler 2010), so that the spread may change too.
 */
import { type Constants, constants } from "./constants.ts"
import type { Absence } from "./usedLaps.ts"
import { type Component, Mixture, normalDensity } from "./Mixture.ts"

/** The explanation chosen for a lap, linked to those of the laps before it. */
interface Path {
  readonly explanation: "ordinary" | "outlier" | "jump"
  readonly before: Path | undefined
}

/** One sequence of explanations: level and trend after it, in units of the scatter, with their covariance. */
interface Sequence {
  weight: number
  readonly level: number
  readonly trend: number
  readonly levelVariance: number
  readonly covariance: number
  readonly trendVariance: number
  readonly path: Path | undefined
}

/** The sequences for one scatter, s, one movement of the level, and one chance of an outlier. */
interface Candidate {
  readonly scatter: number
  readonly step: number
  readonly trendKept: number
  readonly outlier: number
  /** The logarithm of the weight that the candidate's forecasts have earned. */
  merit: number
  sequences: ReadonlyArray<Sequence>
}

/** Smaller weights cannot be seen in a forecast. */
const MIN_WEIGHT = 1e-5

/** The probability, given all laps, that a lap was an outlier, or the first after a jump. */
export interface OutlierLikelihood {
  readonly outlier: number
  readonly jump: number
}

export class LapTimeModel {
  private readonly candidates: ReadonlyArray<Candidate>
  /** Levels are relative to the first lap's time. */
  private readonly zero: number
  private readonly set: Constants
  private laps = 1

  /** Starts with the first lap's time, s. */
  constructor(time: number, set: Constants = constants) {
    this.set = set
    this.zero = time
    const trendVariance = set.trend ** 2
    const first = { level: 0, trend: 0, levelVariance: 1, covariance: 0, trendVariance, path: undefined }
    this.candidates = set.scatters.flatMap((share) =>
      set.movements.flatMap(([step, trendKept]) =>
        set.outliers.map((outlier) => ({
          scatter: share * time,
          step,
          trendKept,
          outlier,
          merit: -0.5 * (Math.log(share / set.usualScatter) / set.scatterDeviation) ** 2,
          sequences: [{ weight: 1, ...first }]
        }))
      )
    )
  }

  /** Learns the next lap at pace: its time, s, and what was missed since the one before. */
  observe(time: number, after: Absence): void {
    const { memory, sequences } = this.set
    for (const candidate of this.candidates) {
      const chances = this.chances(after, candidate.outlier)
      const next: Array<Sequence> = []
      const place = (time - this.zero) / candidate.scatter
      for (const sequence of candidate.sequences)
        this.explain(this.advanced(candidate, sequence), place, chances, next)
      next.sort((a, b) => b.weight - a.weight)
      next.length = Math.min(next.length, sequences)
      const total = next.reduce((sum, one) => sum + one.weight, 0)
      for (const one of next) one.weight = total > 0 ? one.weight / total : 1 / next.length
      candidate.sequences = next
      candidate.merit =
        memory * candidate.merit + Math.log(Math.max(total, Number.MIN_VALUE) / candidate.scatter)
    }
    this.laps++
  }

  /** The distribution of the next lap at pace, s, `after` what was missed, if it lies between `low` and `high`. */
  forecast(after: Absence, low: number, high: number): Mixture {
    const { fastOutliers, jumps, outlierSize } = this.set
    const components: Array<Component> = []
    this.weighed((weight, sequence, candidate) => {
      const { jump, outlier } = this.chances(after, candidate.outlier)
      const { level, levelVariance } = this.advanced(candidate, sequence)
      const centre = this.zero + candidate.scatter * level
      const add = (kind: Component["kind"], share: number, size: number) => {
        components.push({ kind, weight: weight * share, centre, scale: candidate.scatter * size })
      }
      add("normal", (1 - jump) * (1 - outlier), Math.sqrt(levelVariance + 1))
      for (const size of jumps) {
        add("normal", (jump / jumps.length) * (1 - outlier), Math.sqrt(levelVariance + size ** 2 + 1))
      }
      add("slower", outlier * (1 - fastOutliers), outlierSize)
      add("faster", outlier * fastOutliers, outlierSize)
    })
    return new Mixture(components, low, high)
  }

  /**
   * The judgement of each of the last `newest` laps in the order observed, given all of them. The first lap of all has
   * none.
   */
  judgements(newest = this.laps): ReadonlyArray<OutlierLikelihood> {
    const found = Array.from({ length: newest }, () => ({ outlier: 0, jump: 0 }))
    this.weighed((weight, { path }) => {
      for (let at = path, lap = newest - 1; at !== undefined && lap >= 0; at = at.before, lap--) {
        if (at.explanation !== "ordinary") found[lap]![at.explanation] += weight
      }
    })
    return found
  }

  /** Calls `take` for each sequence that still counts, with its share of the whole. */
  private weighed(take: (weight: number, sequence: Sequence, candidate: Candidate) => void): void {
    const most = Math.max(...this.candidates.map(({ merit }) => merit))
    const total = this.candidates.reduce((sum, { merit }) => sum + Math.exp(merit - most), 0)
    for (const candidate of this.candidates) {
      const share = Math.exp(candidate.merit - most) / total
      for (const sequence of candidate.sequences) {
        const weight = share * sequence.weight
        if (weight >= MIN_WEIGHT) take(weight, sequence, candidate)
      }
    }
  }

  /** The chances of a lap `after` what was missed, if `outlier` is the chance of a lap that follows directly. */
  private chances({ missed, stood }: Absence, outlier: number): OutlierLikelihood {
    const { jump, jumpMissed, jumpStood, outlierMissed, outlierStood } = this.set
    if (stood) return { jump: jumpStood, outlier: outlierStood }
    return {
      jump: missed > 0 ? jumpMissed : jump,
      outlier: 1 - (1 - outlier) * (1 - outlierMissed) ** missed
    }
  }

  /** The sequence one lap later. */
  private advanced({ step, trendKept }: Candidate, sequence: Sequence): Sequence {
    const { covariance, level, levelVariance, trend, trendVariance } = sequence
    return {
      ...sequence,
      level: level + trend,
      trend: trend * trendKept,
      levelVariance: levelVariance + 2 * covariance + trendVariance + step ** 2,
      covariance: (covariance + trendVariance) * trendKept,
      trendVariance: trendVariance * trendKept ** 2
    }
  }

  /**
   * Appends the sequences that `sequence`, one lap later, becomes under each explanation of a lap at `place`, in units
   * of the scatter.
   */
  private explain(
    sequence: Sequence,
    place: number,
    chances: OutlierLikelihood,
    into: Array<Sequence>
  ): void {
    const { fastOutliers, jumps, outlierSize, trend } = this.set
    const { jump, outlier } = chances
    const { weight, path: before } = sequence
    const rest = place - sequence.level
    into.push(follow(sequence, rest, (1 - jump) * (1 - outlier), { explanation: "ordinary", before }))
    const path: Path = { explanation: "jump", before }
    for (const size of jumps) {
      const levelVariance = sequence.levelVariance + size ** 2
      const anew = { ...sequence, levelVariance, trend: 0, covariance: 0, trendVariance: trend ** 2 }
      into.push(follow(anew, rest, (jump / jumps.length) * (1 - outlier), path))
    }
    const side = rest < 0 ? fastOutliers : 1 - fastOutliers
    const density = (side * outlierSize) / (outlierSize + Math.abs(rest)) ** 2
    into.push({
      ...sequence,
      weight: weight * outlier * density,
      path: { explanation: "outlier", before }
    })
  }
}

/** Kalman's step: updates a sequence with a lap at `rest` from its level, as evidence about the level. */
const follow = (sequence: Sequence, rest: number, share: number, path: Path): Sequence => {
  const { covariance, level, levelVariance, trend, trendVariance, weight } = sequence
  const variance = levelVariance + 1
  const gain = levelVariance / variance
  const trendGain = covariance / variance
  return {
    weight: weight * share * normalDensity(rest, variance),
    level: level + gain * rest,
    trend: trend + trendGain * rest,
    levelVariance: levelVariance * (1 - gain),
    covariance: covariance * (1 - gain),
    trendVariance: trendVariance - trendGain * covariance,
    path
  }
}
