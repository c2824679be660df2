/**
 * The anomalies of a session of 100 laps at 60 Hz (about 560,000 points): CPU, best and median of the runs, with
 * what of it is putting the laps on a common axis. The target is under 1 s.
 *
 *   npm run bench -- analysisSession        (LAPS, HZ, RUNS by environment)
 */
import { align } from "../src/analysis/alignment.ts"
import { sessionAnomalies } from "../src/analysis/anomalies.ts"
import { drivenLaps } from "./analysisLaps.ts"

const setting = (name: string, fallback: number) => Number(process.env[name] ?? fallback)
const LAPS = setting("LAPS", 100)
const HZ = setting("HZ", 60)
const RUNS = setting("RUNS", 7)

const session = drivenLaps(
  Array.from({ length: LAPS }, (_, index) => index + 1),
  () => HZ
)

/** Milliseconds of CPU of each run, sorted. */
const measure = (work: () => unknown): ReadonlyArray<number> =>
  Array.from({ length: RUNS }, () => {
    const before = process.cpuUsage()
    work()
    const { system, user } = process.cpuUsage(before)
    return (system + user) / 1000
  }).sort((a, b) => a - b)

const line = (name: string, runs: ReadonlyArray<number>) =>
  console.log(
    `${name.padEnd(34)} ${runs[0]!.toFixed(0).padStart(6)} ms best ` +
      `${runs[runs.length >> 1]!.toFixed(0).padStart(6)} ms median`
  )

const points = session.reduce((sum, lap) => sum + lap.points.length, 0)
const { total } = sessionAnomalies(1, session)
console.log(`${LAPS} laps at ${HZ} Hz, ${points} points, ${total} anomalies; CPU of ${RUNS} runs`)
line(
  "alignment at 5 m",
  measure(() => align(session, 5))
)
line(
  "anomalies, alignment included",
  measure(() => sessionAnomalies(1, session))
)
