/**
 * The cost of a service that has little to do: CPU, memory and wake-ups, with nothing connected and with one car at 60
 * Hz. Beside it, Node with an HTTP server that gets no requests, and the program by hand that stores the same points in
 * the same blocks on the same SQLite, and commits as often (baselines/pipeline.ts). And one car while a browser shows the live
 * page: the service's own cost, without the browser's.
 *
 * A car is measured half a minute after it was connected: until then V8's compiler takes as much CPU again.
 *
 *   npm run bench -- idle        (SECONDS, WARM_UP, RUNS, ONLY=part of a title by environment)
 */
import { setTimeout as sleep } from "node:timers/promises"
import { browsing, hasBrowser, openLive } from "./suite/browsing.ts"
import { compare, type Figures, scaled, smoke, wanted } from "./suite/comparison.ts"
import { embedded } from "./suite/embedded.ts"
import { setting } from "./suite/figures.ts"
import { type Program, startProgram, startService } from "./suite/programs.ts"
import { connected } from "./suite/simulated.ts"

const SECONDS = setting("SECONDS", scaled(20, 1))
const WARM_UP = setting("WARM_UP", scaled(30, 0.2))
/** By then, work that is left over from the start, such as collecting garbage, is done. */
const SETTLE_MS = scaled(3000, 200)
const HZ = 60
/** In smoke runs, on a machine that may be busy, not even one point need have arrived. */
const MIN_POINTS = scaled((HZ * SECONDS) / 2, 0)
const CPU = "% of a core"
const MIB = 1024 * 1024

interface Status {
  readonly connections: ReadonlyArray<{ readonly points_received: number; readonly points_stored: number }>
}

interface Subject {
  readonly program: Program
  readonly url: string
  readonly stop: () => Promise<void>
}

const counts = async (url: string) => {
  const { connections } = (await (await fetch(`${url}/api/v1/status`)).json()) as Status
  return connections[0] ?? { points_received: 0, points_stored: 0 }
}

const watched = async (program: Program): Promise<Figures> => {
  const cpu = program.cpuSeconds()
  const wakeUps = program.wakeUps()
  await sleep(SECONDS * 1000)
  return {
    [CPU]: ((program.cpuSeconds() - cpu) * 100) / SECONDS,
    "MiB resident": program.memory().now / MIB,
    "wake-ups a second": (program.wakeUps() - wakeUps) / SECONDS
  }
}

const alone = async (start: () => Promise<Program>) => {
  const program = await start()
  await sleep(SETTLE_MS)
  const figures = await watched(program)
  await program.stop()
  return figures
}

/** Measures without a browser. */
const unseen = <A>(_url: string, body: () => Promise<A>): Promise<A> => body()

/** Measures while a browser shows the live page. */
const seen = <A>(url: string, body: () => Promise<A>): Promise<A> =>
  browsing(async (page) => {
    await openLive(page, url)
    return body()
  })

interface Drive {
  readonly flags: ReadonlyArray<string>
  readonly protocol?: string
  readonly by?: typeof unseen
}

const withCar = async (
  start: () => Promise<Subject>,
  { by = unseen, flags, protocol }: Drive
): Promise<Figures> => {
  const { program, stop, url } = await start()
  const simulator = await connected(url, flags, protocol)
  const figures = await by(url, () => recorded(program, url))
  await stop()
  await simulator.stop()
  return figures
}

/** The cost of a recorded car, after half a minute of recording. */
const recorded = async (program: Program, url: string): Promise<Figures> => {
  await sleep(WARM_UP * 1000)
  const before = await counts(url)
  const figures = await watched(program)
  const after = await counts(url)
  for (const count of ["points_received", "points_stored"] as const) {
    const points = after[count] - before[count]
    if (points < MIN_POINTS) throw new Error(`${count}: only ${points}`)
  }
  return figures
}

const service = async (): Promise<Subject> => {
  const program = await startService()
  return { program, url: program.url, stop: program.stop }
}

const ALL = ["--rate", String(HZ)]
const POINTS = [...ALL, "--points-only", "--packed"]

const aloneTitle = `Nothing connected, ${SECONDS} s`
const carTitle = `One car at ${HZ} Hz, nobody watching, ${SECONDS} s`
const seenTitle = `One car at ${HZ} Hz, the live page open in a browser, ${SECONDS} s`

if (wanted(aloneTitle)) {
  await compare({
    title: aloneTitle,
    subjects: [
      { name: "service", run: () => alone(() => startService()) },
      { name: "node:http", run: () => alone(() => startProgram("baselines/answerHttp.ts", ["/", "{}"])) }
    ]
  })
}

if (wanted(carTitle)) {
  await compare({
    title: carTitle,
    subjects: [
      { name: "service, all channels", run: () => withCar(service, { flags: ALL }) },
      { name: "service, Gran Turismo 7", run: () => withCar(service, { flags: [], protocol: "gt7" }) },
      { name: "service, points", run: () => withCar(service, { flags: POINTS }) },
      { name: "plain program, points", run: () => withCar(embedded.plain, { flags: POINTS }) }
    ],
    ratios: [
      { figure: CPU, of: "service, points", to: "plain program, points" },
      { figure: "MiB resident", of: "service, points", to: "plain program, points" }
    ]
  })
}

// In smoke runs, a car that is not watched checks as much.
if (hasBrowser && !smoke && wanted(seenTitle)) {
  await compare({
    title: seenTitle,
    subjects: [
      { name: "points, the page open", run: () => withCar(service, { flags: POINTS, by: seen }) },
      { name: "all channels, the page open", run: () => withCar(service, { flags: ALL, by: seen }) },
      { name: "points, nobody watching", run: () => withCar(service, { flags: POINTS }) }
    ],
    ratios: [{ figure: CPU, of: "points, the page open", to: "points, nobody watching" }]
  })
}
