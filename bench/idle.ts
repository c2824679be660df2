/**
 * CPU of a process that has nothing to do: the service with nothing connected, the service with one simulator at 60 Hz, and Node
 * with an HTTP server that nobody asks.
 *
 *   npm run bench -- idle        (SECONDS, RUNS by environment)
 */
import { setTimeout as sleep } from "node:timers/promises"
import { compare, type Figures, scaled } from "./suite/comparison.ts"
import { setting } from "./suite/figures.ts"
import { type Program, type Service, startProgram, startService } from "./suite/programs.ts"
import { simulated } from "./suite/simulated.ts"

const SECONDS = setting("SECONDS", scaled(10, 1))
/** What starting leaves to be done, such as collecting garbage, is over by then. */
const SETTLE_MS = scaled(3000, 200)
const HZ = 60
/** Small, on a machine that may be busy with other things, not even one need have come. */
const MIN_POINTS = scaled((HZ * SECONDS) / 2, 0)

interface Status {
  readonly connections: ReadonlyArray<{ readonly points_received: number }>
}

const received = async ({ url }: Service): Promise<number> => {
  const { connections } = (await (await fetch(`${url}/api/v1/status`)).json()) as Status
  return connections[0]?.points_received ?? 0
}

const watched = async (program: Program): Promise<Figures> => {
  await sleep(SETTLE_MS)
  const before = program.cpuSeconds()
  await sleep(SECONDS * 1000)
  return { "ms CPU a second": ((program.cpuSeconds() - before) * 1000) / SECONDS }
}

const alone = async (start: () => Promise<Program>) => {
  const program = await start()
  const figures = await watched(program)
  await program.stop()
  return figures
}

const withSimulator = async () => {
  const { service, simulator } = await simulated("--rate", String(HZ))
  const before = await received(service)
  const figures = await watched(service)
  const points = (await received(service)) - before
  if (points < MIN_POINTS) throw new Error(`only ${points} points arrived`)
  await service.stop()
  await simulator.stop()
  return figures
}

await compare({
  title: `Idle for ${SECONDS} s`,
  subjects: [
    { name: "service", run: () => alone(() => startService()) },
    { name: `service, a simulator at ${HZ} Hz`, run: withSimulator },
    { name: "node:http", run: () => alone(() => startProgram("baselines/answerHttp.js", ["/", "{}"])) }
  ]
})
