/**
 * Lap times by source. Shares, intervals and the quantiles of laps ahead are held out by session (heldOut.ts, measureAhead.ts), PaceModel's
 * prior by season and race (measurePriors.ts).
 */
import {
  enduranceRaces,
  formula1Races,
  type RaceSeries,
  timedSessions
} from "../../../test/analysis/raceSeries.ts"

export interface Source {
  readonly name: string
  readonly series: ReadonlyArray<RaceSeries>
}

export const TIMED = "timed sessions"

export const sources = (): ReadonlyArray<Source> => [
  { name: "Formula 1 races of 2018 and 2019", series: formula1Races(["2018", "2019"]) },
  { name: "Formula 1 races of 2021", series: formula1Races(["2021"]) },
  { name: "Formula 1 races of 2022", series: formula1Races(["2022"]) },
  { name: "endurance races", series: enduranceRaces() },
  { name: TIMED, series: timedSessions() }
]
