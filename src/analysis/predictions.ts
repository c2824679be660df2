/**
 * The next lap's time, if it is a lap at pace, from the session's laps so far, served beside its own back-test.
 *
 * What the time will be is LapTimeModel's to say, how wide its interval has to be AdaptiveInterval's. The back-test has
 * a rolling origin (Hyndman & Athanasopoulos, Forecasting: Principles and Practice, 3rd ed., section 5.10): each lap at
 * pace is predicted from those before it alone, and so it is by persistence, the last lap at pace again.
 */
import { toMicros } from "../domain/Time.ts"
import type { RecordedLap } from "../domain/Lap.ts"
import { algorithm_version } from "./algorithmVersion.ts"
import { theoreticalBest, type TimedLap } from "./comparable.ts"
import { LEVEL } from "./predictions/AdaptiveInterval.ts"
import { type LeftOut, stintsOf } from "./predictions/stints.ts"
import { MIN_LAPS, type Foreseen, intervalOf, expectedTime, walkThrough } from "./predictions/walk.ts"
import { mad, MAD_TO_SIGMA, mean, median, theilSen } from "./robust.ts"

/** How the model, and the last lap again, did on the session's past laps. Errors in seconds; null before the first. */
export interface BackTest {
  /** Laps at pace that had one before them. */
  readonly predictions: number
  readonly mae_model: number | null
  readonly mae_persistence: number | null
  /** The model always answers; persistence is what it is held against. */
  readonly answered_by: "model"
  /** Share of the laps that lay in the interval stated before them, and how many had one. */
  readonly coverage: number | null
  readonly intervals: number
}

/** The laps since the level last began anew: after a stop, a gap, or a jump. */
export interface Stint {
  readonly first_lap_number: number
  /** Laps at pace in it that are no outliers. */
  readonly laps: number
}

/** Times in seconds; null where too few laps tell. */
export interface Prediction {
  readonly algorithm_version: string
  readonly predicted_lap_time: number | null
  readonly confidence_interval: readonly [low: number, high: number] | null
  /** 0..1: the chance that the next lap at pace lies in the interval. */
  readonly confidence_level: number | null
  readonly theoretical_best: number | null
  /** The standard deviation of the lap times around the trend of their stint, by the MAD, s: less is steadier. */
  readonly consistency: number | null
  /** Seconds a lap that the current stint gets slower (or, below 0, faster), by Theil-Sen over its newest laps. */
  readonly trend_per_lap: number | null
  /** Valid laps within 107 % of the best that are no outliers. */
  readonly laps_used: number
  /** The session's other laps, in the order driven. */
  readonly laps_left_out: ReadonlyArray<LeftOut>
  /** The one under way; null where there is no lap to use. */
  readonly stint: Stint | null
  readonly message: string
  readonly back_test: BackTest
}

/** A trend is over these many laps at most: fuel and tyres change it. */
const WINDOW = 12

const lineOf = (stint: ReadonlyArray<TimedLap>) =>
  theilSen(
    stint.map((lap) => lap.lap_number),
    stint.map((lap) => lap.lap_time)
  )

const trendOf = (stint: ReadonlyArray<TimedLap>): number | null =>
  stint.length < MIN_LAPS ? null : toMicros(lineOf(stint.slice(-WINDOW)).slope)

/** How far a stint's laps lie from the line through as many of them as a trend is over, s. */
const restsOf = (stint: ReadonlyArray<TimedLap>): ReadonlyArray<number> => {
  const rests: Array<number> = []
  for (let to = stint.length; to > 0; to -= WINDOW) {
    const laps = stint.slice(Math.max(0, to - WINDOW), to)
    // Two laps have no trend, and one has no spread either.
    if (laps.length < 2) break
    const { intercept, slope } = lineOf(laps)
    const middle = median(laps.map((lap) => lap.lap_time))
    for (const { lap_number, lap_time } of laps) {
      rests.push(lap_time - (laps.length < MIN_LAPS ? middle : intercept + slope * lap_number))
    }
  }
  return rests
}

const orNull = (value: number): number | null => (Number.isFinite(value) ? toMicros(value) : null)

const backTest = (past: ReadonlyArray<Foreseen>): BackTest => {
  const errors = past.map(({ forecast, lap }) => Math.abs(lap.lap_time - expectedTime(forecast)))
  const again = past.map(({ forecast, lap }) =>
    Math.abs(lap.lap_time - forecast.known.used.at(-1)!.lap.lap_time)
  )
  return {
    predictions: past.length,
    mae_model: orNull(mean(errors)),
    mae_persistence: orNull(mean(again)),
    answered_by: "model",
    coverage: orNull(past.filter((one) => one.inside).length / past.length),
    intervals: past.length
  }
}

const counted = (laps: number) => (laps === 1 ? "1 lap" : `${laps} laps`)

const tooFew = (laps: number): string =>
  `At least ${MIN_LAPS} valid laps within 107 % of the best are needed for a prediction, ` +
  `there ${laps === 1 ? "is" : "are"} ${laps}`

const sentence = (lapNumber: number, missed: number, tested: BackTest): string => {
  const { mae_model: error, mae_persistence: again, predictions } = tested
  const pause = missed === 0 ? "" : `, the first after ${counted(missed)} not at pace`
  const basis =
    `The time of lap ${lapNumber} if it is a lap at pace (valid, within 107 % of the best)${pause}: ` +
    "from the level and the trend of the laps so far"
  return error === null || again === null
    ? basis
    : `${basis}, which was off by ${error.toFixed(3)} s on average over ${counted(predictions)}, ` +
        `the last lap again by ${again.toFixed(3)} s`
}

/** Predicts the lap after the last of a session's laps (any order, all laps: what may not be used is left out). */
export const predictNextLap = (session: ReadonlyArray<RecordedLap>): Prediction => {
  const { judgements, known, laps, next, past } = walkThrough(session)
  const { leftOut, stints } = stintsOf(laps, known, judgements)
  const stint = stints.at(-1)
  const back_test = backTest(past)
  const common = {
    algorithm_version,
    theoretical_best: theoreticalBest(session),
    laps_used: stints.reduce((sum, { length }) => sum + length, 0),
    laps_left_out: leftOut,
    stint: stint === undefined ? null : { first_lap_number: stint[0]!.lap_number, laps: stint.length },
    back_test
  }
  if (next === undefined) {
    return {
      ...common,
      predicted_lap_time: null,
      confidence_interval: null,
      confidence_level: null,
      consistency: null,
      trend_per_lap: null,
      message: tooFew(known.used.length)
    }
  }
  const [low, high] = intervalOf(next)
  return {
    ...common,
    predicted_lap_time: toMicros(expectedTime(next)),
    confidence_interval: [toMicros(low), toMicros(high)],
    confidence_level: LEVEL,
    consistency: orNull(MAD_TO_SIGMA * mad(stints.flatMap(restsOf), 0)),
    trend_per_lap: stint === undefined ? null : trendOf(stint),
    message: sentence(laps.at(-1)!.lap_number + 1, known.missed, back_test)
  }
}
