/**
 * Scores forecasts twice: as the service makes them, and with the constants that lap times alone decided (the last lap's shares
 * in the join, what intervals leave out at first and how fast that adapts) chosen anew for each session, on all other sessions. Sources
 * count alike in a choice, however many laps they have.
 */
import { AdaptiveInterval, type Adapting, LEVEL } from "../../../src/analysis/predictions/AdaptiveInterval.ts"
import { isEarly, joinedTime } from "../../../src/analysis/predictions/joined.ts"
import { rankedScore } from "../../../src/analysis/predictions/Mixture.ts"
import type { UsedLaps } from "../../../src/analysis/predictions/usedLaps.ts"
import { type Foreseen, stepAfter, walkThrough } from "../../../src/analysis/predictions/walk.ts"
import type { RaceSeries } from "../../../test/analysis/raceSeries.ts"
import { type Source, TIMED } from "./split.ts"

/** Smaller groups show nothing, and do not count in a choice. */
export const MIN_LAPS = 50

const SHARES = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
const FIRST = [0.05, 0.07, 0.09, 0.11, 0.13, 0.16, 0.2]
const ADAPTATION = [0.03, 0.05, 0.07, 0.1]
const INTERVALS = FIRST.flatMap((first) => ADAPTATION.map((adaptation) => ({ first, adaptation })))
const HORIZONS = ["directly", "afterMissed", "afterStanding"] as const

/** The error of a forecast, s, and whether its interval held the lap. */
export interface Score {
  readonly error: number
  readonly isInside: boolean
}

export interface Scored {
  readonly part: Source
  readonly of: RaceSeries
  readonly known: Pick<UsedLaps, "missed" | "stood"> & { readonly laps: number }
  /** Neither into nor out of the pits, nor behind a safety car. Timed sessions do not tell; there the next lap must be at pace. */
  readonly isRunning: boolean
  /** Of the last lap again, s. */
  readonly again: number
  readonly crps: number
  readonly service: Score
  readonly heldOut: Score
}

/** A forecast with each of the shares: its error, s, and how far out the lap was in its distribution, 0 to 1. */
interface Tried extends Omit<Scored, "heldOut"> {
  readonly errors: Float64Array
  readonly asides: Float64Array
}

const tried = (
  part: Source,
  of: RaceSeries,
  { forecast, inside, lap }: Foreseen,
  next: Foreseen | undefined
): Tried => {
  const { alone, distribution, high, judged, known, low, pace, time } = forecast
  const paced = pace.forecast(stepAfter(known))
  const median = alone.quantile(0.5)
  const errors = new Float64Array(SHARES.length)
  const asides = new Float64Array(SHARES.length)
  SHARES.forEach((share, at) => {
    const joined = joinedTime(known, median, paced.time, judged, { early: share, later: share })
    const there = Math.min(high, Math.max(low, joined))
    errors[at] = Math.abs(lap.lapTime - there)
    asides[at] = Math.abs(2 * alone.moved(there - median).below(lap.lapTime) - 1)
  })
  return {
    part,
    of,
    known: { missed: known.missed, stood: known.stood, laps: known.used.length },
    isRunning: part.name === TIMED ? next?.forecast.known.missed === 0 : of.facts[lap.id - 1]!.running,
    again: Math.abs(lap.lapTime - known.used.at(-1)!.lap.lapTime),
    crps: rankedScore(distribution, lap.lapTime, low, high, time, time * paced.deviation),
    service: { error: Math.abs(lap.lapTime - time), isInside: inside },
    errors,
    asides
  }
}

/**
 * For each session the candidate that costs least on all others. Each group of laps has the cost of its sum of `values` over its
 * sum of `weight`, and counts alike.
 */
const choices = (
  laps: ReadonlyArray<Tried>,
  candidates: number,
  groupOf: (lap: Tried) => string,
  values: (lap: Tried, candidate: number) => number,
  weight: (lap: Tried) => number,
  cost: (mean: number) => number
): ((session: string) => number) => {
  const sums = new Map<string, Map<string, Float64Array>>()
  for (const lap of laps) {
    const group = groupOf(lap)
    const sessions = sums.get(group) ?? new Map<string, Float64Array>()
    sums.set(group, sessions)
    const row = sessions.get(lap.of.event) ?? new Float64Array(candidates + 1)
    sessions.set(lap.of.event, row)
    for (let c = 0; c < candidates; c++) row[c]! += values(lap, c)
    row[candidates]! += weight(lap)
  }
  const known = new Map<string, number>()
  const chosen = (session: string): number => {
    const costs = Array.from({ length: candidates }, (_, c) => {
      const groups = [...sums.values()].flatMap((sessions) => {
        const others = [...sessions].filter(([name]) => name !== session).map(([, row]) => row)
        const all = others.reduce((sum, row) => sum + row[candidates]!, 0)
        return all < MIN_LAPS ? [] : [cost(others.reduce((sum, row) => sum + row[c]!, 0) / all)]
      })
      return groups.reduce((sum, one) => sum + one, 0)
    })
    return costs.indexOf(Math.min(...costs))
  }
  return (session) => {
    const found = known.get(session) ?? chosen(session)
    known.set(session, found)
    return found
  }
}

const horizonOf = ({ missed, stood }: Tried["known"]) => (missed === 0 ? 0 : stood ? 2 : 1)

/** Laps known, roughly: intervals have adapted to more. */
const stageOf = ({ laps }: Tried["known"]) => (isEarly(laps) ? "early" : laps < 15 ? "middle" : "late")

/** Whether such intervals of a series hold its laps. */
const heldBy = (
  laps: ReadonlyArray<Tried>,
  asideOf: (lap: Tried) => number,
  adapting: Adapting
): ReadonlyArray<boolean> => {
  const intervals = new AdaptiveInterval(adapting)
  return laps.map((lap) => {
    const isInside = asideOf(lap) <= intervals.held(lap.known)
    intervals.learn(lap.known, isInside)
    return isInside
  })
}

export const scoredTwice = (parts: ReadonlyArray<Source>): ReadonlyArray<Scored> => {
  const series = parts.flatMap((part) =>
    part.series.map((of) =>
      walkThrough(of.laps).past.map((one, at, past) => tried(part, of, one, past[at + 1]))
    )
  )
  const all = series.flat()
  const direct = all.filter(({ known }) => known.missed === 0)
  const [early, later] = [true, false].map((is) =>
    choices(
      direct.filter(({ known }) => isEarly(known.laps) === is),
      SHARES.length,
      ({ part }) => part.name,
      ({ errors }, c) => errors[c]!,
      ({ again }) => again,
      (ratio) => ratio
    )
  )
  const shareOf = ({ known, of }: Tried) => (isEarly(known.laps) ? early! : later!)(of.event)
  const asideOf = (lap: Tried) => lap.asides[shareOf(lap)]!
  // By lap: whether it is held with each of the intervals.
  const held = new Map<Tried, ReadonlyArray<boolean>>()
  for (const laps of series) {
    const rows = INTERVALS.map(({ adaptation, first }) =>
      heldBy(laps, asideOf, { adaptation, directly: first, afterMissed: first, afterStanding: first })
    )
    laps.forEach((lap, at) =>
      held.set(
        lap,
        rows.map((row) => row[at]!)
      )
    )
  }
  const firsts = HORIZONS.map((_, horizon) =>
    choices(
      all.filter(({ known }) => horizonOf(known) === horizon),
      INTERVALS.length,
      ({ known, part }) => `${part.name} ${stageOf(known)}`,
      (lap, c) => (held.get(lap)![c] === true ? 1 : 0),
      () => 1,
      (share) => (share - LEVEL) ** 2
    )
  )
  return all.map((lap) => ({
    ...lap,
    heldOut: {
      error: lap.errors[shareOf(lap)]!,
      isInside: held.get(lap)![firsts[horizonOf(lap.known)]!(lap.of.event)]!
    }
  }))
}
