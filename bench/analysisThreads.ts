/**
 * The costs and savings of the workers' threads: the time of a comparison there and in the event loop, and the longest
 * stop of the event loop while a session's anomalies are computed on a thread and in the loop.
 *
 *   npm run bench -- analysisThreads        (LAPS, HZ, RUNS by environment)
 */
import type { LapData } from "../src/analysis/place/alignment.ts"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { setImmediate as turn } from "node:timers/promises"
import { Effect, ManagedRuntime } from "effect"
import { sessionAnomalies } from "../src/analysis/anomalies/anomalies.ts"
import { compare as compareLaps } from "../src/analysis/compare/comparison.ts"
import { AnalysisWorkers } from "../src/archive/AnalysisWorkers.ts"
import { drivenLaps } from "./analysisLaps.ts"
import { compare, scaled } from "./suite/comparison.ts"
import { setting } from "./suite/figures.ts"

const LAPS = setting("LAPS", scaled(100, 5))
const HZ = setting("HZ", 60)
const COMPARED = 5

/** New for each call: a computation on a thread takes over the points. */
const session = (laps = LAPS) =>
  drivenLaps(
    Array.from({ length: laps }, (_, index) => index + 1),
    () => HZ
  )

const millis = async (work: () => Promise<unknown>): Promise<number> => {
  const before = performance.now()
  await work()
  return performance.now() - before
}

/** The longest time that the event loop stood still, ms. */
const stalled = async (work: () => Promise<unknown>): Promise<number> => {
  const delays = monitorEventLoopDelay({ resolution: 1 })
  delays.enable()
  await turn()
  await work()
  // The stop is measured when the loop turns again.
  await turn()
  await turn()
  delays.disable()
  return delays.max / 1e6
}

const runtime = ManagedRuntime.make(AnalysisWorkers.layer)
const workers = await runtime.runPromise(AnalysisWorkers)
// The first call starts the thread.
await runtime.runPromise(workers.compare(Effect.succeed(session(COMPARED))))

const anomaliesOf = (all: ReadonlyArray<LapData>) => {
  const records = all.map(({ lap }) => lap)
  return workers.anomalies(1, records, [{ judged: records.map(({ id }) => id), laps: Effect.succeed(all) }])
}

const onThread = async () => {
  const [laps, all] = [session(COMPARED), session()]
  return {
    "ms of a comparison": await millis(() => runtime.runPromise(workers.compare(Effect.succeed(laps)))),
    "ms longest stall": await stalled(() => runtime.runPromise(anomaliesOf(all)))
  }
}

const inLoop = async () => {
  const [laps, all] = [session(COMPARED), session()]
  return {
    "ms of a comparison": await millis(async () => compareLaps(laps)),
    "ms longest stall": await stalled(async () => sessionAnomalies(1, all))
  }
}

await compare({
  title: `Comparing ${COMPARED} laps, anomalies of ${LAPS} laps, at ${HZ} Hz`,
  subjects: [
    { name: "on a thread", run: onThread },
    { name: "in the event loop", run: inLoop }
  ],
  ratios: [{ figure: "ms longest stall", of: "on a thread", to: "in the event loop" }]
})
await runtime.dispose()
