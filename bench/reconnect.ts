/**
 * Live clients that check the sequence, and come back: a thousand at once for their missed points, as after a network
 * failure, and some that lose their connections all the time. Every client must get every point once.
 *
 * The thousand are compared with a program by hand that keeps the texts of all points in memory; the losses are
 * compared with the same service without any.
 *
 *   npm run bench -- reconnect        (RUNS, ONLY=part of a title by environment)
 */
import { setTimeout as sleep } from "node:timers/promises"
import { type CarFeed, serveCar } from "./fanout/feed.ts"
import type { Returned, ReturningOptions } from "./fanout/returning.ts"
import { compare, type Figures, scaled, wanted } from "./suite/comparison.ts"
import { type Program, startProgram, startService } from "./suite/programs.ts"

const STORM = scaled(1000, 20)
/** Points that each client missed: five seconds at 60 Hz. */
const MISSED = scaled(300, 30)
/** Points before these, and Hz, for the compiler's warm-up. */
const WARM_UP = scaled(5000, 100)
const WARM_UP_HZ = 2500

const FOLLOWERS = scaled(100, 10)
const SECONDS = scaled(10, 1)
const HZ = 60
/** Messages between two losses, on average. */
const DROP_EVERY = 60

const CPU = "us CPU a delivery"

interface Server {
  readonly program: Program
  readonly url: string
  /** The number of points that can be read. */
  readonly stored: () => Promise<number>
}

interface Status {
  readonly connections: ReadonlyArray<{ readonly points_stored: number }>
}

const service = async (feed: CarFeed): Promise<Server> => {
  const program = await startService()
  const api = `${program.url}/api/v1`
  const ask = async (path: string, method: string, body: object) => {
    const answer = await fetch(api + path, { method, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(await answer.text())
  }
  const connection = { host: "127.0.0.1", port: feed.port, app_name: "bench" }
  // The feed's own rate decides.
  await ask("/config", "PUT", {
    connection,
    telemetry_rate: 10_000,
    auto_export: false,
    export_format: "csv"
  })
  await ask("/connect", "POST", { ...connection, simulator: "native" })
  const stored = async () => {
    const { connections } = (await (await fetch(`${api}/status`)).json()) as Status
    return connections[0]?.points_stored ?? 0
  }
  return { program, stored, url: `${api}/telemetry/live?session_id=1&sequence=1` }
}

const byHand = async (feed: CarFeed): Promise<Server> => {
  const program = await startProgram("baselines/replayWs.ts", [feed.url])
  return {
    program,
    stored: () => Promise.resolve(Infinity),
    url: `${program.line.replace("listening on ", "")}/?session_id=1`
  }
}

const filled = async (feed: CarFeed, start: typeof service, points: number): Promise<Server> => {
  const server = await start(feed)
  while (feed.readers() === 0) await sleep(10)
  await feed.send(points, WARM_UP_HZ)
  while ((await server.stored()) < points) await sleep(50)
  return server
}

const returning = (options: ReturningOptions) =>
  startProgram("fanout/returning.ts", [JSON.stringify(options)])

const checked = (text: string, { clients, last, since }: ReturningOptions): Returned => {
  const result = JSON.parse(text) as Returned
  if (result.messages !== clients * (last - since) || result.repeated > 0 || result.missed > 0)
    throw new Error(`each client was to have ${last - since} points once: ${text}`)
  return result
}

/** All clients come at once, and want the last points. */
const storm = async (start: typeof service): Promise<Figures> => {
  const feed = await serveCar()
  const last = WARM_UP + MISSED
  const { program, url } = await filled(feed, start, last)
  const options = { url, clients: STORM, since: WARM_UP, last, drops: 0 }
  program.forgetPeak()
  const before = program.cpuSeconds()
  const begin = performance.now()
  const clients = await returning(options)
  const { messages } = checked(await clients.nextLine(), options)
  const took = performance.now() - begin
  const cpu = program.cpuSeconds() - before
  const { peak } = program.memory()
  await clients.stop()
  await program.stop()
  feed.close()
  return {
    [CPU]: (cpu * 1e6) / messages,
    "ms until all have all": took,
    "MB at most": peak / 1e6
  }
}

const dropping = async (drops: number): Promise<Figures> => {
  const feed = await serveCar()
  const { program, url } = await filled(feed, service, WARM_UP)
  const last = WARM_UP + HZ * SECONDS
  const options = { url, clients: FOLLOWERS, since: WARM_UP, last, drops }
  const clients = await returning(options)
  const before = program.cpuSeconds()
  await feed.send(HZ * SECONDS, HZ)
  const { again, messages } = checked(await clients.nextLine(), options)
  const cpu = program.cpuSeconds() - before
  await clients.stop()
  await program.stop()
  feed.close()
  return { [CPU]: (cpu * 1e6) / messages, "connections lost": again }
}

const STORM_TITLE = `reconnect storm: ${STORM} clients at once, ${MISSED} points each`
if (wanted(STORM_TITLE))
  await compare({
    title: STORM_TITLE,
    subjects: [
      { name: "service", run: () => storm(service) },
      { name: "texts in memory", run: () => storm(byHand) }
    ],
    ratios: [
      { figure: CPU, of: "service", to: "texts in memory" },
      { figure: "ms until all have all", of: "service", to: "texts in memory" }
    ]
  })

const DROPS_TITLE = `delivery under drops: ${FOLLOWERS} clients at ${HZ} Hz, a connection lost every ${DROP_EVERY} messages`
if (wanted(DROPS_TITLE))
  await compare({
    title: DROPS_TITLE,
    subjects: [
      { name: "with drops", run: () => dropping(DROP_EVERY) },
      { name: "without", run: () => dropping(0) }
    ],
    ratios: [{ figure: CPU, of: "with drops", to: "without" }]
  })
