/**
 * Live fan-out: one car's feed to many WebSocket clients, through a real service process. Compared with raw sockets
 * that write the same bytes (the limit of a server that writes each message), `ws` as commonly used, and Socket.IO.
 *
 * All servers read the same feed from this process, and their clients are one other process that costs little. A server
 * first runs without clients for as long as with them: the cost of that (reading the feed; the service also stores it)
 * is subtracted from the CPU of a delivery, and is a figure of its own. Stalled clients have been sent before what the
 * kernel keeps for them. A run ends when every reading client has every message, in order.
 *
 * On two cores, latency means something only while neither server nor clients use theirs up: see their cores.
 *
 * Subscriptions of tRPC are measured beside the service's WebSocket, and compared with it. A slow one leaves out old
 * messages, so only its received messages count as deliveries.
 *
 *   npm run bench -- fanout        (RUNS, ONLY=part of a title by environment)
 */
import { type Figures, compare, smoke, type Subject, wanted } from "./suite/comparison.ts"
import { type Program, startProgram, startService } from "./suite/programs.ts"
import { type CarFeed, serveCar } from "./fanout/feed.ts"
import type { Received, SubscribersOptions } from "./fanout/subscribers.ts"

interface Case {
  readonly subscribers: number
  /** Hz of the feed. */
  readonly rate: number
  readonly seconds: number
  /** Share of the clients that never read. */
  readonly stalled?: number
  /** Uses subscriptions of tRPC instead of the programs that only send. */
  readonly subscriptions?: boolean
}

interface Server {
  readonly program: Program
  readonly url: string
  readonly protocol: SubscribersOptions["protocol"]
}

const NET = "us CPU a delivery"
const GROSS = "us CPU a delivery, with feed"
/** Points, and Hz, for the compiler's warm-up. At 60 Hz the service would be cold for a minute. */
const WARM_UP: readonly [number, number] = smoke ? [60, 600] : [10_000, 2500]
/** Deliveries for the same, before anything is measured: 100 subscribers at 60 Hz would cause as many in 40 s. */
const WARM_DELIVERIES = smoke ? 0 : 250_000
/** Points, and Hz: more than the 4 MB that Linux keeps for a client that does not read. */
const FILL: readonly [number, number] = smoke ? [100, 1000] : [24_000, 5000]

const answer = async (url: string, method: string, body: unknown) => {
  const response = await fetch(url, { method, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${method} ${url}: ${await response.text()}`)
}

const service = async (feed: CarFeed): Promise<Server> => {
  const program = await startService()
  const api = `${program.url}/api/v1`
  const address = { host: "127.0.0.1", port: feed.port, app_name: "bench" }
  // The feed's own rate decides.
  const configuration = {
    connection: address,
    telemetry_rate: 10_000,
    auto_export: false,
    export_format: "csv"
  }
  await answer(`${api}/config`, "PUT", configuration)
  await answer(`${api}/connect`, "POST", { ...address, simulator: "native" })
  return { program, url: `${api}/telemetry/live`, protocol: "websocket" }
}

const baseline = async (feed: CarFeed, path: string, live: string, protocol: Server["protocol"]) => {
  const program = await startProgram(path, [feed.url])
  return { program, url: program.line.replace("listening on ", "") + live, protocol }
}

/** The requests that an EventSource sends to the typed API. */
const subscriptions = async (feed: CarFeed): Promise<Server> => {
  const { program, url } = await service(feed)
  return { program, url: new URL("/trpc/live.telemetry?input=%7B%7D", url).href, protocol: "events" }
}

const SUBSCRIPTIONS = "subscriptions"

const typed = { service, [SUBSCRIPTIONS]: subscriptions }

const servers: Readonly<Record<string, (feed: CarFeed) => Promise<Server>>> = {
  service,
  "raw sockets": (feed) => baseline(feed, "baselines/fanoutRaw.ts", "/", "websocket"),
  "ws, stringify and send": (feed) => baseline(feed, "baselines/fanoutWs.ts", "/", "websocket"),
  "Socket.IO": (feed) =>
    baseline(feed, "baselines/fanoutSocketIo.ts", "/socket.io/?EIO=4&transport=websocket", "socket.io")
}

const startClients = (options: SubscribersOptions) =>
  startProgram("fanout/subscribers.ts", [JSON.stringify(options)])

const measure = async (
  { rate, seconds, stalled = 0, subscribers }: Case,
  start: typeof service
): Promise<Figures> => {
  const feed = await serveCar()
  const { program, protocol, url } = await start(feed)
  const messages = rate * seconds
  const still = Math.round(subscribers * stalled)
  const clients = subscribers - still
  const due = messages * clients

  await feed.send(...WARM_UP)
  const idleBefore = program.cpuSeconds()
  await feed.send(messages, rate)
  const idle = program.cpuSeconds() - idleBefore

  const warmUp = Math.max(rate, Math.ceil(WARM_DELIVERIES / clients))
  const common = { url, protocol, warmUp, messages }
  const asleep = still > 0 ? await startClients({ ...common, clients: still, read: false }) : undefined
  if (asleep !== undefined) await feed.send(...FILL)
  const awake = await startClients({ ...common, clients, read: true })
  await feed.send(warmUp, warmUp === rate ? rate : 4 * rate)
  await awake.nextLine()
  program.forgetPeak()
  const cpuBefore = program.cpuSeconds()
  const begin = performance.now()
  await feed.send(messages, rate)
  const received = JSON.parse(await awake.nextLine()) as Received
  const took = (performance.now() - begin) / 1000
  const cpu = program.cpuSeconds() - cpuBefore
  const { peak } = program.memory()
  await Promise.all([asleep?.stop(), awake.stop(), program.stop()])
  feed.close()
  const deliveries = protocol === "events" ? received.messages : due
  if (received.messages !== deliveries || deliveries === 0 || received.disordered > 0) {
    throw new Error(`${due} messages were to be delivered in order: ${JSON.stringify(received)}`)
  }
  return {
    [NET]: ((cpu - idle) * 1e6) / deliveries,
    [GROSS]: (cpu * 1e6) / deliveries,
    "k delivered a second": deliveries / took / 1000,
    "share delivered": deliveries / due,
    "ms latency p50": received.p50,
    "ms latency p99": received.p99,
    "MB at most": peak / 1e6,
    "cores of the server": cpu / took,
    "cores of the clients": received.cpuSeconds / took
  }
}

// In smoke runs, fewer or slower messages check nothing more than these.
const cases: ReadonlyArray<Case> = smoke
  ? [
      { subscribers: 20, rate: 1000, seconds: 0.5, stalled: 0.05 },
      { subscribers: 20, rate: 60, seconds: 0.5, stalled: 0.1, subscriptions: true }
    ]
  : [
      { subscribers: 100, rate: 60, seconds: 10 },
      { subscribers: 1000, rate: 60, seconds: 5 },
      { subscribers: 5000, rate: 60, seconds: 3 },
      { subscribers: 500, rate: 1000, seconds: 2 },
      { subscribers: 1000, rate: 60, seconds: 5, stalled: 0.05 },
      { subscribers: 500, rate: 1000, seconds: 2, stalled: 0.05 },
      { subscribers: 100, rate: 60, seconds: 10, subscriptions: true },
      { subscribers: 1000, rate: 60, seconds: 5, stalled: 0.1, subscriptions: true }
    ]

const titleOf = ({ rate, stalled, subscribers, subscriptions }: Case) =>
  `fan-out${subscriptions === true ? " by tRPC" : ""}: ${subscribers} subscribers at ${rate} Hz${stalled === undefined ? "" : `, ${stalled * 100} % stalled`}`

for (const one of cases.filter((one) => wanted(titleOf(one)))) {
  const subjects = Object.entries(one.subscriptions === true ? typed : servers).map(
    ([name, start]): Subject => ({
      name,
      run: () => measure(one, start)
    })
  )
  await compare({
    title: titleOf(one),
    subjects,
    ratios:
      one.subscriptions === true
        ? [
            { figure: NET, of: SUBSCRIPTIONS, to: "service", goal: { most: 2 } },
            { figure: GROSS, of: SUBSCRIPTIONS, to: "service" }
          ]
        : [
            { figure: NET, of: "service", to: "raw sockets", goal: { most: 1.15 } },
            ...subjects.slice(1).map(({ name }) => ({ figure: GROSS, of: "service", to: name }))
          ]
  })
}
