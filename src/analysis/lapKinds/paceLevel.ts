/**
 * The pace of a session as it changes: fuel burns, tyres age, a track gets faster. A lap's level is the
 * median of the running laps around it in its stint, without itself.
 *
 * A session whose laps scatter about one pace has one level: medians of a few laps would only add noise.
 */
import type { RecordedLap } from "../../domain/Lap.ts"
import { isTimed, PACE, type TimedLap } from "../compare/comparable.ts"
import { median, robustSigma } from "../math/robust.ts"
import type { LapKind } from "./placedLaps.ts"
import { endsStint, isLastOfStint, isMissed } from "./stint.ts"

/** The laps around: three before and three after, so that a trend of fuel or tyres is the same on both sides. */
const WINDOW = 6
/** Fewer laps show no level of their own stint. */
const MIN_LEVEL = 2
/** With fewer running laps than this, a level that changes cannot be told from chance. */
const MIN_LAPS = 8
/** Levels must leave at most this share of the spread: half of the variance. Medians of noise leave all of it. */
const EXPLAINS = Math.SQRT1_2

interface At {
  readonly order: number
  readonly stint: number
  readonly time: number
}

/** The nearest in order, the earlier first of two. */
const nearest = (laps: ReadonlyArray<At>, order: number): ReadonlyArray<At> =>
  laps
    .toSorted((a, b) => Math.abs(a.order - order) - Math.abs(b.order - order) || a.order - b.order)
    .slice(0, WINDOW)

const levelOf = (running: ReadonlyArray<At>, order: number, stint: number): number => {
  const others = running.filter((lap) => lap.order !== order)
  const own = others.filter((lap) => lap.stint === stint)
  return median(nearest(own.length < MIN_LEVEL ? others : own, order).map(({ time }) => time))
}

/**
 * The level of each lap by id, as a multiple of the session's middle one; undefined where the session has one level.
 * `session`: all laps, in the order driven.
 */
export const paceLevels = (
  session: ReadonlyArray<RecordedLap>,
  runningLaps: ReadonlyArray<TimedLap>,
  kindsOf: (lapId: number) => ReadonlySet<LapKind>
): ReadonlyMap<number, number> | undefined => {
  if (runningLaps.length < MIN_LAPS) return undefined
  const times = new Map(runningLaps.map(({ id, lapTime }) => [id, lapTime]))
  const middle = median(runningLaps.map(({ lapTime }) => lapTime))
  let stint = 0
  let missed = 0
  const places = session.map((lap, order) => {
    const kinds = kindsOf(lap.id)
    const atPace = isTimed(lap) && lap.lapTime <= PACE * middle
    const ended = endsStint(missed)
    missed = atPace ? 0 : missed + Number(isMissed(kinds, atPace))
    if (endsStint(missed) && !ended) stint++
    const place = { lap, order, stint }
    if (isLastOfStint(kinds)) stint++
    return place
  })
  const running = places.flatMap(({ lap, order, stint }): ReadonlyArray<At> => {
    const time = times.get(lap.id)
    return time === undefined ? [] : [{ order, stint, time }]
  })
  const level = new Map(places.map(({ lap, order, stint }) => [lap.id, levelOf(running, order, stint)]))
  const whole = robustSigma(running.map(({ time }) => time))
  const rest = robustSigma(runningLaps.map(({ id, lapTime }) => lapTime - level.get(id)!))
  if (!(rest <= EXPLAINS * whole)) return undefined
  return new Map([...level].map(([id, seconds]) => [id, seconds / middle]))
}
