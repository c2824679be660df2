/**
 * What the analyst's threads cost and save: the time of a first comparison, whose thread has to start, and of later
 * ones; and for how long the event loop stands still at most while a session's anomalies are computed, on it and
 * beside it.
 *
 *   npm run bench -- analysisThreads        (LAPS, HZ by environment)
 */
import { monitorEventLoopDelay } from "node:perf_hooks"
import { setImmediate as turn } from "node:timers/promises"
import { Effect } from "effect"
import { sessionAnomalies } from "../src/analysis/anomalies.ts"
import { compare } from "../src/analysis/comparison.ts"
import { Analyst } from "../src/archive/Analyst.ts"
import { drivenLaps } from "./analysisLaps.ts"

const setting = (name: string, fallback: number) => Number(process.env[name] ?? fallback)
const LAPS = setting("LAPS", 100)
const HZ = setting("HZ", 60)
const COMPARED = 5
const RUNS = 10

/** New at each call: whoever computes on a thread takes the points along. */
const session = (laps = LAPS) =>
  drivenLaps(
    Array.from({ length: laps }, (_, index) => index + 1),
    () => HZ
  )

const line = (name: string, millis: number) =>
  console.log(`${name.padEnd(46)} ${millis.toFixed(1).padStart(8)} ms`)

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const before = performance.now()
  await work()
  return performance.now() - before
}

/** The longest that the event loop stood still, ms. */
const stalled = async (work: () => Promise<unknown>): Promise<number> => {
  const delays = monitorEventLoopDelay({ resolution: 1 })
  delays.enable()
  await turn()
  await work()
  // What stood still is counted when the loop turns again.
  await turn()
  await turn()
  delays.disable()
  return delays.max / 1e6
}

const median = (times: ReadonlyArray<number>) => times.toSorted((a, b) => a - b)[times.length >> 1]!

const program = Effect.gen(function* () {
  const analyst = yield* Analyst
  console.log(`compare ${COMPARED} laps, anomalies of ${LAPS} laps, at ${HZ} Hz`)
  const onThread: Array<number> = []
  const inLoop: Array<number> = []
  for (let run = 0; run < RUNS; run++) {
    const laps = session(COMPARED)
    inLoop.push(yield* Effect.promise(() => timed(async () => compare(laps))))
    const comparison = analyst.compare(Effect.succeed(laps))
    onThread.push(yield* Effect.promise(() => timed(() => Effect.runPromise(comparison))))
  }
  line("first comparison on a thread", onThread[0]!)
  line("later ones, median", median(onThread.slice(1)))
  line("first comparison in the event loop", inLoop[0]!)
  line("later ones, median", median(inLoop.slice(1)))

  const anomalies = analyst.anomalies(1, Effect.succeed(session()))
  const beside = yield* Effect.promise(() => stalled(() => Effect.runPromise(anomalies)))
  line("longest stall, anomalies on a thread", beside)
  const laps = session()
  const within = yield* Effect.promise(() => stalled(async () => sessionAnomalies(1, laps)))
  line("longest stall, anomalies in the event loop", within)
})

await Effect.runPromise(Effect.provide(program, Analyst.layer))
