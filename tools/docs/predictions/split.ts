/**
 * The lap times that constants were chosen on, and those that nothing was fitted to. The constants of LapTimeModel, the
 * shares of the join, the first widths of intervals and the quantiles of laps ahead come from the fitted ones alone; the
 * priors of PaceModel are from elsewhere (Formula 1's races of 2018, 2019 and 2021).
 */
import {
  enduranceRaces,
  formula1Races,
  type RaceSeries,
  timedSessions
} from "../../../test/analysis/raceSeries.ts"

export interface Part {
  readonly name: string
  readonly isFitted: boolean
  readonly series: ReadonlyArray<RaceSeries>
}

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
