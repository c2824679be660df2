/**
 * The anomalies of a session of 100 laps at 60 Hz (about 560,000 points), and the part of it that puts the laps on a
 * common axis.
 *
 *   npm run bench -- analysisSession        (LAPS, HZ, RUNS by environment)
 */
import { align } from "../src/analysis/place/alignment.ts"
import { sessionAnomalies } from "../src/analysis/anomalies/anomalies.ts"
import { drivenLaps } from "./analysisLaps.ts"
import { compare, type Figures, scaled } from "./suite/comparison.ts"
import { setting } from "./suite/figures.ts"

const LAPS = setting("LAPS", scaled(100, 5))
const HZ = setting("HZ", 60)

const session = drivenLaps(
  Array.from({ length: LAPS }, (_, index) => index + 1),
  () => HZ
)
const points = session.reduce((sum, lap) => sum + lap.points.length, 0)
const { total } = sessionAnomalies(1, session)

const cpu = async (work: () => void): Promise<Figures> => {
  const before = process.cpuUsage()
  work()
  const { system, user } = process.cpuUsage(before)
  return { "ms CPU": (system + user) / 1000 }
}

await compare({
  title: `Anomalies of ${LAPS} laps at ${HZ} Hz, ${points} points`,
  subjects: [
    {
      name: "anomalies, with alignment",
      run: () =>
        cpu(() => {
          if (sessionAnomalies(1, session).total !== total) throw new Error("other anomalies than before")
        })
    },
    { name: "alignment at 5 m", run: () => cpu(() => void align(session, 5)) }
  ],
  ratios: [{ figure: "ms CPU", of: "anomalies, with alignment", to: "alignment at 5 m" }]
})
