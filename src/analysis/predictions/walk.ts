/**
 * Goes through a session as it was driven: forecasts each lap at pace from the laps before it, and then checks the
 * forecast. Each forecast knows the laps before its own and no others.
 */
import type { RecordedLap } from "../../domain/Lap.ts"
import { comparableLaps, PACE, type TimedLap } from "../compare/comparable.ts"
import { AdaptiveInterval } from "./AdaptiveInterval.ts"
import { type Constants, constants } from "./constants.ts"
import { type OutlierLikelihood, LapTimeModel } from "./LapTimeModel.ts"
import type { Mixture } from "./Mixture.ts"
import { driven, type UsedLap, type UsedLaps, usedLaps } from "./usedLaps.ts"

/** One or two laps cannot show whether they were ordinary: forecasts are served from this many laps at pace on. */
export const MIN_LAPS = 3

export interface Forecast {
  /** The laps at pace before it. */
  readonly known: UsedLaps
  /**
   * The time of the next lap at pace, s: between 107 % of the best lap and the time below which the best lap would no
   * longer be at pace.
   */
  readonly distribution: Mixture
  /** The share of `distribution` between the interval's ends; equal shares are left out on either side. */
  readonly held: number
}

export interface Foreseen {
  readonly lap: TimedLap
  readonly forecast: Forecast
  /** Whether the lap's time was within the interval. */
  readonly inside: boolean
}

export interface Walk {
  /** All laps, in the order driven. */
  readonly laps: ReadonlyArray<RecordedLap>
  /** Those at pace. */
  readonly known: UsedLaps
  /** The judgement of each of those. */
  readonly judgements: ReadonlyArray<OutlierLikelihood>
  /** Forecasts of the laps at pace that had enough laps before them, in the order driven. */
  readonly past: ReadonlyArray<Foreseen>
  /** The forecast for the lap after the last; undefined before there are enough laps at pace. */
  readonly next: Forecast | undefined
}

/** The judgement while there are too few laps. */
const NOT_JUDGED: OutlierLikelihood = { outlier: 0, jump: 0 }

/** A model with the laps that it has observed. */
interface Learnt {
  readonly model: LapTimeModel
  readonly laps: ReadonlyArray<UsedLap>
}

const same = (a: UsedLap, b: UsedLap | undefined) => a.lap === b?.lap && a.missed === b.missed

/** Continues from `learnt` where `laps` only extend it; a new best lap may have put early laps out of pace. */
const learn = (laps: ReadonlyArray<UsedLap>, learnt: Learnt | undefined, set: Constants): Learnt => {
  const goesOn = learnt !== undefined && learnt.laps.every((lap, at) => same(lap, laps[at]))
  const model = goesOn ? learnt.model : new LapTimeModel(laps[0]!.lap.lapTime, set)
  for (const { lap, missed } of laps.slice(goesOn ? learnt.laps.length : 1))
    model.observe(lap.lapTime, missed)
  return { model, laps }
}

/** `session`: all of its laps, in any order. */
export const walkThrough = (session: ReadonlyArray<RecordedLap>, set: Constants = constants): Walk => {
  const laps = driven(session)
  const intervals = new AdaptiveInterval()
  const past: Array<Foreseen> = []
  let learnt: Learnt | undefined
  const foresee = (known: UsedLaps): Forecast | undefined => {
    if (known.used.length < MIN_LAPS) return undefined
    learnt = learn(known.used, learnt, set)
    const best = Math.min(...known.used.map(({ lap }) => lap.lapTime))
    const distribution = learnt.model.forecast(known.missed, best / PACE, best * PACE)
    return { known, distribution, held: intervals.held(known.missed) }
  }
  const pace = new Map<RecordedLap, TimedLap>(comparableLaps(laps).map((lap) => [lap, lap]))
  laps.forEach((one, at) => {
    const lap = pace.get(one)
    const forecast = lap && foresee(usedLaps(laps.slice(0, at)))
    if (lap === undefined || forecast === undefined) return
    const aside = Math.abs(2 * forecast.distribution.below(lap.lapTime) - 1)
    const inside = aside <= forecast.held
    past.push({ lap, forecast, inside })
    intervals.learn(forecast.known.missed, inside)
  })
  const known = usedLaps(laps)
  const next = foresee(known)
  const judgements = next && learnt ? learnt.model.judgements() : known.used.map(() => NOT_JUDGED)
  return { laps, known, judgements, past, next }
}

/** The forecast's median time, s. */
export const expectedTime = ({ distribution }: Forecast): number => distribution.quantile(0.5)

/** The ends of the forecast's interval, s. */
export const intervalOf = ({ distribution, held }: Forecast): readonly [low: number, high: number] => [
  distribution.quantile((1 - held) / 2),
  distribution.quantile((1 + held) / 2)
]
