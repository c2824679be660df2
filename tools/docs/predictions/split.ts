/**
 * Lap times by source. By halves for what is fitted once: the quantiles of laps ahead come from the fitted ones alone. The other
 * constants are held out by session (heldOut.ts), those of LapTimeModel were compared on the fitted ones, and the priors of
 * PaceModel are from elsewhere (Formula 1's races of 2018, 2019 and 2021).
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

export interface Part extends Source {
  readonly isFitted: boolean
}

export const TIMED = "timed sessions"

export const sources = (): ReadonlyArray<Source> => [
  { name: "Formula 1 races of 2018 and 2019", series: formula1Races(["2018", "2019"]) },
  { name: "Formula 1 races of 2021", series: formula1Races(["2021"]) },
  { name: "Formula 1 races of 2022", series: formula1Races(["2022"]) },
  { name: "endurance races", series: enduranceRaces() },
  { name: TIMED, series: timedSessions() }
]

/** Half of the timed sessions: every second car. */
const half = (odd: boolean) => timedSessions().filter((_, at) => (at % 2 === 1) === odd)

export const parts = (): ReadonlyArray<Part> => [
  { name: "Formula 1 races of 2018 and 2019", isFitted: true, series: formula1Races(["2018", "2019"]) },
  { name: "timed sessions, one half", isFitted: true, series: half(false) },
  { name: "Formula 1 races of 2021", isFitted: false, series: formula1Races(["2021"]) },
  { name: "Formula 1 races of 2022", isFitted: false, series: formula1Races(["2022"]) },
  { name: "endurance races", isFitted: false, series: enduranceRaces() },
  { name: "timed sessions, the other half", isFitted: false, series: half(true) }
]
