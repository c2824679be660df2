/**
 * One hostile feed beside a good one at 1 kHz: the time that `/health` takes, and the memory, compared with the good
 * feed alone. No point of the good feed may be missing.
 *
 *   npm run bench -- hostile        (SECONDS, RUNS, ONLY=part of a subject by environment)
 */
import { setTimeout as sleep } from "node:timers/promises"
import { compare, type Figures, scaled } from "./suite/comparison.ts"
import { quantiles, setting } from "./suite/figures.ts"
import { startProgram } from "./suite/programs.ts"
import { simulated } from "./suite/simulated.ts"

const SECONDS = setting("SECONDS", scaled(10, 1))
const HZ = 1000
const EVERY_MS = 20
const MIB = 2 ** 20

/** Names of `floods` in hostile/flood.ts. */
const FLOODS = ["sessions", "laps", "points of nothing", "long texts", "deep JSON", "many keys"]

interface Session {
  readonly id: number
  readonly vehicle: string
}

interface Range {
  readonly total_points: number
  readonly points: ReadonlyArray<{ readonly timestamp: number }>
}

/** Measures with a hostile feed, or without. */
const beside = async (flood: string | undefined): Promise<Figures> => {
  const { service, simulator } = await simulated("--rate", String(HZ))
  const json = async <A>(path: string) => (await (await fetch(`${service.url}/api/v1${path}`)).json()) as A
  while ((await json<{ readonly items: ReadonlyArray<Session> }>("/sessions")).items.length === 0)
    await sleep(20)
  const [good] = (await json<{ readonly items: ReadonlyArray<Session> }>("/sessions")).items
  const hostile = flood === undefined ? undefined : await startProgram("hostile/flood.ts", [flood])
  if (hostile !== undefined) {
    const body = { host: "127.0.0.1", port: Number(hostile.line), app_name: "flood", simulator: "native" }
    const answer = await fetch(`${service.url}/api/v1/connect`, {
      method: "POST",
      body: JSON.stringify(body)
    })
    if (!answer.ok) throw new Error(await answer.text())
  }
  service.forgetPeak()
  const before = service.cpuSeconds()
  const took: Array<number> = []
  for (const until = performance.now() + SECONDS * 1000; performance.now() < until;) {
    const asked = performance.now()
    const answer = await fetch(`${service.url}/api/v1/health`)
    await answer.arrayBuffer()
    if (!answer.ok) throw new Error(`/health is ${answer.status}`)
    took.push(performance.now() - asked)
    await sleep(EVERY_MS)
  }
  const cpu = service.cpuSeconds() - before
  const { peak } = service.memory()
  await hostile?.stop("SIGKILL")
  await simulator.stop()
  const { points, total_points } = await json<Range>(
    `/telemetry/range?session_id=${good!.id}&sample_rate=100000`
  )
  const length = points.at(-1)!.timestamp - points[0]!.timestamp
  if (total_points !== Math.round(length * HZ) + 1)
    throw new Error(`${total_points} points are there of ${length} s of the good feed`)
  await service.stop()
  const { p50, p99 } = quantiles(took)
  return {
    "ms health p50": p50,
    "ms health p99": p99,
    "MiB at most": peak / MIB,
    "cores of the service": cpu / SECONDS
  }
}

const ALONE = "the good feed alone"
const subjects = FLOODS.map((name) => ({ name, run: () => beside(name) }))
await compare({
  title: `one hostile feed beside one at ${HZ} Hz, ${SECONDS} s`,
  subjects: [{ name: ALONE, run: () => beside(undefined) }, ...subjects],
  ratios: subjects.flatMap(({ name }) => [
    { figure: "ms health p99", of: name, to: ALONE },
    { figure: "MiB at most", of: name, to: ALONE }
  ])
})
