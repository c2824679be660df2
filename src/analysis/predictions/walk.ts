/**
 * Goes through a session as it was driven: forecasts each lap at pace from the laps before it, and then checks the
 * forecast. Each forecast knows the laps before its own and no others.
 */
import type { RecordedLap } from "../../domain/Lap.ts"
import { comparableLaps, PACE, type TimedLap } from "../compare/comparable.ts"
import { AdaptiveInterval } from "./AdaptiveInterval.ts"
import { type Constants, constants } from "./constants.ts"
import { type OutlierLikelihood, LapTimeModel } from "./LapTimeModel.ts"
import { joinedTime } from "./joined.ts"
import type { Distribution, Mixture } from "./Mixture.ts"
import { type LapStep, PaceModel, type Prior } from "./PaceModel.ts"
import { type Absence, driven, type UsedLap, type UsedLaps, usedLaps } from "./usedLaps.ts"

/** One or two laps cannot show whether they were ordinary: forecasts are served from this many laps at pace on. */
export const MIN_LAPS = 3

export interface Forecast {
  /** The laps at pace before it. */
  readonly known: UsedLaps
  /** Knows those. */
  readonly pace: PaceModel
  /** The judgement of the last of them. */
  readonly judged: OutlierLikelihood
  /** 107 % of the best lap, and the time below which the best lap would no longer be at pace, s. */
  readonly high: number
  readonly low: number
  /** The time of the next lap at pace, s, by LapTimeModel alone. */
  readonly alone: Mixture
  /** The time of the next lap at pace, s: between those, with `time` as its median. */
  readonly distribution: Distribution
  readonly time: number
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

/** Later laps hardly change the judgement of a lap this long ago. */
const SETTLED = 5

/** The models with the laps that they have observed. */
interface Learnt {
  readonly model: LapTimeModel
  /** Has observed the laps whose judgements are settled. */
  readonly settled: PaceModel
  /** Has observed all laps. */
  readonly pace: PaceModel
  readonly laps: ReadonlyArray<UsedLap>
  /** The judgement of the last of them. */
  readonly last: OutlierLikelihood
}

const same = (a: UsedLap, b: UsedLap | undefined) =>
  a.lap === b?.lap && a.missed === b.missed && a.stood === b.stood

/** The step over what was missed to the lap that lies `laps` after it, 1 for the next. */
export const stepAfter = ({ missed }: Absence, laps = 1): LapStep =>
  missed === 0 ? { laps } : { laps: missed + laps, placeInStint: laps }

/** Continues from `learnt` where `laps` only extend it; a new best lap may have put early laps out of pace. */
const learn = (
  laps: ReadonlyArray<UsedLap>,
  learnt: Learnt | undefined,
  set: Constants,
  priors: ReadonlyArray<Prior> | undefined
): Learnt => {
  const goesOn = learnt !== undefined && learnt.laps.every((lap, at) => same(lap, laps[at]))
  const first = laps[0]!.lap.lapTime
  const model = goesOn ? learnt.model : new LapTimeModel(first, set)
  for (const one of laps.slice(goesOn ? learnt.laps.length : 1)) model.observe(one.lap.lapTime, one)
  const settled = goesOn ? learnt.settled : PaceModel.before(first, {}, priors)
  const from = goesOn ? Math.max(0, learnt.laps.length - SETTLED) : 0
  const judgements = model.judgements(laps.length - from)
  const observe = (pace: PaceModel, begin: number, end: number) => {
    for (let at = begin; at < end; at++) {
      const one = laps[at]!
      pace.observe(one.lap.lapTime, stepAfter(one), {}, judgements[at - from])
    }
  }
  const until = Math.max(0, laps.length - SETTLED)
  observe(settled, from, until)
  const pace = settled.copy()
  observe(pace, until, laps.length)
  return { model, settled, pace, laps, last: judgements.at(-1)! }
}

/** `session`: all of its laps, in any order. `priors`: of PaceModel, if not its own. */
export const walkThrough = (
  session: ReadonlyArray<RecordedLap>,
  set: Constants = constants,
  priors?: ReadonlyArray<Prior>
): Walk => {
  const laps = driven(session)
  const intervals = new AdaptiveInterval()
  const past: Array<Foreseen> = []
  let learnt: Learnt | undefined
  const foresee = (known: UsedLaps): Forecast | undefined => {
    if (known.used.length < MIN_LAPS) return undefined
    learnt = learn(known.used, learnt, set, priors)
    const best = Math.min(...known.used.map(({ lap }) => lap.lapTime))
    const low = best / PACE
    const high = best * PACE
    const alone = learnt.model.forecast(known, low, high)
    const median = alone.quantile(0.5)
    const { last: judged, pace } = learnt
    const joined = joinedTime(known, median, pace.forecast(stepAfter(known)).time, judged)
    const time = Math.min(high, Math.max(low, joined))
    const distribution = alone.moved(time - median)
    return { known, pace, judged, time, low, high, alone, distribution, held: intervals.held(known) }
  }
  const atPace = new Map<RecordedLap, TimedLap>(comparableLaps(laps).map((lap) => [lap, lap]))
  laps.forEach((one, at) => {
    const lap = atPace.get(one)
    const forecast = lap && foresee(usedLaps(laps.slice(0, at)))
    if (lap === undefined || forecast === undefined) return
    const aside = Math.abs(2 * forecast.distribution.below(lap.lapTime) - 1)
    const inside = aside <= forecast.held
    past.push({ lap, forecast, inside })
    intervals.learn(forecast.known, inside)
  })
  const known = usedLaps(laps)
  const next = foresee(known)
  const judgements = next && learnt ? learnt.model.judgements() : known.used.map(() => NOT_JUDGED)
  return { laps, known, judgements, past, next }
}

/** The ends of the forecast's interval, s. */
export const intervalOf = ({ distribution, held }: Forecast): readonly [low: number, high: number] => [
  distribution.quantile((1 - held) / 2),
  distribution.quantile((1 + held) / 2)
]
