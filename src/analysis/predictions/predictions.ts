/**
 * Predicts the next lap's time, if it is a running lap at pace, from the session's laps so far, and serves its own back-test
 * with it.
 *
 * LapTimeModel and PaceModel together give the time, AdaptiveInterval the width of its interval, and PaceModel the laps
 * after the next. The back-test has a rolling origin (Hyndman & Athanasopoulos, Forecasting: Principles and Practice,
 * 3rd ed., section 5.10): each lap at pace is predicted from those before it alone, and also by persistence, which
 * repeats the last lap at pace.
 */
import type { OfLaps } from "../../domain/analysis/parts.ts"
import type { Prediction } from "../../domain/analysis/predictions.ts"
import { toMicros } from "../../domain/Time.ts"
import type { RecordedLap } from "../../domain/Lap.ts"
import type { LapKinds } from "../lapKinds/placedLaps.ts"
import { algorithmVersion } from "../algorithmVersion.ts"
import { theoreticalBest, type TimedLap } from "../compare/comparable.ts"
import { LEVEL } from "./AdaptiveInterval.ts"
import { lapsAhead } from "./ahead.ts"
import { rankedScore } from "./Mixture.ts"
import { stintsOf } from "./stints.ts"
import { MIN_LAPS, type Foreseen, intervalOf, stepAfter, walkThrough } from "./walk.ts"
import { mad, MAD_TO_SIGMA, mean, median, theilSen } from "../math/robust.ts"

/** A trend covers at most this many laps: fuel and tyres change it. */
const WINDOW = 12

const lineOf = (stint: ReadonlyArray<TimedLap>) =>
  theilSen(
    stint.map((lap) => lap.lapNumber),
    stint.map((lap) => lap.lapTime)
  )

const trendOf = (stint: ReadonlyArray<TimedLap>): number | null =>
  stint.length < MIN_LAPS ? null : toMicros(lineOf(stint.slice(-WINDOW)).slope)

/** How far a stint's laps lie from the line through as many of them as a trend covers, s. */
const restsOf = (stint: ReadonlyArray<TimedLap>): ReadonlyArray<number> => {
  const rests: Array<number> = []
  for (let to = stint.length; to > 0; to -= WINDOW) {
    const laps = stint.slice(Math.max(0, to - WINDOW), to)
    // Two laps show no trend, and one shows no spread either.
    if (laps.length < 2) break
    const { intercept, slope } = lineOf(laps)
    const middle = median(laps.map((lap) => lap.lapTime))
    for (const { lapNumber: lap_number, lapTime: lap_time } of laps) {
      rests.push(lap_time - (laps.length < MIN_LAPS ? middle : intercept + slope * lap_number))
    }
  }
  return rests
}

const orNull = (value: number): number | null => (Number.isFinite(value) ? toMicros(value) : null)

const scoreOf = ({ forecast, lap }: Foreseen): number => {
  const { distribution, high, low, pace, time } = forecast
  const scale = time * pace.forecast(stepAfter(forecast.known)).deviation
  return rankedScore(distribution, lap.lapTime, low, high, time, scale)
}

const backTestOf = (past: ReadonlyArray<Foreseen>): Prediction["backTest"] => {
  const errors = past.map(({ forecast, lap }) => Math.abs(lap.lapTime - forecast.time))
  const again = past.map(({ forecast, lap }) =>
    Math.abs(lap.lapTime - forecast.known.used.at(-1)!.lap.lapTime)
  )
  return {
    predictions: past.length,
    maeModel: orNull(mean(errors)),
    maePersistence: orNull(mean(again)),
    answeredBy: "model",
    crps: orNull(mean(past.map(scoreOf))),
    coverage: orNull(past.filter((one) => one.inside).length / past.length),
    intervals: past.length
  }
}

const counted = (laps: number) => (laps === 1 ? "1 lap" : `${laps} laps`)

const tooFew = (laps: number): string =>
  `At least ${MIN_LAPS} valid laps within 107 % of the best are needed for a prediction, ` +
  `there ${laps === 1 ? "is" : "are"} ${laps}`

const sentence = (lapNumber: number, missed: number, tested: Prediction["backTest"]): string => {
  const { maeModel: error, maePersistence: again, predictions } = tested
  const pause = missed === 0 ? "" : `, the first after ${counted(missed)} not at pace`
  const basis =
    `The time of lap ${lapNumber} if it is a lap at pace (valid, within 107 % of the best) and not into or out of the pits${pause}: ` +
    "from the level and the trend of the laps so far"
  return error === null || again === null
    ? basis
    : `${basis}, which was off by ${error.toFixed(3)} s on average over ${counted(predictions)}, ` +
        `the last lap again by ${again.toFixed(3)} s`
}

/**
 * Predicts the lap after the last of a session's laps. Takes all laps in any order; those that may not be used are left
 * out, and so are laps in and out of the pits, under a neutralisation and from the start (`kinds`).
 */
export const predictNextLap = (
  session: ReadonlyArray<RecordedLap>,
  kinds: LapKinds = new Map()
): OfLaps<Prediction> => {
  // The walk takes a lap without a time for one that was not driven at pace.
  const judged = session.map((lap) => (kinds.has(lap.id) ? { ...lap, lapTime: null } : lap))
  const { judgements, known, laps, next, past } = walkThrough(judged)
  const { leftOut, stints } = stintsOf(laps, known, judgements, kinds)
  const stint = stints.at(-1)
  const backTest = backTestOf(past)
  const common = {
    algorithmVersion,
    theoreticalBest: theoreticalBest(session),
    lapsUsed: stints.reduce((sum, { length }) => sum + length, 0),
    lapsLeftOut: leftOut,
    stint: stint === undefined ? null : { firstLapNumber: stint[0]!.lapNumber, laps: stint.length },
    backTest
  }
  if (next === undefined) {
    return {
      ...common,
      predictedLapTime: null,
      confidenceInterval: null,
      confidenceLevel: null,
      lapsAhead: [],
      consistency: null,
      trendPerLap: null,
      message: tooFew(known.used.length)
    }
  }
  const [low, high] = intervalOf(next)
  return {
    ...common,
    predictedLapTime: toMicros(next.time),
    confidenceInterval: [toMicros(low), toMicros(high)],
    confidenceLevel: LEVEL,
    lapsAhead: lapsAhead(next),
    consistency: orNull(MAD_TO_SIGMA * mad(stints.flatMap(restsOf), 0)),
    trendPerLap: stint === undefined ? null : trendOf(stint),
    message: sentence(laps.at(-1)!.lapNumber + 1, known.missed, backTest)
  }
}
