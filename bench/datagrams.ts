/**
 * Datagrams of real simulators, which the service must not lose: one simulator at 1 kHz, and 16 at 60 Hz at once, each
 * to a port of its own and out of step with the others, in the form of Forza's Data Out (331 bytes a point). A run in
 * which a sent point is not stored is a failure; datagrams that the kernel dropped at the service's sockets
 * (/proc/net/udp) are a figure. Compared with sockets that only count what they get (baselines/receiveDatagrams.ts):
 * CPU for each datagram, once both have run for WARM_UP seconds, because before that compiling is half of the service's
 * CPU.
 *
 * Then the delay of one simulator at 60 Hz on a live page: from the sending of a datagram to the message of its point.
 *
 *   npm run bench -- datagrams        (SECONDS, WARM_UP, RUNS by environment)
 */
import { createSocket } from "node:dgram"
import { once } from "node:events"
import { existsSync, readFileSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import { WebSocket } from "ws"
import { DataOut } from "../simulator/emulators/forza/dataOut.ts"
import { Frames } from "../simulator/emulators/frames.ts"
import { circuitNamed } from "../simulator/model/Circuit.ts"
import { vehicles } from "../simulator/model/vehicles.ts"
import { compare, type Figures, scaled } from "./suite/comparison.ts"
import { setting } from "./suite/figures.ts"
import { type Program, startProgram, startService } from "./suite/programs.ts"

const SECONDS = setting("SECONDS", scaled(20, 0.5))
const WARM_UP = setting("WARM_UP", scaled(10, 0.1))
const LIVE_RATE = 60
/** Hz: no live message may be left out for its rate. */
const UNLIMITED_RATE = 1000
/**
 * A point that is neither stored nor counted as lost after this time never will be; a busy machine may take a while.
 */
const STUCK_MS = 60_000
const COST = "us CPU a point"
/** The offset of the first coordinate of the car's position in Forza's datagrams, a float32. */
const X_AT = 232

const scene = { circuit: circuitNamed("Hollin Moor")!, vehicle: vehicles[0]!, driver: "bench" }

interface DatagramLoad {
  readonly rate: number
  readonly race: ReadonlyArray<Buffer>
  /** How many of the race's datagrams are for warming up. */
  readonly warmUp: number
  /** A datagram of the pause before the race, which gives no point. */
  readonly pause: Buffer
}

const driven = (rate: number): DatagramLoad => {
  const frames = new Frames({ ...scene, laps: 0, seed: 1, rate, pauses: [], restarts: [] })
  const dataOut = new DataOut("motorsport", scene)
  const pause = Buffer.from(dataOut.encode({ ...frames.next(), paused: true }))
  const warmUp = Math.round(WARM_UP * rate)
  const length = warmUp + Math.round(SECONDS * rate)
  return {
    rate,
    pause,
    warmUp,
    race: Array.from({ length }, () => Buffer.from(dataOut.encode(frames.next())))
  }
}

/** The game's socket: a connection hears only one sender. */
const game = createSocket("udp4").unref()

/**
 * Sends the drive to every port, each datagram when it is due, with the ports evenly spaced. Timers are late, so
 * several may go at once.
 */
const send = async (
  { race, rate }: DatagramLoad,
  ports: ReadonlyArray<number>,
  sending?: (n: number) => void
) => {
  const begin = performance.now()
  const total = race.length * ports.length
  for (let n = 0; n < total;) {
    const due = Math.min(total, Math.floor(((performance.now() - begin) * rate * ports.length) / 1000))
    for (; n < due; n++) {
      const datagram = Math.floor(n / ports.length)
      sending?.(datagram)
      game.send(race[datagram]!, ports[n % ports.length]!, "127.0.0.1")
    }
    await sleep(1)
  }
  await sleep(200)
}

const runBaseline = async (drive: DatagramLoad, simulators: number): Promise<Figures> => {
  const all = drive.race.length * simulators
  const warmUp = drive.warmUp * simulators
  const program = await startProgram("baselines/receiveDatagrams.ts", [String(simulators), String(warmUp)])
  await send(drive, JSON.parse(program.line) as ReadonlyArray<number>)
  const result = program.nextLine()
  await program.stop()
  const { cpuSeconds, datagrams } = JSON.parse(await result) as {
    readonly datagrams: number
    readonly cpuSeconds: number
  }
  if (datagrams !== all) throw new Error(`the baseline heard ${datagrams} datagrams of ${all}`)
  return { [COST]: (cpuSeconds * 1e6) / (all - warmUp) }
}

/** Datagrams that the kernel dropped because a socket's buffer was full; the last column of its table. */
const droppedByKernel = (ports: ReadonlyArray<number>): number => {
  if (!existsSync("/proc/net/udp")) return Number.NaN
  const rows = readFileSync("/proc/net/udp", "utf8").trim().split("\n").slice(1)
  return rows.reduce((sum, row) => {
    const columns = row.trim().split(/\s+/)
    const port = Number.parseInt(columns[1]!.split(":")[1]!, 16)
    return ports.includes(port) ? sum + Number(columns.at(-1)) : sum
  }, 0)
}

const freePorts = async (count: number): Promise<ReadonlyArray<number>> => {
  const sockets = Array.from({ length: count }, () => createSocket("udp4"))
  for (const socket of sockets) {
    socket.bind(0, "127.0.0.1")
    await once(socket, "listening")
  }
  const ports = sockets.map((socket) => socket.address().port)
  for (const socket of sockets) socket.close()
  return ports
}

const connect = async (service: string, port: number, pause: Buffer) => {
  const calling = setInterval(() => game.send(pause, port, "127.0.0.1"), 5)
  const body = JSON.stringify({ host: "127.0.0.1", port, app_name: "bench", simulator: "forza" })
  const { status } = await fetch(`${service}/api/v1/connect`, { method: "POST", body })
  clearInterval(calling)
  if (status !== 200) throw new Error(`the service did not connect: ${status}`)
}

interface Status {
  readonly connections: ReadonlyArray<{
    readonly points_stored: number
    readonly points_dropped: number
    readonly points_rejected: number
  }>
}

/** Waits until every connection has stored this many points; throws if one never will. */
const allStored = async (service: string, points: number) => {
  let last = ""
  for (let since = performance.now(); ;) {
    const { connections } = (await (await fetch(`${service}/api/v1/status`)).json()) as Status
    if (connections.every((one) => one.points_stored === points)) return
    const now = JSON.stringify(connections)
    if (now !== last) since = performance.now()
    last = now
    const lost = connections.some((one) => one.points_dropped + one.points_rejected > 0)
    if (lost || performance.now() - since > STUCK_MS) throw new Error(`points were lost: ${now}`)
    await sleep(20)
  }
}

const withService = async <A>(
  { pause }: DatagramLoad,
  simulators: number,
  use: (service: Program & { readonly url: string }, ports: ReadonlyArray<number>) => Promise<A>
): Promise<A> => {
  const service = await startService()
  try {
    const ports = await freePorts(simulators)
    for (const port of ports) await connect(service.url, port, pause)
    return await use(service, ports)
  } finally {
    await service.stop()
  }
}

const runService = (drive: DatagramLoad, simulators: number): Promise<Figures> =>
  withService(drive, simulators, async (service, ports) => {
    let before = Number.NaN
    await send(drive, ports, (n) => {
      if (n === drive.warmUp) before = service.cpuSeconds()
    })
    await allStored(service.url, drive.race.length)
    const measured = (drive.race.length - drive.warmUp) * simulators
    return {
      [COST]: ((service.cpuSeconds() - before) * 1e6) / measured,
      "dropped by the kernel": droppedByKernel(ports)
    }
  })

/** The delay from a datagram to the message of its point, ms; a point is identified by its position. */
const runLive = (drive: DatagramLoad): Promise<Figures> =>
  withService(drive, 1, async (service, ports) => {
    const config = `${service.url}/api/v1/config`
    const configuration = (await (await fetch(config)).json()) as object
    const body = JSON.stringify({ ...configuration, telemetry_rate: UNLIMITED_RATE })
    await fetch(config, { method: "PUT", body })
    const ws = new WebSocket(`${service.url.replace("http", "ws")}/api/v1/telemetry/live`)
    await once(ws, "open")
    const sentAt = new Map<number, number>()
    const late: Array<number> = []
    ws.on("message", (text: Buffer) => {
      const now = performance.now()
      const { data, type } = JSON.parse(text.toString()) as { type: string; data: { position_x: number } }
      const sent = type === "telemetry" ? sentAt.get(data.position_x) : undefined
      if (sent !== undefined) late.push(now - sent)
    })
    await send(drive, ports, (n) => sentAt.set(drive.race[n]!.readFloatLE(X_AT), performance.now()))
    await allStored(service.url, drive.race.length)
    ws.close()
    // Of points that arrive together, only the newest is shown.
    if (late.length === 0) throw new Error("no point was live")
    const warm = late.slice(-(drive.race.length - drive.warmUp)).sort((a, b) => a - b)
    const quantile = (share: number) => warm[Math.floor(share * (warm.length - 1))]!
    return {
      "ms to a live page, median": quantile(0.5),
      "ms to a live page, p99": quantile(0.99),
      "% of the points shown": (100 * late.length) / drive.race.length
    }
  })

for (const { rate, simulators } of [
  // In smoke runs, so few that a socket holds them all: then a busy machine drops none.
  { simulators: 1, rate: scaled(1000, 200) },
  { simulators: 16, rate: 60 }
]) {
  const drive = driven(rate)
  await compare({
    title: `datagrams: ${simulators} x ${rate} Hz, ${(drive.race.length - drive.warmUp) * simulators} points a run, all stored`,
    subjects: [
      { name: "only counted", run: () => runBaseline(drive, simulators) },
      { name: "service", run: () => runService(drive, simulators) }
    ],
    ratios: [{ figure: COST, of: "service", to: "only counted", goal: { most: 3 } }]
  })
}
const drive = driven(LIVE_RATE)
await compare({
  title: `datagrams: 1 x ${LIVE_RATE} Hz, watched by a live page`,
  subjects: [{ name: "service", run: () => runLive(drive) }]
})
