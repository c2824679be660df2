/**
 * The anomalies of a long session over HTTP: 2,000 laps and two million points, for which time and memory must stay
 * bounded; and a tenth of them: in the long session a lap should cost no more than in that. Meanwhile `/health` is
 * asked every 50 ms: its slowest answers show for how long nothing else was done.
 *
 *   npm run bench -- analysisLong        (LAPS, RUNS by environment)
 */
import { setTimeout as sleep } from "node:timers/promises"
import { drivenLaps } from "./analysisLaps.ts"
import { compare, type Figures, scaled } from "./suite/comparison.ts"
import { quantiles, setting } from "./suite/figures.ts"
import { recordedLaps } from "./suite/recordedSession.ts"

const LAPS = setting("LAPS", scaled(2000, 40))
/** A lap of a minute and a half has a thousand points. */
const HZ = 11
const HEALTH_EVERY_MS = 50
const MIB = 1024 * 1024

const asked = async (url: string): Promise<number> => {
  const before = performance.now()
  const response = await fetch(url)
  await response.arrayBuffer()
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}`)
  return performance.now() - before
}

const judged = async (laps: number): Promise<Figures> => {
  const numbers = Array.from({ length: laps }, (_, index) => index + 1)
  const service = await recordedLaps(drivenLaps(numbers, () => HZ))
  const kept = (await (await fetch(`${service.url}/api/v1/1/laps`)).json()) as ReadonlyArray<unknown>
  if (kept.length !== laps) throw new Error(`${kept.length} laps are kept of ${laps}`)
  const { now } = service.memory()
  service.forgetPeak()
  const cpu = service.cpuSeconds()
  const answer = new AbortController()
  const health: Array<number> = []
  const beside = (async () => {
    while (!answer.signal.aborted) {
      health.push(await asked(`${service.url}/api/v1/health`))
      await sleep(HEALTH_EVERY_MS)
    }
  })()
  const before = performance.now()
  const response = await fetch(`${service.url}/api/v1/analysis/anomalies/1`)
  const seconds = (performance.now() - before) / 1000
  answer.abort()
  await beside
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`)
  const figures = {
    s: seconds,
    "ms CPU a lap": ((service.cpuSeconds() - cpu) * 1000) / laps,
    "MiB before": now / MIB,
    "MiB more at most": (service.memory().peak - now) / MIB,
    "ms of /health beside, 99 %": quantiles(health).p99
  }
  await service.stop()
  return figures
}

const long = { name: `${LAPS} laps`, run: () => judged(LAPS) }
const short = { name: `${LAPS / 10} laps`, run: () => judged(LAPS / 10) }

await compare({
  title: `Anomalies of a long session, laps of a thousand points`,
  subjects: [long, short],
  ratios: [{ figure: "ms CPU a lap", of: long.name, to: short.name }]
})
