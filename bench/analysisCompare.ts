/**
 * The cost of comparing five laps of some 6,000 points: the whole analysis, and only putting their points on a common
 * grid.
 *
 *   npm run bench -- analysisCompare        (RUNS by environment)
 */
import { compare as compareLaps } from "../src/analysis/compare/comparison.ts"
import { drivenLaps } from "./analysisLaps.ts"
import { resampleLaps } from "./baselines/resampleLaps.ts"
import { compare, type Figures, scaled } from "./suite/comparison.ts"

const LAPS = [2, 3, 4, 5, 6]
const POINTS = 6000
const TIMES = scaled(20, 2)

const laps = drivenLaps(LAPS, (lapTime) => POINTS / lapTime)

/** CPU of a call after the compiler has optimised it. */
const warm = async (work: () => ReadonlyArray<unknown>): Promise<Figures> => {
  for (let i = 0; i < TIMES; i++)
    if (work().length !== LAPS.length) throw new Error("not every lap was compared")
  const before = process.cpuUsage()
  for (let i = 0; i < TIMES; i++) work()
  const { system, user } = process.cpuUsage(before)
  return { "ms CPU": (system + user) / 1000 / TIMES }
}

await compare({
  title: `Comparing ${LAPS.length} laps of ${laps[0]!.points.length} points on a grid of 1 m`,
  subjects: [
    { name: "comparison", run: () => warm(() => compareLaps(laps).laps) },
    { name: "resampled by hand", run: () => warm(() => resampleLaps(laps)) }
  ],
  ratios: [{ figure: "ms CPU", of: "comparison", to: "resampled by hand" }]
})
